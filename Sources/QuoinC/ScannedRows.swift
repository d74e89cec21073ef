import CQuoin
import Quoin

/// The rows that a question selects, read as they are asked for.
struct ScannedRows: BatchSource {
  let fields: [ArrowField]
  private let (question, open, snapshot): (Question, OpenStore, QuoteStore)
  private var asked: QuestionRows

  private var hasBegun = false
  private var batch: QuoteBatch?
  private var arrowColumns: [ArrowColumn] = []
  private var nextRow = 0
  /// Those of the tickers, which are the same in all batches.
  private var texts: TickerTexts?

  static let rowsPerBatch = 1 << 16

  /// Reads nothing yet, but refuses what can't be asked.
  init(_ question: Question, of open: OpenStore) throws(Failure) {
    (self.question, self.open, snapshot) = (question, open, try question.snapshot(of: open))
    asked = QuestionRows(question.asked, in: snapshot, rowsPerBatch: Self.rowsPerBatch)
    let hasFractions = snapshot.hasFractionalVolumes
    fields = asked.columns.map {
      ArrowField(
        name: $0.column.name, type: $0.column.type(asText: question.hasTickerTexts, hasFractions: hasFractions))
    }
  }

  mutating func next() throws(Failure) -> ArrowBatch? {
    if !hasBegun || batch != nil && nextRow >= batch?.rowCount ?? 0 {
      hasBegun = true
      do throws(StoreError) {
        batch = try question.interrupt.during { () throws(StoreError) in try asked.next() }
      } catch { throw question.failure(error, in: snapshot) }
      take(batch)
    }
    guard let batch, nextRow < batch.rowCount else { return nil }
    let rows = nextRow..<(asked.isOneBatch ? min(nextRow + Self.rowsPerBatch, batch.rowCount) : batch.rowCount)
    nextRow = rows.upperBound
    return ArrowBatch(columns: arrowColumns, rows: rows)
  }

  /// How the rows are found.
  func report() throws(Failure) -> ScanReport {
    do throws(StoreError) {
      return try question.interrupt.during { () throws(StoreError) in try asked.report() }
    } catch { throw question.failure(error, in: snapshot) }
  }

  private mutating func take(_ batch: QuoteBatch?) {
    nextRow = 0
    arrowColumns = []
    guard let batch else { return }
    let texts = texts ?? question.texts(of: batch.tickers, in: snapshot, open)
    self.texts = texts
    arrowColumns = asked.columns.map { arrowColumn($0.column, batch, texts) }
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
