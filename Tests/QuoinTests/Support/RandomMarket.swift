@testable import Quoin
@testable import QuoteGenerator

/// A store of nasty quotes on a disk in memory, and the same rows as plain arrays.
struct RandomMarket {
  let store: QuoteStore
  private(set) var rows: [TickerSymbol: QuoteColumns] = [:]
  private(set) var tickers: [TickerSymbol] = []
  /// Whether expressions also take values from other tickers, and go through a ticker's rows from the first one on.
  var hasOthers = false

  static let symbols: [TickerSymbol] = ["A", "AA", "BRK_A", "FDX", "LONGNAMEOFSTOCK1", "MSFT", "X1", "ZZZZ"]

  init(_ dice: inout SeededRandom) throws {
    let disk = InMemoryFiles(areGuarded: dice.chance(0.25))
    let choice = Self.choice(&dice)
    tickers = Self.symbols.filter { _ in dice.chance(0.5) }
    let isLarge = dice.chance(0.15)
    for ticker in tickers {
      let count = dice.element(
        of: isLarge ? [1, 1023, 1024, 1025, 2048, 3000] : [1, 2, 3, 10, 40, 63, 64, 65, 130, 200])
      rows[ticker] = Self.columns(count, &dice)
    }
    // The largest part first, so that later commits leave its file alone and a ticker has several runs.
    let parts = 1 + dice.below(4)
    var ends = rows.mapValues { _ in 0 }
    for part in 1...parts {
      var pieces: [TickerSymbol: QuoteColumns] = [:]
      for ticker in tickers {
        guard let columns = rows[ticker], let start = ends[ticker] else { continue }
        let left = columns.rowCount - start
        let end = part == parts ? columns.rowCount : start + left * 3 / 4
        if start < end { pieces[ticker] = columns.sliced(start..<end) }
        ends[ticker] = end
      }
      try commit(pieces, to: "store", in: disk, choice)
    }
    if dice.chance(0.5) { try commit(Self.replaceSome(of: &rows, &dice), to: "store", in: disk, choice) }
    store = try QuoteStore(at: "store", in: disk)
  }

  /// New values for some days that are there.
  private static func replaceSome(
    of rows: inout [TickerSymbol: QuoteColumns], _ dice: inout SeededRandom
  ) -> [TickerSymbol: QuoteColumns] {
    var pieces: [TickerSymbol: QuoteColumns] = [:]
    for ticker in rows.keys.sorted() where dice.chance(0.5) {
      guard let old = rows[ticker] else { continue }
      let replaced = old.days.indices.filter { _ in dice.chance(0.03) }
      guard !replaced.isEmpty else { continue }
      var new = columns(replaced.count, &dice)
      new.days = replaced.map { old.days[$0] }
      pieces[ticker] = new
      var merged = QuoteColumns()
      for row in old.days.indices {
        if let index = replaced.firstIndex(of: row) {
          merged.append(new, rows: index..<(index + 1))
        } else {
          merged.append(old, rows: row..<(row + 1))
        }
      }
      rows[ticker] = merged
    }
    return pieces
  }

  private static func choice(_ dice: inout SeededRandom) -> EncodingChoice {
    var choice = EncodingChoice()
    if dice.chance(0.5) { choice.encodings = Set(dice.subset(of: BlockEncoding.allCases) + [.plain]) }
    if dice.chance(0.5) { choice.storages = Set(dice.subset(of: PayloadStorage.allCases) + [.raw]) }
    if dice.chance(0.5) { choice.largestCompressedShare = 1 }
    return choice
  }

  private static func columns(_ count: Int, _ dice: inout SeededRandom) -> QuoteColumns {
    let gap = dice.element(of: [1, 3, 30, 700])
    var day = Int(NastyValues.days[dice.below(6)].daysSince1970)
    let days = (0..<count).compactMap { _ in
      day += 1 + dice.below(gap)
      return TradingDay(daysSince1970: day)
    }
    var columns = QuoteColumns(days: days)
    for name in Attribute.allCases {
      switch name.key {
      case .double(let key): columns[key] = dice.element(of: ValueShape<Double>.all).values(columns.rowCount, &dice)
      case .integer(let key): columns[key] = dice.element(of: ValueShape<Int64>.all).values(columns.rowCount, &dice)
      }
    }
    if dice.chance(0.5) { adjust(&columns, &dice) }
    return columns
  }

  /// Computes adjusted values as a vendor does: the unadjusted one times a factor that changes now and then, rounded;
  /// here and there something else.
  private static func adjust(_ columns: inout QuoteColumns, _ dice: inout SeededRandom) {
    let digits = SignificantDigits(digits: dice.element(of: [14, 14, 12, 13, SignificantDigits.all]))
    let isWhole = dice.chance(0.5)
    var factor = dice.element(of: [1, 0.5, 0.9312345678901, 28])
    for row in columns.days.indices {
      if dice.chance(0.02) { factor *= dice.element(of: [0.99, 0.5, 2, 0.987654321]) }
      for name in Attribute.allCases {
        guard let source = name.derivationSource, !dice.chance(0.01) else { continue }
        switch columns[column: source] {
        case .doubles(let values): columns[column: name].doubles[row] = digits.rounded(values[row] * factor)
        case .integers(let values):
          let product = values[row].isMissing ? .missing : Double(values[row]) * factor
          columns[column: name].doubles[row] = isWhole ? product.rounded() : digits.rounded(product)
        }
      }
    }
  }
}

