import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Turns the output of NIO's parser into requests for Hummingbird, and its responses into input for NIO's encoder.
///
/// On the way it decides what HTTP/1 leaves open: which host a request is for, when a connection ends, and how the end
/// of a response is marked.
final class HTTPCodec: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The facts about a request that are needed until its answer is written.
  private struct PendingAnswer {
    var isHead = false
    var version = HTTPVersion.http1_1
    var isLast = true
  }

  private let watch: ConnectionWatch
  private let scheme: String
  private let onMalformed: @Sendable (any Error) -> Void
  private var unanswered = CircularBuffer<PendingAnswer>(initialCapacity: 2)
  /// Why the last bytes weren't HTTP, until that is answered.
  private var refusal: Refusal?

  /// - Parameter onMalformed: called for bytes that aren't HTTP; the request reader answers the client.
  init(_ watch: ConnectionWatch, scheme: String, onMalformed: @escaping @Sendable (any Error) -> Void) {
    self.watch = watch
    self.scheme = scheme
    self.onMalformed = onMalformed
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError {
      onMalformed(error)
      refusal = Refusal(malformed: error)
    }
    context.fireErrorCaught(error)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): read(head, context)
    case .body(let bytes): context.fireChannelRead(wrapInboundOut(.body(bytes)))
    case .end:
      watch.requestWasRead()
      context.fireChannelRead(wrapInboundOut(.end(nil)))
    }
  }

  private func read(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    watch.headWasRead()
    // HTTP/1.0 clients that keep a connection alive are rare, and would need the length of each answer.
    let isLast = head.version.minor == 0 || !head.isKeepAlive
    unanswered.append(PendingAnswer(isHead: head.method == .HEAD, version: head.version, isLast: isLast))
    guard let method = HTTPRequest.Method(head.method.rawValue) else {
      return context.fireErrorCaught(HTTPParserError.invalidMethod)
    }
    let target = Target(head, at: context.channel.localAddress)
    var fields = HTTPFields(head.headers, splitCookie: false)
    // Only newer clients know the answer.
    if head.version.minor == 0 { fields[.expect] = nil }
    fields[.anotherHost] = nil
    // Hummingbird looks for this word alone.
    fields[.connection] = isLast ? "close" : nil
    context.fireChannelRead(
      wrapInboundOut(
        .head(
          HTTPRequest(
            method: method, scheme: scheme, authority: target.authority, path: target.path, headerFields: fields))))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // A request that couldn't be parsed is answered too.
    var pending = unanswered.first ?? PendingAnswer()
    switch unwrapOutboundIn(data) {
    case .head(let response) where response.status.kind == .informational:
      context.write(wrapOutboundOut(.head(HTTPResponseHead(response))), promise: promise)
    case .head(let response):
      if response.headerFields[.connection] == "close" { pending.isLast = true }
      if !unanswered.isEmpty { unanswered[unanswered.startIndex] = pending }
      watch.answerBegins()
      if let refusal { return write(refusal, pending, context, promise) }
      context.write(wrapOutboundOut(.head(Self.framed(response, pending))), promise: promise)
    case .body(let bytes):
      if pending.isHead {
        promise?.succeed()
      } else {
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
      }
    case .end:
      context.write(wrapOutboundOut(.end(nil)), promise: promise)
      _ = unanswered.popFirst()
      watch.answerWasWritten(isLast: pending.isLast)
    }
  }

  /// Says what is wrong with a request that couldn't be parsed, in place of an answer without a body. Its end follows.
  private func write(
    _ refusal: Refusal, _ pending: PendingAnswer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
  ) {
    self.refusal = nil
    let (headers, body) = refusal.answer
    var response = HTTPResponse(status: .init(code: refusal.status))
    for (name, value) in headers + [("content-length", "\(body.count)")] {
      if let name = HTTPField.Name(name) { response.headerFields[name] = value }
    }
    context.write(wrapOutboundOut(.head(Self.framed(response, pending))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: promise)
  }

  /// The head with the headers that mark the end of the answer: its length, chunks, or the end of the connection.
  private static func framed(_ response: HTTPResponse, _ pending: PendingAnswer) -> HTTPResponseHead {
    var head = HTTPResponseHead(response)
    head.version = pending.version
    if pending.isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
    let hasBody = head.status.mayHaveResponseBody
    if !hasBody { head.headers.remove(name: "content-length") }
    if hasBody, !pending.isHead, !head.headers.contains(name: "content-length"), pending.version.minor > 0 {
      head.headers.add(name: "transfer-encoding", value: "chunked")
    }
    return head
  }
}

extension HTTPField.Name {
  /// Name of any additional Host field.
  fileprivate static let anotherHost = HTTPField.Name("host")!
}

/// The host and the path of a request. A request may name its host twice, in `Host` and in a URL in place of the path.
/// If the two differ, or `Host` comes twice, the authority is a list that names no host.
private struct Target {
  var authority: String?
  var path: String

  /// - Parameter address: the connection's end on this machine. It is meant by clients of HTTP/1.0 that name no host.
  init(_ head: HTTPRequestHead, at address: SocketAddress?) {
    var hosts = head.headers["host"]
    path = head.uri
    if let (host, path) = Self.parts(ofURL: head.uri) {
      self.path = path
      if hosts != [host] { hosts.append(host) }
    }
    if hosts.isEmpty, head.version.minor == 0, let address, let name = address.hostName, let port = address.port {
      hosts = ["\(name):\(port)"]
    }
    authority = hosts.isEmpty ? nil : hosts.joined(separator: ", ")
  }

  /// The host and the rest of a URL; nil if the text is no URL.
  private static func parts(ofURL text: String) -> (host: String, path: String)? {
    for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
      let path = rest[end...]
      return (String(rest[..<end]), path.hasPrefix("/") ? String(path) : "/" + path)
    }
    return nil
  }
}
