import QuandlService
import Quoin

/// A question to `/api/v1/tickers`: the store's tickers, and what it has of each.
struct TickersRequest: ServerQuestion {
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "tickers", "/api/v1/tickers", "The tickers with their number of rows, first and last day, and bytes",
    asking: TickersRequest.self, mediaTypes: ServedFormat.mediaTypes
  ) { call, tickers in tickers.answer(from: call.view.store) }

  static let parameters: [Parameter<TickersRequest>] = [.format(\.format)]

  init() {}

  /// The tickers, read 512 at a time as they are asked for.
  func answer(from store: QuoteStore) -> ServiceAnswer {
    var tickers = store.tickers[...]
    var bytes: [UInt8] = []
    var writer = format.output.makeWriter(TickerSummary.headings) { bytes.append($0) }
    var isFinished = false
    let body = AnswerBody {
      bytes = []
      while bytes.isEmpty, !isFinished {
        isFinished = tickers.isEmpty
        if isFinished { try writer.finish() } else { try Self.append(tickers.prefix(512), of: store, to: &writer) }
        tickers = tickers.dropFirst(512)
      }
      return bytes.isEmpty ? nil : bytes
    }
    return ServiceAnswer(format.mediaType, body: body)
  }

  private static func append(
    _ tickers: ArraySlice<TickerSymbol>, of store: QuoteStore, to writer: inout any RowWriter
  ) throws {
    let rows = try store.tickerSummaries(of: Array(tickers)).map(\.cells)
    let columns = TickerSummary.headings.indices.map { column in CellColumn.texts(rows.map { $0[column] }) }
    try writer.append(columns, rows: rows.indices)
  }
}
