import HTTPTypes
import Hummingbird
import NIOCore
import QuandlService

/// A request with its body, in the form that answers need.
struct Question: Sendable {
  let request: ServiceRequest
  let path: RequestPath
  let isRead: Bool
  let takesGzip: Bool
  let ifNoneMatch: String?

  /// Reads the request's body.
  ///
  /// - Throws: `Refusal` or `NIOTooManyBytesError` when it is too long, and what the connection throws.
  init(_ request: Request, _ target: RequestTarget, scheme: String) async throws {
    let headers = request.head.headerFields
    path = target.path
    isRead = request.method != .post
    takesGzip = acceptsGzip(headers[.acceptEncoding])
    ifNoneMatch = headers[.ifNoneMatch]
    var body: [UInt8] = []
    if request.method == .post {
      let length = headers[.contentLength].flatMap { Int($0) } ?? 0
      guard length <= ServerLimits.bodyByteCount else { throw Refusal.bodyTooLong }
      body = Array(buffer: try await request.body.collect(upTo: ServerLimits.bodyByteCount))
    }
    self.request = ServiceRequest(
      request.method == .post ? .post : .get, path: target.path.text, query: target.query, body: body,
      accept: headers[.accept], origin: scheme + "://" + (request.head.authority ?? ""))
  }
}