extension RandomMarket {
  func question(_ dice: inout SeededRandom) -> Question {
    var question = Question(predicate: predicate(&dice, depth: dice.element(of: [0, 1, 1, 2, 3])))
    if dice.chance(0.5) {
      question.tickers = (0..<dice.below(5)).map { _ in dice.element(of: Self.symbols + ["UNKNOWN"]) }
    }
    if dice.chance(0.5) { question.attributes = AttributeSet(dice.subset(of: Attribute.allCases, 0.2)) }
    if dice.chance(0.3) { question.computed = expression(&dice, depth: dice.element(of: [0, 1, 2, 3])) }
    if dice.chance(0.5) { question.order = .descending }
    if dice.chance(0.3) { question.limit = dice.element(of: [0, 1, 2, 10, 100, 1024, 1500]) }
    if dice.chance(0.2) { question.offset = dice.element(of: [1, 2, 10, 100, 1024, 1500, 3000]) }
    return question
  }

  func predicate(_ dice: inout SeededRandom, depth: Int) -> Predicate {
    if depth > 0 {
      let parts = (0..<dice.element(of: [0, 1, 2, 2, 2, 3])).map { _ in predicate(&dice, depth: depth - 1) }
      switch dice.below(3) {
      case 0: return .all(parts)
      case 1: return .any(parts)
      default: return .not(predicate(&dice, depth: depth - 1))
      }
    }
    if dice.chance(0.25) { return computedPredicate(&dice) }
    if dice.chance(0.05) {
      return dice.element(of: [
        .ticker(in: ["FDX", "A"]), .ticker(like: "%A%"), .ticker(like: "_"), .ticker(like: "BRK_A%%"),
      ])
    }
    let name = dice.element(of: Attribute.allCases)
    switch dice.below(10) {
    case 0: return .isMissing(name)
    case 1, 2: return .date(bounds(&dice, day))
    default:
      if let key = TypedAttribute<Double>(name: name) { return .double(key, bounds(&dice) { number(key, &$0) }) }
      if let key = TypedAttribute<Int64>(name: name) { return .integer(key, bounds(&dice) { number(key, &$0) }) }
      return .all([])
    }
  }

  private func bounds<Value>(_ dice: inout SeededRandom, _ value: (inout SeededRandom) -> Value) -> Bounds<Value> {
    func bound(_ dice: inout SeededRandom) -> Bound<Value> {
      switch dice.below(5) {
      case 0: .unbounded
      case 1, 2: .inclusive(value(&dice))
      default: .exclusive(value(&dice))
      }
    }
    // Half of the ranges the right way round; a single value often.
    let (a, b) = (bound(&dice), bound(&dice))
    if dice.chance(0.1), case .inclusive = a { return Bounds(lower: a, upper: a) }
    if let low = a.end, let high = b.end, low > high, dice.chance(0.8) { return Bounds(lower: b, upper: a) }
    return Bounds(lower: a, upper: b)
  }

  /// A value of the column, one of its neighbors, or a nasty one.
  func number(_ key: TypedAttribute<Double>, _ dice: inout SeededRandom) -> Double {
    guard dice.chance(0.8), let value = cell(&dice, { $0[key] }), !value.isNaN else {
      return dice.element(of: NastyValues.doubles)
    }
    return dice.element(of: [value, value, value.nextUp, value.nextDown, value * 1.01])
  }

  func number(_ key: TypedAttribute<Int64>, _ dice: inout SeededRandom) -> Int64 {
    guard dice.chance(0.8), let value = cell(&dice, { $0[key] }) else { return dice.element(of: NastyValues.integers) }
    return dice.element(of: [value, value, value == .max ? value : value + 1, value == .min ? value : value - 1])
  }

  private func day(_ dice: inout SeededRandom) -> TradingDay {
    guard dice.chance(0.8), let day = cell(&dice, { $0.days }) else { return dice.element(of: NastyValues.days) }
    return dice.element(of: [day, day, day.advanced(by: 1) ?? day, day.advanced(by: -1) ?? day])
  }

  private func cell<Value>(_ dice: inout SeededRandom, _ column: (QuoteColumns) -> [Value]) -> Value? {
    guard !tickers.isEmpty, let columns = rows[dice.element(of: tickers)] else { return nil }
    let values = column(columns)
    return values[dice.below(values.count)]
  }
}

extension Bound {
  fileprivate var end: Value? {
    switch self {
    case .unbounded: nil
    case .inclusive(let value), .exclusive(let value): value
    }
  }
}
