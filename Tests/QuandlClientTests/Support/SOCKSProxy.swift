import NIOCore
import NIOPosix

/// A SOCKS proxy (RFC 1928) that lets everybody in and answers in place of every service.
final class SOCKSProxy: Sendable {
  let port: Int
  private let listener: any Channel
  private let bytes: Shared<[UInt8]>

  /// What all clients have sent.
  var received: [UInt8] { bytes.value }

  init(answering reply: Reply) async throws {
    let bytes = Shared<[UInt8]>([])
    let answer = reply.steps.flatMap { step -> [UInt8] in if case .send(let bytes) = step { bytes } else { [] } }
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Conversation(bytes, answer))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = listener.localAddress?.port ?? 0
    self.bytes = bytes
  }

  func close() { listener.close(promise: nil) }

  /// Greeting, connection, request: each is answered when it comes.
  private final class Conversation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let bytes: Shared<[UInt8]>
    private var answers: [[UInt8]]

    init(_ bytes: Shared<[UInt8]>, _ answer: [UInt8]) {
      self.bytes = bytes
      answers = [[5, 0], [5, 0, 0, 1, 0, 0, 0, 0, 0, 0], answer]
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      bytes.withLock { $0 += Array(buffer: Self.unwrapInboundIn(data)) }
      guard !answers.isEmpty else { return }
      context.writeAndFlush(NIOAny(ByteBuffer(bytes: answers.removeFirst())), promise: nil)
    }
  }
}
