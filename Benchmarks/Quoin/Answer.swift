import Quoin

/// What a question found, in numbers that every engine has to agree on: whole numbers exactly, others to nine digits.
///
/// For rows these are their count and, for each column, the sum of its cells, the missing ones left out: days count as
/// days since 1970-01-01, tickers as the FNV-1a hashes of their symbols.
struct Answer: Equatable {
  /// The numbers as JSON writes them.
  private(set) var numbers: [String] = []

  init(count: Int) { numbers = ["\(count)"] }

  init(_ rows: QuoteBatch) {
    numbers = ["\(rows.rowCount)", "\(Self.hash(rows.tickers))"]
    numbers.append("\(rows.columns.days.reduce(0) { $0 + Int($1.daysSince1970) })")
    for name in AttributeName.allCases { append(rows.columns, name) }
  }

  private mutating func append(_ columns: QuoteColumns, _ name: AttributeName) {
    if let key = Attribute<Int64>(name: name) {
      append(columns[key].reduce(0) { $1.isMissing ? $0 : $0 + Int128($1) })
    } else if let key = Attribute<Double>(name: name) {
      append(columns[key])
    }
  }

  mutating func append(_ number: Int128) { numbers.append("\(number)") }

  /// Appends the sum of the values that are not missing.
  mutating func append(_ values: [Double]) {
    var sum = DoubleDoubleSum()
    for value in values where !value.isMissing { sum.add(value) }
    numbers.append("\(sum.sum)")
  }

  /// The sum of the tickers' hashes; a run of equal tickers is hashed once.
  static func hash(_ tickers: [TickerSymbol]) -> UInt64 {
    var (sum, last, hash) = (UInt64(0), TickerSymbol?.none, UInt64(0))
    for ticker in tickers {
      if ticker != last { (last, hash) = (ticker, fnv1a("\(ticker)")) }
      sum += hash
    }
    return sum
  }

  private static func fnv1a(_ text: String) -> UInt64 {
    UInt64(text.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 })
  }
}
