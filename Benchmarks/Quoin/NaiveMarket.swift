import Quoin

/// What Quoin's users come from: an array of structs for each ticker, and a loop.
struct NaiveMarket {
  let quotes: [String: [NaiveQuote]]
  let tickers: [String]
  let stopwatch: Stopwatch

  init(_ store: QuoteStore, _ stopwatch: Stopwatch = Stopwatch()) throws {
    self.stopwatch = stopwatch
    var quotes: [String: [NaiveQuote]] = [:]
    for ticker in store.tickers {
      let name = "\(ticker)"
      quotes[name] = try store.quotes(for: ticker).fetch().map { NaiveQuote($0, ticker: name) }
    }
    self.quotes = quotes
    tickers = quotes.keys.sorted()
  }

  func run() throws {
    try rows("Q1") { (quotes["PG"] ?? []).filter(\.isInFourRanges) }
    try rows("Q2") { filter(\.isInFourRanges) }
    try count("Q3") { $0.close > 80 && $0.close < 81 }
    try count("Q4") { $0.close > 0.0001 }
    try rows("Q5") { filter { $0.volume > 3_000_000 && $0.close < 5 } }
    try count("Q6", \.isInElevenRanges)
    let (first, last, day) = (Self.day("2008-09-01"), Self.day("2009-03-31"), Self.day("2010-06-10"))
    try rows("Q7") { filter { $0.date >= first && $0.date <= last && $0.close < 10 } }
    try means("Q8") { $0.adjustedClose > 20 && $0.adjustedClose < 40 }
    try rows("Q9") { filter { $0.exDividend > 0 } }
    try byTicker("Q10")
    try byMonth("Q11")
    try rows("Q12") { filter { $0.date == day } }
  }

  private func filter(_ isIncluded: (NaiveQuote) -> Bool) -> [NaiveQuote] {
    tickers.flatMap { (quotes[$0] ?? []).filter(isIncluded) }
  }

  private func rows(_ name: String, _ question: () -> [NaiveQuote]) throws {
    try stopwatch.time("naive", name, question, answer: Answer.init)
  }

  private func count(_ name: String, _ isIncluded: (NaiveQuote) -> Bool) throws {
    let question = { tickers.reduce(0) { $0 + (quotes[$1] ?? []).count(where: isIncluded) } }
    try stopwatch.time("naive", name, question, answer: Answer.init(count:))
  }

  private func means(_ name: String, _ isIncluded: (NaiveQuote) -> Bool) throws {
    try stopwatch.time("naive", name, { means(isIncluded) }, answer: Answer.init(close:volume:))
  }

  private func means(_ isIncluded: (NaiveQuote) -> Bool) -> (close: Double, volume: Int128) {
    var (close, closeCount, volume) = (0.0, 0, Int128(0))
    for ticker in tickers {
      for quote in quotes[ticker] ?? [] where isIncluded(quote) {
        if !quote.close.isNaN { (close, closeCount) = (close + quote.close, closeCount + 1) }
        if quote.volume != .min { volume += Int128(quote.volume) }
      }
    }
    return (close / Double(closeCount), volume)
  }

  private static func day(_ day: TradingDay) -> Int { Int(day.daysSince1970) }
}

extension Answer {
  fileprivate init(close: Double, volume: Int128) {
    self.init(count: 1)
    append([close])
    append(volume)
  }

  fileprivate init(_ quotes: [NaiveQuote]) {
    self.init(count: quotes.count)
    append(tickers: quotes.map { (try? TickerSymbol($0.ticker)) ?? "NONE" })
    append(quotes.reduce(0) { $0 + Int128($1.date) })
    for prices in [\NaiveQuote.open, \.high, \.low, \.close] { append(quotes.map { $0[keyPath: prices] }) }
    append(quotes.map(\.volume))
    for values in [
      \NaiveQuote.exDividend, \.splitRatio, \.adjustedOpen, \.adjustedHigh, \.adjustedLow, \.adjustedClose,
      \.adjustedVolume,
    ] { append(quotes.map { $0[keyPath: values] }) }
  }
}
