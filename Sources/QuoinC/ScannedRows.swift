import CQuoin
import Quoin

/// The rows that a question selects, read as they are asked for.
struct ScannedRows: BatchSource {
  let fields: [ArrowField]
  private let (question, open, snapshot): (Question, OpenStore, QuoteStore)
  private let columns: [QuoteFormatter.Column.Listed]
  /// By date, or by values.
  private var (dateOrder, valueOrder): (DateOrder, (expression: QuoteExpression, order: DateOrder)?) = (.ascending, nil)

  private var hasBegun = false
  /// Nil if all rows are in one batch.
  private var cursor: QuoteCursor?
  private var batch: QuoteBatch?
  private var arrowColumns: [ArrowColumn] = []
  private var nextRow = 0
  /// Those of the tickers, which are the same in all batches.
  private var texts: TickerTexts?

  static let rowsPerBatch = 1 << 16

  /// Reads nothing yet, but refuses what can't be asked.
  init(_ question: Question, of open: OpenStore) throws(Failure) {
    (self.question, self.open, snapshot) = (question, open, try question.snapshot(of: open))
    columns = try Self.columns(question.columns, question.definitions)
    let hasFractions = snapshot.hasFractionalVolumes
    fields = columns.map {
      ArrowField(
        name: $0.column.name, type: $0.column.type(asText: question.hasTickerTexts, hasFractions: hasFractions))
    }
    if let order = question.order {
      let order = try parsed("order") { () throws(PredicateSyntaxError) in
        try RowOrder(parsing: order, question.definitions)
      }
      switch order {
      case .date(let order): dateOrder = order
      case .values(let expression, let order): valueOrder = (expression, order)
      }
    }
  }

  private static func columns(_ text: String?, _ definitions: Definitions) throws(Failure) -> [QuoteFormatter.Column
    .Listed]
  {
    guard let text else { return QuoteFormatter.Column.all.map { ($0, nil) } }
    let columns: [QuoteFormatter.Column.Listed]
    do throws(QuoteFormatter.Column.ListError) {
      columns = try QuoteFormatter.Column.list(parsing: text, definitions)
    } catch {
      switch error {
      case .syntax(let error): throw Failure(error, in: "columns")
      case .unknown(let name):
        let hint = Suggestion.hint(for: String(name.prefix(40)), among: QuoteFormatter.Column.all.map(\.name))
        throw Failure(.syntax, "columns: unknown column '\(name.shown)'; \(hint)")
      case .repeated(let name, _):
        throw Failure(.syntax, "columns: there would be two '\(name.shown)'; name one with 'as'")
      }
    }
    var names: Set<String> = []
    for (column, _) in columns where !names.insert(column.name).inserted {
      throw Failure(.syntax, "columns: '\(column.name.shown)' is listed twice")
    }
    return columns
  }

  mutating func next() throws(Failure) -> ArrowBatch? {
    if !hasBegun {
      hasBegun = true
      (cursor, batch) = try begin()
      take(batch)
    } else if let cursor, nextRow >= batch?.rowCount ?? 0 {
      do throws(StoreError) { batch = try cursor.next() } catch { throw Failure(error) }
      take(batch)
    }
    guard let batch, nextRow < batch.rowCount else { return nil }
    let rows = nextRow..<(cursor == nil ? min(nextRow + Self.rowsPerBatch, batch.rowCount) : batch.rowCount)
    nextRow = rows.upperBound
    return ArrowBatch(columns: arrowColumns, rows: rows)
  }

  /// The first batch, and where further ones come from.
  private func begin() throws(Failure) -> (QuoteCursor?, QuoteBatch?) {
    try question.ask(snapshot) { query throws(StoreError) in
      let query = selecting(query)
      switch valueOrder {
      case (let expression, let order)? where question.isOfLatest:
        return (nil, try query.latest(sortedBy: expression, order))
      case (let expression, let order)?: return (nil, try query.sorted(by: expression, order))
      case nil where question.isOfLatest: return (nil, try query.latest())
      case nil: break
      }
      let cursor = query.cursor(rowsPerBatch: Self.rowsPerBatch)
      return (cursor, try cursor.next())
    }
  }

  /// How the rows are found.
  func report() throws(Failure) -> ScanReport {
    try question.ask(snapshot) { query throws(StoreError) in try selecting(query).explain() }
  }

  private func selecting(_ query: QuoteQuery) -> QuoteQuery {
    var query = query.ordered(dateOrder).selecting(AttributeSet(columns.compactMap(\.column.attribute)))
    for case (let column, let expression?) in columns { query = query.computing(column.name, expression) }
    return query
  }

  private mutating func take(_ batch: QuoteBatch?) {
    nextRow = 0
    arrowColumns = []
    guard let batch else { return }
    let texts = texts ?? question.texts(of: batch.tickers, in: snapshot, open)
    self.texts = texts
    arrowColumns = columns.map { arrowColumn($0.column, batch, texts) }
  }

  private func arrowColumn(
    _ column: QuoteFormatter.Column, _ batch: QuoteBatch, _ texts: TickerTexts
  ) -> ArrowColumn {
    switch column {
    case .ticker: .tickers(batch.tickers, asText: question.hasTickerTexts, texts)
    case .date: .days(batch.columns.dayValues)
    case .attribute(let name): .numbers(batch.columns[column: name])
    case .computed(let name):
      .numbers(.doubles(batch.computed.first { $0.name == name }?.values ?? ColumnBuffer()))
    }
  }
}

extension QuoteFormatter.Column {
  /// - Parameter hasFractions: whether volumes are float64s.
  fileprivate func type(asText isText: Bool, hasFractions: Bool) -> ArrowType {
    switch self {
    case .ticker: isText ? .text : .tickers
    case .date: .day
    case .computed: .double
    case .attribute(let name):
      switch Column(of: name) {
      case .doubles: .double
      case .integers: hasFractions ? .double : .integer
      }
    }
  }
}
