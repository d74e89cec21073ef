@testable import Quoin
@testable import QuoteGenerator

/// Quotes of a few tickers that break no rule, in which a test plants faults.
struct SoundMarket {
  static let today: TradingDay = "2018-04-01"

  private(set) var rows: [TickerSymbol: QuoteColumns] = [:]

  init(_ tickers: TickerSymbol..., days: Int = 300) {
    for ticker in tickers {
      rows[ticker] = QuoteGenerator.history(of: ticker, days: days, endingOn: "2018-03-27", seed: 7)
    }
  }

  subscript(ticker: TickerSymbol) -> QuoteColumns {
    get { rows[ticker] ?? QuoteColumns() }
    set { rows[ticker] = newValue }
  }

  mutating func removeDay(_ row: Int, of ticker: TickerSymbol) {
    self[ticker] = self[ticker].gathered(self[ticker].days.indices.filter { $0 != row })
  }

  /// Appends a row with the prices of the last one and another volume.
  mutating func append(_ day: TradingDay, to ticker: TickerSymbol) {
    var quote = self[ticker].quote(at: self[ticker].rowCount - 1, of: ticker)
    quote = DailyQuoteSummary(
      ticker: ticker, date: day, open: quote.open, high: quote.high, low: quote.low, close: quote.close, volume: 12_300,
      exDividend: 0, splitRatio: 1, adjustedOpen: quote.adjustedOpen, adjustedHigh: quote.adjustedHigh,
      adjustedLow: quote.adjustedLow, adjustedClose: quote.adjustedClose, adjustedVolume: 12_300)
    self[ticker].append(quote)
  }

  /// Computes the adjusted columns of a ticker anew, by the vendor's recursion.
  mutating func adjust(_ ticker: TickerSymbol) {
    let columns = self[ticker]
    var raw = RawQuotes(days: columns.days)
    (raw.open, raw.high, raw.low, raw.close) = (columns[.open], columns[.high], columns[.low], columns[.close])
    (raw.volume, raw.exDividend, raw.splitRatio) = (columns[.volume], columns[.exDividend], columns[.splitRatio])
    self[ticker] = raw.adjusted()
  }

  /// What an audit finds, in words.
  func findings(_ change: (inout AuditOptions) -> Void = { _ in }) throws -> [String] {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsertUnchecked(rows)
    var options = AuditOptions(today: Self.today)
    change(&options)
    var findings: [String] = []
    try store.audit(options) { findings.append("\($0)") }
    return findings
  }
}

extension QuoteColumns {
  /// Makes a cell missing.
  mutating func clear(_ name: Attribute, row: Int) {
    switch name.key {
    case .double(let key): self[key][row] = .missing
    case .integer(let key): self[key][row] = .missing
    }
  }
}
