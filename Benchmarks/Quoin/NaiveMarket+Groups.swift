import Quoin

extension NaiveMarket {
  /// The quotes of one ticker in one month, or in all.
  struct Group {
    let ticker: String
    /// The month's first day since 1970-01-01.
    let month: Int
    var open = Double.nan
    var high = Double.nan
    var low = Double.nan
    var close = Double.nan
    var closeSum = 0.0
    var closeCount = 0
    var volume: Int64 = 0
  }

  func byTicker(_ name: String) throws {
    try stopwatch.time("naive", name, { groups { _ in 0 } }, answer: Answer.init(tickers:))
  }

  func byMonth(_ name: String) throws {
    try stopwatch.time("naive", name, { groups(by: Self.month) }, answer: Answer.init(months:))
  }

  private func groups(by month: (Int) -> Int) -> [Group] {
    var groups: [Group] = []
    for ticker in tickers {
      let begin = groups.count
      for quote in quotes[ticker] ?? [] {
        let month = month(quote.date)
        if groups.count == begin || groups[groups.count - 1].month != month {
          groups.append(Group(ticker: ticker, month: month))
        }
        groups[groups.count - 1].add(quote)
      }
    }
    return groups
  }

  private static func month(_ day: Int) -> Int { day - (TradingDay(daysSince1970: day)?.components.day ?? 1) + 1 }
}

extension NaiveMarket.Group {
  /// Missing cells, which are NaN, take no part.
  fileprivate mutating func add(_ quote: NaiveQuote) {
    if open.isNaN { open = quote.open }
    if !quote.high.isNaN, !(high >= quote.high) { high = quote.high }
    if !quote.low.isNaN, !(low <= quote.low) { low = quote.low }
    if !quote.close.isNaN { (close, closeSum, closeCount) = (quote.close, closeSum + quote.close, closeCount + 1) }
    if quote.volume != .min { volume += quote.volume }
  }
}

extension Answer {
  fileprivate init(tickers groups: [NaiveMarket.Group]) {
    self.init(keysOf: groups)
    append(groups.map { $0.closeSum / Double($0.closeCount) })
    append(groups.map(\.volume))
  }

  fileprivate init(months groups: [NaiveMarket.Group]) {
    self.init(keysOf: groups)
    append(groups.reduce(0) { $0 + Int128($1.month) })
    for value in [\NaiveMarket.Group.open, \.high, \.low, \.close] { append(groups.map { $0[keyPath: value] }) }
    append(groups.map(\.volume))
  }

  private init(keysOf groups: [NaiveMarket.Group]) {
    self.init(count: groups.count)
    append(tickers: groups.map { (try? TickerSymbol($0.ticker)) ?? "NONE" })
  }
}
