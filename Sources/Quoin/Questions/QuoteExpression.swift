/// A number for each quote, computed from its values, from those of earlier or later days of its ticker, or both.
///
///     let change = QuoteExpression.close / .prev(.close) - 1
///     let strong = try store.allQuotes.where(change > 0.05 && .volume > 3 * .mean(.prev(.volume), 20)).fetch()
///
/// Values are float64s; an int64 volume becomes the nearest one. What is computed from a missing value is missing, and so is
/// 0/0 or the logarithm of a negative number; 1/0 is infinite. A step back, a window and whatever else looks at other days sees
/// all rows of the ticker, whether or not the query selects them: so a value doesn't depend on what else is asked.
public struct QuoteExpression: Hashable, Sendable {
  private let tree: Tree<Node>
  let size: TreeSize
  private let digest: Digest

  /// What an expression consists of. A program outside the package makes expressions with the functions below, so that a later
  /// release can have more of them.
  indirect enum Node: Hashable, Sendable {
    /// The bits of a float64: so NaN is the same number as NaN, and -0.0 is another than 0.
    case number(UInt64)
    case attribute(Attribute)
    /// A part of the day.
    case calendar(CalendarField)
    /// A function of the row's values.
    case row(RowFunction, [QuoteExpression])
    /// The value so many rows before this one; after it, if the number is negative.
    case shifted(QuoteExpression, Int)
    /// A function of the last rows, with a parameter if it is a quantile.
    case window(WindowFunction, [QuoteExpression], RowWindow, Double?)
    /// A function of all rows up to this one, with its numbers of rows.
    case indicator(Indicator, [QuoteExpression], [Int])
    /// A function of the rows in which a predicate holds.
    case flag(FlagFunction, Predicate, RowWindow)
    /// 1 where the predicate holds, 0 where it doesn't, missing where that is unknown.
    case truth(Predicate)
    /// The first expression where the predicate holds, the second where it doesn't, missing where that is unknown.
    case choice(Predicate, QuoteExpression, QuoteExpression)
    /// An aggregate of a group of quotes, in what is asked of groups: of a quote itself it has no value.
    case aggregate(Aggregation)
    /// What depends on quotes of other tickers.
    case market(MarketValue)
    /// More than `Limits.predicateLevels` inside each other, which no scan takes. What they are isn't kept.
    case tooDeep
  }

  /// An expression that has `inner` inside it.
  init(_ node: Node, around inner: [TreeSize] = []) {
    size = TreeSize(around: inner)
    let node = size.isTooDeep ? .tooDeep : node
    tree = Tree(node, levelCount: size.isTooDeep ? 0 : size.levelCount)
    digest = Digest(of: node)
  }

  /// Whether both are made of the same nodes. O(1).
  public static func == (a: QuoteExpression, b: QuoteExpression) -> Bool { a.digest == b.digest }

  /// O(1).
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  var node: Node { tree.node }

  /// The number that it is, whatever the quote.
  var number: Double? {
    guard case .number(let bits) = node else { return nil }
    return Double(bitPattern: bits)
  }

  init(_ function: RowFunction, _ operands: [QuoteExpression]) {
    self.init(.row(function, operands), around: operands.map(\.size))
  }
}

/// A part of a quote's day, as a number.
public enum CalendarField: String, CaseIterable, Hashable, Sendable {
  /// 1 to 9999.
  case year
  /// 1 to 4.
  case quarter
  /// 1 to 12.
  case month
  /// 1 to 31.
  case day
  /// 1 for Monday to 7 for Sunday, as in ISO 8601.
  case weekday
  /// 1 to 366.
  case dayOfYear = "day_of_year"

  /// The part of `day`.
  func value(of day: TradingDay) -> Int {
    let (year, month, dayOfMonth) = day.components
    return switch self {
    case .year: year
    case .quarter: (month + 2) / 3
    case .month: month
    case .day: dayOfMonth
    case .weekday: (Int(day.daysSince1970) - Int(TradingDay.earliest.daysSince1970)) % 7 + 1
    case .dayOfYear: Int(day.daysSince1970) - Int(CalendarPeriod.year.first(of: day).daysSince1970) + 1
    }
  }
}

/// A function of one row's values.
enum RowFunction: String, CaseIterable, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case power = "^"
  case negate
  case abs, log, exp, sqrt, sign, round, floor, ceil
  /// The larger and the smaller of two numbers; missing if either is.
  case larger, smaller

  /// The functions that are written with their name and parentheses.
  static let named = allCases.filter { $0.rawValue.count > 1 && $0 != .negate }

  var operandCount: Int {
    switch self {
    case .add, .subtract, .multiply, .divide, .power, .larger, .smaller: 2
    case .negate, .abs, .log, .exp, .sqrt, .sign, .round, .floor, .ceil: 1
    }
  }
}

/// A function of the rows in which a predicate holds, doesn't hold, or may hold.
enum FlagFunction: String, CaseIterable, Hashable, Sendable {
  /// Whether it holds in each of the last rows, or in any of them: 1 or 0, missing where that is unknown.
  case every, any
  /// The number of the last rows in which it holds, and their share of those in which that is known.
  case count, share
  /// The number of rows, up to this one and without a gap, in which it is known to hold; missing where that is unknown.
  case streak
  /// The number of rows since the last one in which it held; 0 if it holds in this one.
  case since

  /// Whether the last rows of a window are looked at, and not all rows.
  var hasWindow: Bool {
    switch self {
    case .every, .any, .count, .share: true
    case .streak, .since: false
    }
  }

  /// Whether the function is itself a condition.
  var isCondition: Bool { self == .every || self == .any }
}
