import Quoin

/// What a question found, in numbers that every engine has to agree on: whole numbers exactly, others to nine digits.
///
/// For rows these are their count and, for each column, the sum of its cells, the missing ones left out: days count as
/// days since 1970-01-01, tickers as the FNV-1a hashes of their symbols.
struct Answer: Equatable {
  enum Number: Equatable {
    case whole(Int128)
    case real(Double)
  }

  private(set) var numbers: [Number]

  init(count: Int) { numbers = [.whole(Int128(count))] }

  init(_ rows: QuoteBatch) {
    self.init(count: rows.rowCount)
    append(tickers: rows.tickers)
    append(days: rows.columns.days)
    for name in Attribute.allCases {
      if let key = TypedAttribute<Int64>(name: name) {
        append(rows.columns[key])
      } else if let key = TypedAttribute<Double>(name: name) {
        append(rows.columns[key])
      }
    }
  }

  /// For computed columns these are the number of rows, and the sums of the columns.
  init(_ rows: QuoteBatch, _ names: [String]) {
    self.init(count: rows.rowCount)
    for name in names { append(rows.computed(name) ?? []) }
  }

  /// For groups these are their count, and the same sums: of their tickers, of the first days of their periods, and of the
  /// aggregates.
  init(_ groups: AggregateTable) {
    self.init(count: groups.rowCount)
    if !groups.tickers.isEmpty { append(tickers: groups.tickers) }
    if !groups.periods.isEmpty { append(days: groups.periods) }
    for column in groups.columns {
      switch column {
      case .doubles(let values): append(values)
      case .integers(let values): append(values)
      case .sums(let values): append(values.reduce(0) { $1 == .min ? $0 : $0 + $1 })
      case .days(let values): append(days: values.compactMap { $0 })
      }
    }
  }

  mutating func append(_ number: Int128) { numbers.append(.whole(number)) }

  mutating func append(_ values: [Int64]) { append(values.reduce(0) { $1.isMissing ? $0 : $0 + Int128($1) }) }

  mutating func append(days: [TradingDay]) { append(days.reduce(0) { $0 + Int128($1.daysSince1970) }) }

  /// Neumaier's sum, so that the order of the values doesn't show in the digits that are compared.
  mutating func append(_ values: [Double]) {
    var (sum, error) = (0.0, 0.0)
    for value in values where !value.isMissing {
      let total = sum + value
      error += sum.magnitude >= value.magnitude ? (sum - total) + value : (value - total) + sum
      sum = total
    }
    numbers.append(.real(sum + error))
  }

  mutating func append(tickers: some Sequence<TickerSymbol>) {
    var (sum, last, hash) = (Int128(0), TickerSymbol?.none, Int128(0))
    for ticker in tickers {
      if ticker != last { (last, hash) = (ticker, Int128(Self.fnv1a("\(ticker)"))) }
      sum += hash
    }
    append(sum)
  }

  private static func fnv1a(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  /// Whether two engines found the same.
  func agrees(with other: Answer) -> Bool {
    numbers.count == other.numbers.count && zip(numbers, other.numbers).allSatisfy { $0.agrees(with: $1) }
  }

  /// As JSON writes it.
  var json: String { "[\(numbers.map(\.text).joined(separator: ", "))]" }
}

extension Answer.Number {
  fileprivate func agrees(with other: Self) -> Bool {
    guard case .real(let mine) = self, case .real(let others) = other else { return self == other }
    return (mine - others).magnitude <= 1e-9 * max(mine.magnitude, others.magnitude)
  }

  fileprivate var text: String {
    switch self {
    case .whole(let number): "\(number)"
    case .real(let number): "\(number)"
    }
  }
}
