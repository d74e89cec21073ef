import QuandlService
import Quoin

/// A question to `/api/v1/tickers`: what the store has of each ticker.
struct TickersRequest {
  static let parameters = ["format"]

  private let format: OutputFormat

  init(_ request: ServiceRequest) throws(Refusal) {
    format = try OutputFormat(QueryReader(request.query, known: Self.parameters), accept: request.accept)
  }

  /// The tickers, some hundred at a time as they are asked for.
  func answer(from store: QuoteStore) throws -> ServiceAnswer {
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
    return ServiceAnswer(headers: [("content-type", format.mediaType)], body: body)
  }

  private static func text(
    of summaries: [TickerSummary], _ format: OutputFormat, isFirst: Bool, isLast: Bool
  ) -> String {
    let rows = summaries.map { row($0, format) }
    switch format {
    case .csv: return (isFirst ? "ticker,rows,first_day,last_day,bytes\n" : "") + rows.joined()
    case .ndjson: return rows.map { $0 + "\n" }.joined()
    default:
      return (isFirst ? "[\n" : ",\n") + rows.joined(separator: ",\n") + (isLast ? "\n]\n" : "")
    }
  }

  /// Nothing in a row needs quotes or escapes.
  private static func row(_ summary: TickerSummary, _ format: OutputFormat) -> String {
    if format == .csv {
      return "\(summary.ticker),\(summary.rowCount),\(summary.firstDay),\(summary.lastDay),\(summary.byteCount)\n"
    }
    return #"{"ticker":"\#(summary.ticker)","rows":\#(summary.rowCount),"first_day":"\#(summary.firstDay)","#
      + #""last_day":"\#(summary.lastDay)","bytes":\#(summary.byteCount)}"#
  }
}
