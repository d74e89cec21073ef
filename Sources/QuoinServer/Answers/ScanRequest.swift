import QuandlService
import Quoin

/// A question to `/api/v1/scan`: the rows that meet some conditions, as `quoin scan` selects them.
struct ScanRequest: ServerQuestion {
  private var selection = Selection()
  private var after: PageStart?
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "scan", "/api/v1/scan", "The rows that meet some conditions", methods: [.get, .post], asking: ScanRequest.self,
    mediaTypes: ServedFormat.mediaTypes
  ) { call, scan in try scan.answer(from: call.view.store, call.metrics) }

  static let parameters: [Parameter<ScanRequest>] =
    Selection.fields(of: [.selection, .rows, .answer]).map { $0.part(of: \.selection) } + [
      .text("after", "Only the rows after this one: the last row of the page before, such as FDX,2005-10-14.") {
        $0.after = try PageStart($1)
      },
      .format(\.format),
    ]

  init() {}

  /// The rows, made as they are asked for.
  ///
  /// - Throws: `Refusal` when a ticker is unknown or too many rows would be sorted, `StoreError` when the store is damaged.
  func answer(from store: QuoteStore, _ metrics: ServerMetrics) throws -> ServiceAnswer {
    var asked = selection.asked
    switch asked.order {
    case .date(let order):
      if let after {
        asked.keptTickers = try after.rest(of: asked.tickers ?? store.tickers, areNamed: asked.tickers != nil)
        asked.conditions.append(after.predicate(order))
      }
      try selection.check(in: store)
    case .keys: try checkSorting(in: store)
    }
    let text = ScanText(asked, in: store, format.output) { metrics.scannedRows.increment(by: $0) }
    return selection.remarking(ServiceAnswer(format.mediaType, body: AnswerBody { try text.next() }), in: store)
  }

  /// Rows that are sorted are in memory at once.
  private func checkSorting(in store: QuoteStore) throws {
    if after != nil {
      throw Refusal.wrongParameter("after applies to rows by ticker and date; add order=asc, or use limit alone")
    }
    try selection.check(in: store)
    let most = ServerLimits.sortedRows
    if selection.asked.limit ?? .max <= most || selection.asked.isOfLatest { return }
    guard try selection.ask(store, { query throws(StoreError) in try query.count() }) > most else { return }
    throw Refusal.wrongParameter(
      "order: at most \(most) rows come in the order of their values; add limit=\(most) or fewer")
  }
}
