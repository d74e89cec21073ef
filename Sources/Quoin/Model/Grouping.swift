/// Which quotes make up a group: those that share a ticker, a period of the calendar, a day of the week, or several of these.
///
///     try store.allQuotes.aggregate([.mean(.close)], by: .month)                     // each month of each ticker
///     try store.allQuotes.aggregate([.sum(.volume)], by: .day)                       // each day, all tickers together
///     try store.allQuotes.aggregate([.count], by: Grouping(.year, .weekday))         // each weekday of each year
public struct Grouping: Hashable, Sendable {
  /// Something that the quotes of a group share.
  public enum Key: String, CaseIterable, Hashable, Sendable {
    case ticker, day
    /// From Monday to Sunday.
    case week
    case month, quarter
    case halfYear = "half-year"
    case year
    /// 1 for Monday to 7 for Sunday.
    case weekday

    /// The period that is shared; nil for a ticker and a day of the week.
    public var period: CalendarPeriod? { CalendarPeriod(rawValue: rawValue) }
  }

  /// What a group's quotes share. Groups come in this order: by the first key, then by the second.
  public let keys: [Key]

  /// Groups of quotes that share all of these, each once.
  public init(_ keys: Key...) { self.init(keys) }

  private init(_ keys: [Key]) { self.keys = keys }

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

  /// The periods of each group, if they are all that it shares, or all but the ticker; nil otherwise.
  var onlyPeriod: CalendarPeriod? {
    let rest = keys.filter { $0 != .ticker }
    return rest.count == 1 ? rest[0].period : nil
  }

  /// Whether groups are those of tickers, or of tickers and periods, ticker by ticker: each group's quotes lie beside each other.
  var isConsecutive: Bool { keys == [.ticker] || keys.count == 2 && keys[0] == .ticker && onlyPeriod != nil }
}

extension Grouping {
  /// What is wrong with the name of a grouping.
  package enum NameError: Error, Hashable, Sendable {
    /// There is no key of this name.
    case unknown(String)
    /// A key is named twice.
    case repeated(String)
  }

  /// The grouping of this name, in any case: `ticker`; `day`, `weekday` of all tickers together; `week`, `month`, `quarter`,
  /// `half-year`, `year` of each ticker. In a list only what is listed counts: `ticker, weekday`; `all` stands for all tickers
  /// together: `month, all`. Quandl's names, such as `monthly`, are known too. Nil for `all` by itself: one group.
  ///
  /// - Throws: `NameError`.
  package static func named(_ text: String) throws(NameError) -> Grouping? {
    var (keys, hasAll): ([Key], Bool) = ([], false)
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      part.split(separator: " ").joined(separator: " ").lowercased()
    }
    for name in names {
      if name == "all" {
        if hasAll { throw .repeated(name) }
        hasAll = true
        continue
      }
      let key = Key.allCases.first { $0.rawValue == name || $0.period?.adverbs.contains(name) == true }
      guard let key else { throw .unknown(name) }
      if keys.contains(key) { throw .repeated(key.rawValue) }
      keys.append(key)
    }
    if hasAll, keys.contains(.ticker) { throw .repeated("ticker") }
    if keys.isEmpty { return nil }
    if names.count == 1, let named = Self.named.first(where: { $0.name == keys[0].rawValue }) { return named.grouping }
    return Grouping(keys)
  }
}
