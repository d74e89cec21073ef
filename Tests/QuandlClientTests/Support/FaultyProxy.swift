import NIOCore
import NIOPosix
import Synchronization

/// Stands between a client and a server of this machine, byte by byte, and does to each connection what a test says.
final class FaultyProxy: Sendable {
  enum Fault: Sendable {
    case none
    /// The connection ends after so many bytes of the server's.
    case cut(after: Int)
    /// It stays, but nothing more comes.
    case stall(after: Int)
    /// In place of the server's answer these bytes.
    case answer(Reply)
  }

  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private let server: Int
  private let fault: @Sendable (_ connection: Int) -> Fault
  private let state = Mutex(State())

  private struct State {
    var port = 0
    var connections: [any Channel] = []
  }

  /// - Parameters:
  ///   - server: the port of it.
  ///   - fault: what is to happen to a connection; they are counted from 0.
  init(to server: Int, _ fault: @escaping @Sendable (_ connection: Int) -> Fault) {
    self.server = server
    self.fault = fault
  }

  var base: String { "http://127.0.0.1:\(state.withLock { $0.port })/api/v3" }

  /// Runs the proxy as long as `body` runs.
  func run<Result: Sendable>(_ body: (FaultyProxy) async throws -> Result) async throws -> Result {
    let listener = try await ServerBootstrap(group: Self.group)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { client in
        let index = self.state.withLock { state in
          state.connections.append(client)
          return state.connections.count - 1
        }
        return self.connect(client, self.fault(index))
      }
      .bind(host: "127.0.0.1", port: 0).get()
    state.withLock { $0.port = listener.localAddress?.port ?? 0 }
    defer { for channel in state.withLock({ $0.connections }) + [listener] { channel.close(promise: nil) } }
    return try await body(self)
  }

  private func connect(_ client: any Channel, _ fault: Fault) -> EventLoopFuture<Void> {
    if case .answer(let reply) = fault {
      return client.pipeline.addHandler(CannedAnswer(reply)).flatMap { client.setOption(.autoRead, value: true) }
    }
    return ClientBootstrap(group: client.eventLoop)
      .channelInitializer { $0.pipeline.addHandler(Pump(to: client, fault)) }
      .connect(host: "127.0.0.1", port: server)
      .flatMap { server in client.pipeline.addHandler(Pump(to: server, .none)) }
      .flatMap { client.setOption(.autoRead, value: true) }
  }
}

/// Hands on what comes from one end of a connection to the other.
private final class Pump: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let other: any Channel
  private let fault: FaultyProxy.Fault
  private let passed = Atomic<Int>(0)

  init(to other: any Channel, _ fault: FaultyProxy.Fault) {
    self.other = other
    self.fault = fault
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    let before = passed.wrappingAdd(bytes.readableBytes, ordering: .relaxed).oldValue
    let (limit, closes) =
      switch fault {
      case .cut(let count): (count, true)
      case .stall(let count): (count, false)
      default: (Int.max, false)
      }
    let rest = max(0, limit - before)
    let sent = other.writeAndFlush(bytes.getSlice(at: bytes.readerIndex, length: min(rest, bytes.readableBytes)))
    guard closes, bytes.readableBytes > rest else { return }
    let other = other
    sent.whenComplete { _ in other.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Answers whatever is asked with the same bytes, and ends the connection.
private final class CannedAnswer: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let bytes: [UInt8]

  init(_ reply: Reply) {
    bytes = reply.steps.flatMap { step -> [UInt8] in if case .send(let bytes) = step { bytes } else { [] } }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = context.channel
    channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
