/// Which quotes make up a group: those that share a ticker, a period of the calendar, a day of the week, the value of an
/// expression, or several of these.
///
///     try store.allQuotes.aggregate([.mean(.close)], by: .month)                     // each month of each ticker
///     try store.allQuotes.aggregate([.sum(.volume)], by: .day)                       // each day, all tickers together
///     try store.allQuotes.aggregate([.count], by: Grouping(.year, .weekday))         // each weekday of each year
///     let month = QuoteExpression.calendar(.month)
///     try store.allQuotes.aggregate([.mean(.close)], by: Grouping(.expression(month, name: "month")))    // each January and so on
public struct Grouping: Hashable, Sendable {
  /// Something that the quotes of a group share.
  public enum Key: CaseIterable, Hashable, Sendable {
    case ticker, day
    /// From Monday to Sunday.
    case week
    case month, quarter
    case halfYear
    case year
    /// 1 for Monday to 7 for Sunday.
    case weekday
    /// The value of an expression, which has this name in answers. Both zeros are one value, and quotes without a value are a group
    /// of their own, the last one.
    case expression(QuoteExpression, name: String)

    /// All that aren't values of expressions.
    public static let allCases: [Key] = [.ticker, .day, .week, .month, .quarter, .halfYear, .year, .weekday]

    /// What it is called: `month`, `half-year`, the name of an expression.
    public var name: String {
      switch self {
      case .ticker: "ticker"
      case .weekday: "weekday"
      case .expression(_, let name): name
      case .day, .week, .month, .quarter, .halfYear, .year: period?.rawValue ?? ""
      }
    }

    /// The period that is shared; nil for a ticker, a day of the week and an expression.
    public var period: CalendarPeriod? {
      switch self {
      case .day: .day
      case .week: .week
      case .month: .month
      case .quarter: .quarter
      case .halfYear: .halfYear
      case .year: .year
      case .ticker, .weekday, .expression: nil
      }
    }

    /// What is computed of each quote; nil for what it has anyway.
    package var expression: QuoteExpression? {
      if case .expression(let expression, _) = self { expression } else { nil }
    }

    /// The one of this name, which is in lower case; Quandl's adverbs, such as `monthly`, are known too. Nil if there is none.
    static func named(_ name: String) -> Key? {
      if name == "date" { return .day }
      return allCases.first { $0.name == name || $0.period?.adverbs.contains(name) == true }
    }
  }

  /// What a group's quotes share. Groups come in this order: by the first key, then by the second.
  public let keys: [Key]

  /// Groups of quotes that share all of these, each once.
  public init(_ keys: Key...) { self.init(keys) }

  init(_ keys: [Key]) { self.keys = keys }

  /// What is computed of each quote, in the order of the keys.
  var expressions: [QuoteExpression] { keys.compactMap(\.expression) }

  /// The quotes of each ticker.
  public static let ticker = Grouping(.ticker)
  /// The quotes of each day, of all tickers together.
  public static let day = Grouping(.day)
  /// The quotes of each ticker and week.
  public static let week = Grouping(.ticker, .week)
  /// The quotes of each ticker and month.
  public static let month = Grouping(.ticker, .month)
  /// The quotes of each ticker and quarter.
  public static let quarter = Grouping(.ticker, .quarter)
  /// The quotes of each ticker and half-year.
  public static let halfYear = Grouping(.ticker, .halfYear)
  /// The quotes of each ticker and year.
  public static let year = Grouping(.ticker, .year)
  /// The quotes of each day of the week, of all tickers together.
  public static let weekday = Grouping(.weekday)

  /// The groupings that have a name of one word.
  package static let named: [(name: String, grouping: Grouping)] = [
    ("ticker", .ticker), ("day", .day), ("week", .week), ("month", .month), ("quarter", .quarter),
    ("half-year", .halfYear), ("year", .year), ("weekday", .weekday),
  ]

  /// The groups inside these whose quotes share more.
  func divided(by inner: Grouping) -> Grouping { Grouping(keys + inner.keys.filter { !keys.contains($0) }) }

  /// The periods of each group, if they are all that it shares, or all but the ticker; nil otherwise.
  var onlyPeriod: CalendarPeriod? {
    let rest = keys.filter { $0 != .ticker }
    return rest.count == 1 ? rest[0].period : nil
  }

  /// The groups of a key by itself: of a period, those of each ticker.
  init(alone key: Key) {
    self = Self.named.first { $0.name == key.name && key.expression == nil }?.grouping ?? Grouping(key)
  }

  /// Whether groups are those of tickers, or of tickers and periods, ticker by ticker: each group's quotes lie beside each other.
  var isConsecutive: Bool { keys == [.ticker] || keys.count == 2 && keys[0] == .ticker && onlyPeriod != nil }
}

extension Grouping: CustomStringConvertible {
  /// The keys as the query language writes them: `year, weekday`.
  public var description: String {
    keys.map { key in key.expression.map { "\($0)" } ?? key.name }.joined(separator: ", ")
  }
}
