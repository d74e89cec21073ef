import CQuoin
import Quoin

/// What differs between two states, read ticker by ticker as it is asked for.
struct DifferenceRows: BatchSource {
  let fields: [ArrowField] = [
    ArrowField(name: "ticker", type: .text), ArrowField(name: "date", type: .day),
    ArrowField(name: "change", type: .text), ArrowField(name: "attribute", type: .text),
    ArrowField(name: "before", type: .double), ArrowField(name: "after", type: .double),
  ]
  private let (older, newer): (QuoteStore, QuoteStore)
  private var tickers: ArraySlice<TickerSymbol>

  private struct Row {
    let ticker: TickerSymbol
    let day: TradingDay
    let change: String
    var cell: (name: Attribute, before: Double, after: Double)?
  }

  init(from older: QuoteStore, to newer: QuoteStore) {
    (self.older, self.newer) = (older.frozen, newer.frozen)
    tickers = self.newer.tickersThatMayDiffer(from: self.older)[...]
  }

  mutating func next() throws(Failure) -> ArrowBatch? {
    var rows: [Row] = []
    while rows.count < ScannedRows.rowsPerBatch, let ticker = tickers.popFirst() {
      do throws(StoreError) { rows += Self.rows(of: try newer.difference(of: ticker, from: older)) } catch {
        throw Failure(error)
      }
    }
    if rows.isEmpty { return nil }
    let texts: [ArrowColumn] = [
      .strings(ArrowTexts(rows.map { "\($0.ticker)" })), .strings(ArrowTexts(rows.map(\.change))),
      .strings(ArrowTexts(rows.map { $0.cell?.name.wikiName })),
    ]
    let values = [rows.map { $0.cell?.before ?? .missing }, rows.map { $0.cell?.after ?? .missing }]
      .map { ArrowColumn.numbers(.doubles(ColumnBuffer($0))) }
    return ArrowBatch(
      columns: [texts[0], .days(ColumnBuffer(rows.map(\.day)))] + texts[1...] + values, rows: 0..<rows.count)
  }

  /// By date; the cells of a day in the order of the attributes.
  private static func rows(of difference: TickerDifference) -> [Row] {
    let ticker = difference.ticker
    var rows = difference.added.days.map { Row(ticker: ticker, day: $0, change: "added") }
    rows += difference.removed.days.map { Row(ticker: ticker, day: $0, change: "removed") }
    for (row, day) in difference.before.days.enumerated() {
      for name in difference.changedAttributes(at: row) {
        let values = [difference.before, difference.after].map { $0.number(name, at: row) }
        rows.append(Row(ticker: ticker, day: day, change: "changed", cell: (name, values[0], values[1])))
      }
    }
    return rows.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(\.element)
  }
}

extension QuoteColumns {
  /// A cell as a float64; NaN where missing.
  fileprivate func number(_ name: Attribute, at row: Int) -> Double {
    switch self[column: name] {
    case .doubles(let values): values[row]
    case .integers(let values): values[row].isMissing ? .missing : Double(values[row])
    }
  }
}

/// What an audit has found.
struct FindingRows: BatchSource {
  let fields: [ArrowField] = [
    ArrowField(name: "ticker", type: .text), ArrowField(name: "date", type: .day),
    ArrowField(name: "rule", type: .text), ArrowField(name: "values", type: .text),
  ]
  private var findings: ArraySlice<AuditFinding>

  /// Blocks until all are there.
  init(_ options: AuditOptions, in store: QuoteStore, _ interrupt: Interrupt?) throws(Failure) {
    var findings: [AuditFinding] = []
    do { _ = try interrupt.during { try store.audit(options) { findings.append($0) } } } catch {
      throw (error as? StoreError).map { Failure($0) } ?? Failure(.other, "\(error)")
    }
    self.findings = findings[...]
  }

  mutating func next() -> ArrowBatch? {
    let batch = Array(findings.prefix(ScannedRows.rowsPerBatch))
    findings = findings.dropFirst(batch.count)
    if batch.isEmpty { return nil }
    return ArrowBatch(
      columns: [
        .strings(ArrowTexts(batch.map { "\($0.ticker)" })), .days(ColumnBuffer(batch.map(\.day))),
        .strings(ArrowTexts(batch.map(\.rule.rawValue))), .strings(ArrowTexts(batch.map(\.details))),
      ], rows: 0..<batch.count)
  }
}
