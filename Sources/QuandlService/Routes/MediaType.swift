/// The media type of an answer, as `content-type` has it.
package enum MediaType: String, Sendable {
  case json = "application/json; charset=utf-8"
  case ndjson = "application/x-ndjson"
  /// Without a character set: backtrader and PyAlgoTrade accept exactly this.
  case csv = "text/csv"
  case xml = "application/xml; charset=utf-8"
  case zip = "application/zip"
  case html = "text/html; charset=utf-8"
  case css = "text/css; charset=utf-8"
  case javaScript = "text/javascript; charset=utf-8"
  case svg = "image/svg+xml"
  /// A stream of record batches.
  case arrow = "application/vnd.apache.arrow.stream"
  /// Bytes that mean something to Quoin alone.
  case bytes = "application/octet-stream"
  /// Server-sent events, of HTML's standard.
  case events = "text/event-stream"
  /// Prometheus's text format.
  case metrics = "text/plain; version=0.0.4; charset=utf-8"

  /// The type alone, without parameters: `text/csv`.
  package var name: String { String(rawValue.prefix { $0 != ";" }) }
}

extension ServiceAnswer {
  /// An answer of this type, with further headers.
  package init(
    status: Int = 200, _ type: MediaType, headers: [(name: String, value: String)] = [], body: AnswerBody
  ) {
    self.init(status: status, headers: [("content-type", type.rawValue)] + headers, body: body)
  }
}
