/// What is asked of a store: which rows of which tickers, what of them, and in which order.
///
///     let question = try QuoteQuestion([.tickers: "FDX", .where: "80 < high < 83", .resample: "week"])
///
/// It is a value without a store. Each way of asking reads one from its own arguments by the table of `QuestionField`, and
/// `QuoteStore.answer(_:)` answers it.
public struct QuoteQuestion: Sendable {
  /// Nil for all.
  package var tickers: [TickerSymbol]?
  /// Of those, the tickers that have rows; nil for all. The others still count for what is by day.
  package var keptTickers: [TickerSymbol]?
  /// All have to hold.
  package var conditions: [Predicate] = []
  package var days = DayBounds.all
  /// The quotes as they were on this day; nil for all that there is.
  package var asOf: TradingDay?
  var trustsSplits = false
  /// How long bars are; nil for days.
  package var barPeriod: CalendarPeriod?
  /// Nil for the usual one.
  package var barLabel: BarLabel?
  /// Whether a join asks it: the rows are those of the only one of `tickers`.
  package var isOfJoin = false
  /// The ticker whose days alone the rows of a join have; nil for all days.
  package var joined: TickerSymbol?
  /// The columns of rows; nil for all.
  package var columns: [QuoteFormatter.Column.Listed]?
  /// Whether only the last row of each ticker is wanted, if that meets the conditions.
  package var isOfLatest = false
  /// What is asked of groups, with their condition and order; nil for rows.
  package var groups: GroupQuestion?
  /// Nil for one group.
  package var grouping: Grouping?
  /// Whether only the first rows of each day are wanted.
  var isTopOfDay = false
  /// The order of rows.
  package var order = RowOrder.date(.ascending)
  package var limit: Int?
  package var offset = 0
  /// Nil for the store's choice.
  package var threads: Int?
  /// What fields make of the query of the rows that their values say nothing else about, in the order of the table.
  private(set) var refinements: [@Sendable (QuoteQuery) -> QuoteQuery] = []
  /// The names that texts may use.
  package var definitions = Definitions()
  /// What the user should know of how texts were read.
  package var notes: [String] = []
  /// The fields that were read.
  package private(set) var given: Set<QuestionField.Name> = []

  package init() {}

  /// Reads some fields, whatever their order, and checks them against each other. A field may be there twice if it is
  /// repeatable: `where`, `let` and `tickers`.
  ///
  /// - Throws: `QuestionError`, with the field.
  public init(_ fields: KeyValuePairs<QuestionField.Name, String>) throws(QuestionError) {
    try self.init(fields.map { (name: $0.key, text: $0.value) })
  }

  /// Reads some fields, whatever their order, and checks them against each other.
  ///
  /// - Throws: `QuestionError`, with the field.
  package init(_ texts: [QuestionText]) throws(QuestionError) {
    try read(texts)
    try check()
  }

  /// Reads some fields, in the order of the table, but for columns: conditions may use their names.
  package mutating func read(_ texts: [QuestionText]) throws(QuestionError) {
    let first: [QuestionField.Name] = [.let, .columns]
    for name in first + QuestionField.Name.allCases.filter({ !first.contains($0) }) {
      for text in texts where text.name == name { try read(text.text, as: .named(name)) }
    }
  }

  /// Reads one field. Definitions have to come first, and aggregates before what is said of groups.
  package mutating func read(_ text: String, as field: QuestionField) throws(QuestionError) {
    if !given.insert(field.name).inserted, !field.isRepeatable {
      throw QuestionError(field.name, against: "is given twice; give it once")
    }
    try field.read(text, into: &self)
  }

  /// The names that texts may use: those that are defined and those of computed columns.
  ///
  /// - Parameter preferringColumns: what a name means that is both. What the answer is ordered by are its columns.
  func names(preferringColumns: Bool) -> Definitions {
    var names = definitions
    for case (let column, let expression?) in columns ?? [] {
      names.add(column.name, as: expression, overriding: preferringColumns)
    }
    return names
  }

  /// Has the query of the rows refined.
  mutating func refine(_ refinement: @escaping @Sendable (QuoteQuery) -> QuoteQuery) { refinements.append(refinement) }

  /// The rules between fields. What a field means by itself was checked when it was read.
  package func check() throws(QuestionError) {
    if let first = days.first, let last = days.last, first.isLater(than: last) {
      throw QuestionError(.from, text: "\(first) is later than \(.to) \(last)")
    }
    if barLabel != nil, barPeriod == nil {
      throw QuestionError(.barLabel, against: "applies to bars; say how long they are with \(.resample)")
    }
    if trustsSplits, asOf == nil { throw QuestionError(.trustSplits, against: "goes with \(.asOf)") }
    if groups == nil {
      for name in [QuestionField.Name.by, .having, .pivot] where given.contains(name) {
        throw QuestionError(name, against: .needsAggregates)
      }
    } else {
      if given.contains(.columns) {
        throw QuestionError(.columns, against: "applies to rows; what groups have is in \(.aggregates)")
      }
      if let name = repeatedColumn {
        throw QuestionError(
          .aggregates, text: "there would be two columns '\(name.shownInErrors)'; name one with 'as'")
      }
      if groups?.isPivot == true, grouping?.keys.count ?? 0 < 2 {
        throw QuestionError(
          .pivot, against: "makes columns of the last of several keys; name two with \(.by), such as 'year, ticker'")
      }
    }
  }

  /// A name that two columns of groups would have.
  private var repeatedColumn: String? {
    var names: Set<String> = []
    let all = (grouping?.keys.map(\.name) ?? []) + (groups?.columns.map(\.name) ?? [])
    return all.first { !names.insert($0).inserted }
  }

  /// The columns of rows, all if none are listed.
  package var listedColumns: [QuoteFormatter.Column.Listed] {
    columns ?? QuoteFormatter.Column.all.map { ($0, nil) }
  }

  /// Whether the rows are made from the store's: as of a day, bars, or those of a join.
  package var isOfView: Bool { asOf != nil || barPeriod != nil || joined != nil }

  /// The days and conditions as one; nil for every row.
  package var predicate: Predicate? {
    let parts = conditions + (days == .all ? [] : [.dates(days)])
    return parts.count > 1 ? .all(parts) : parts.first
  }
}
