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

  /// The tickers, made 512 at a time as they are asked for.
  func answer(from store: QuoteStore) -> ServiceAnswer {
    var tickers = store.tickers[...]
    var isFirst = true
    var hasEnded = false
    let format = format
    let body = AnswerBody {
      guard !hasEnded else { return nil }
      let summaries = try store.tickerSummaries(of: Array(tickers.prefix(512)))
      tickers = tickers.dropFirst(512)
      hasEnded = tickers.isEmpty
      defer { isFirst = false }
      return Array(Self.text(of: summaries, format, isFirst: isFirst, isLast: hasEnded).utf8)
    }
    return ServiceAnswer(format.mediaType, body: body)
  }

  private static func text(
    of summaries: [TickerSummary], _ format: ServedFormat, isFirst: Bool, isLast: Bool
  ) -> String {
    let rows = summaries.map { row($0, format) }
    switch format {
    case .csv: return (isFirst ? "ticker,rows,first_day,last_day,bytes\n" : "") + rows.joined()
    case .ndjson: return rows.map { $0 + "\n" }.joined()
    case .json:
      return (isFirst ? "[\n" : ",\n") + rows.joined(separator: ",\n") + (isLast ? "\n]\n" : "")
    }
  }

  /// Nothing in a row needs quotes or escapes.
  private static func row(_ summary: TickerSummary, _ format: ServedFormat) -> String {
    switch format {
    case .csv:
      "\(summary.ticker),\(summary.rowCount),\(summary.firstDay),\(summary.lastDay),\(summary.byteCount)\n"
    case .json, .ndjson:
      #"{"ticker":"\#(summary.ticker)","rows":\#(summary.rowCount),"first_day":"\#(summary.firstDay)","#
        + #""last_day":"\#(summary.lastDay)","bytes":\#(summary.byteCount)}"#
    }
  }
}
