import NIOCore
import NIOPosix
import Synchronization

/// A request as the little server sees it.
struct ScriptedRequest: Sendable {
  let method: String
  /// Path and query, as they came.
  let target: String
  let headers: [(name: String, value: String)]
  let bytes: [UInt8]

  var body: String { String(decoding: bytes, as: UTF8.self) }
  var path: String { String(target.prefix { $0 != "?" }) }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The values of a parameter of the query, decoded.
  func values(_ name: String) -> [String] {
    target.drop { $0 != "?" }.dropFirst().split(separator: "&").compactMap { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 && Self.decoded(parts[0]) == name ? Self.decoded(parts[1]) : nil
    }
  }

  func value(_ name: String) -> String? { values(name).first }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What the little server does about a request, step by step.
struct Reply: Sendable {
  enum Step: Sendable {
    case send([UInt8])
    case wait(Duration)
    case close
  }

  var steps: [Step]

  static func ok(_ text: String, headers: [String] = []) -> Reply { status(200, text, headers: headers) }

  static func status(_ code: Int, _ text: String = "", headers: [String] = []) -> Reply {
    bytes(code, Array(text.utf8), headers: headers)
  }

  static func bytes(_ code: Int, _ body: [UInt8], headers: [String] = []) -> Reply {
    let lines = ["HTTP/1.1 \(code) Words", "content-length: \(body.count)"] + headers
    return Reply(steps: [.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)])
  }

  static func error(_ status: Int, _ code: String, _ message: String, headers: [String] = []) -> Reply {
    .status(status, #"{"quandl_error":{"code":"\#(code)","message":"\#(message)"}}"#, headers: headers)
  }

  static func redirect(_ status: Int, to location: String) -> Reply {
    .status(status, headers: ["location: \(location)"])
  }

  /// Never answers.
  static let silence = Reply(steps: [.wait(.seconds(600))])
  /// Closes the connection instead of answering.
  static let close = Reply(steps: [.close])

  /// The same answer, of which only so many bytes come before the connection closes.
  func cut(after count: Int) -> Reply {
    guard case .send(let bytes) = steps.first else { return self }
    return Reply(steps: [.send(Array(bytes.prefix(count))), .close])
  }

  func delayed(by time: Duration) -> Reply { Reply(steps: [.wait(time)] + steps) }
}

/// A server on a port of the loopback that the system chooses, which answers as a test tells it to.
///
/// It lives on threads of its own: tests that block the threads of tasks don't keep it from answering in time.
final class ScriptedServer: Sendable {
  typealias Script = @Sendable (ScriptedRequest, _ index: Int) throws -> Reply

  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 4)

  private let script: Script
  private let state = Mutex(State())

  private struct State {
    var port = 0
    var connections: [any Channel] = []
    var requests: [ScriptedRequest] = []
    var activeCount = 0
    var activeCountMax = 0
  }

  init(_ script: @escaping Script) { self.script = script }

  var port: Int { state.withLock { $0.port } }
  var base: String { "http://127.0.0.1:\(port)/api/v3" }
  /// The requests there were, oldest first.
  var requests: [ScriptedRequest] { state.withLock { $0.requests } }
  /// How many are under way.
  var activeCount: Int { state.withLock { $0.activeCount } }
  /// How many there were at a time, at most.
  var activeCountMax: Int { state.withLock { $0.activeCountMax } }

  /// Runs the server as long as `body` runs.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (ScriptedServer) async throws -> Result
  ) async throws -> Result {
    let listener = try await ServerBootstrap(group: Self.group)
      .childChannelInitializer { channel in
        self.state.withLock { $0.connections.append(channel) }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ScriptedConnection(self))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    defer {
      for channel in state.withLock({ $0.connections }) + [listener] { channel.close(promise: nil) }
    }
    return try await body(self)
  }

  fileprivate func begin(_ request: ScriptedRequest) -> Reply {
    let index = state.withLock { state in
      state.requests.append(request)
      state.activeCount += 1
      state.activeCountMax = max(state.activeCountMax, state.activeCount)
      return state.requests.count - 1
    }
    return (try? script(request, index)) ?? .close
  }

  fileprivate func end() {
    state.withLock { state in
      state.activeCount -= 1
    }
  }
}

/// One connection: requests are answered one after the other, each step by step.
private final class ScriptedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: ScriptedServer
  private var received: [UInt8] = []
  private var isAnswering = false

  init(_ server: ScriptedServer) { self.server = server }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += Array(buffer: Self.unwrapInboundIn(data))
    answerNext(context)
  }

  func channelInactive(context: ChannelHandlerContext) { if isAnswering { end() } }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answerNext(_ context: ChannelHandlerContext) {
    guard !isAnswering, let request = Self.takeRequest(&received) else { return }
    isAnswering = true
    perform(server.begin(request).steps[...], context)
  }

  private func end() {
    isAnswering = false
    server.end()
  }

  private func perform(_ steps: ArraySlice<Reply.Step>, _ context: ChannelHandlerContext) {
    guard context.channel.isActive, isAnswering else { return }
    guard let step = steps.first else {
      end()
      return answerNext(context)
    }
    let rest = steps.dropFirst()
    switch step {
    case .send(let bytes):
      // It is over before the client can ask again.
      if rest.isEmpty { end() }
      let sent = context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: bytes)))
      if rest.isEmpty { return answerNext(context) }
      // A connection that is closed drops what still waits to be sent, and the client would see a broken one.
      sent.assumeIsolated().whenSuccess { self.perform(rest, context) }
    case .wait(let time):
      context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { self.perform(rest, context) }
    case .close: context.close(promise: nil)
    }
  }

  private static func takeRequest(_ received: inout [UInt8]) -> ScriptedRequest? {
    guard let end = received.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound else { return nil }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (name: parts[0].lowercased(), value: String((parts.last ?? "").drop { $0 == " " }))
    }
    let bodyCount = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    guard received.count >= end + 4 + bodyCount, words.count == 3 else { return nil }
    let body = Array(received[(end + 4)..<(end + 4 + bodyCount)])
    received.removeFirst(end + 4 + bodyCount)
    return ScriptedRequest(method: words[0], target: words[1], headers: headers, bytes: body)
  }
}
