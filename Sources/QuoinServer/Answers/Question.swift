import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import QuandlService

/// A request with its body, in the form that answers need.
struct Question: Sendable {
  let request: ServiceRequest
  let path: RequestPath
  let isRead: Bool
  let takesGzip: Bool
  /// The path and the query as they came.
  let target: String
  let conditions: Conditions
  /// The names of sessions that the client's cookie has.
  let sessions: [String]
  /// The one of them that is going on, where a route asks for it.
  var validSession: String?
  /// The type of the body.
  let type: String

  /// Reads the request's body.
  ///
  /// - Parameters:
  ///   - byteCountMax: how many bytes the body may have.
  ///   - connection: the one on which the request came.
  /// - Throws: `Refusal` or `NIOTooManyBytesError` when it is too long, and what the connection throws.
  init(
    _ request: Request, _ target: RequestTarget, origin: String, byteCountMax: Int = ServerLimits.bodyByteCount,
    on connection: any Channel
  ) async throws {
    let headers = request.head.headerFields
    path = target.path
    isRead = request.method != .post
    self.target = request.head.path ?? ""
    conditions = Conditions(headers, isGet: request.method == .get)
    type = headers[.contentType] ?? ""
    sessions = SessionCookie.sessions(in: headers[.cookie])
    // Who asks for a part means the answer as it is, even if its library accepts gzip with every request.
    takesGzip = conditions.range == nil && acceptsGzip(headers[.acceptEncoding])
    var body: [UInt8] = []
    if request.method == .post {
      let length = headers[.contentLength].flatMap { Int($0) } ?? 0
      guard length <= byteCountMax else { throw Refusal.bodyTooLong(byteCountMax) }
      guard ["", "identity"].contains(headers[.contentEncoding] ?? "") else { throw Refusal.bodyEncoded }
      guard ["", "chunked"].contains(headers[.transferEncoding]?.lowercased() ?? "") else {
        throw Refusal.unknownTransfer
      }
      if headers[.expect]?.lowercased() == "100-continue" {
        try await connection.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
      }
      body = Array(buffer: try await Self.collect(request, byteCountMax))
    }
    var asked = ServiceRequest(
      request.method == .post ? .post : .get, path: target.path.text, query: target.query, body: body,
      accept: headers[.accept], origin: origin)
    asked.namesAlone = target.namesAlone
    self.request = asked
  }

  private static func collect(_ request: Request, _ byteCountMax: Int) async throws -> ByteBuffer {
    do { return try await request.body.collect(upTo: byteCountMax) } catch is NIOTooManyBytesError {
      throw Refusal.bodyTooLong(byteCountMax)
    }
  }

  /// The names and values of a form that was posted.
  var form: [(name: String, value: String)] {
    RequestTarget("/?" + String(decoding: request.body, as: UTF8.self)).query
  }
}
