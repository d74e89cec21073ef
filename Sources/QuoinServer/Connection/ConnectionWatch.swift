import NIOCore
import NIOPosix
import Quoin

/// Ends connections whose clients take too long to send a request, to send the next one, or to take an answer; and the work for
/// clients that have left.
///
/// It is the handler next to the network, so it sees the first byte of a request; `HTTPCodec` reports where requests
/// and answers end. Everything happens on the connection's event loop.
final class ConnectionWatch: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// What the server waits for. Each wait has a deadline.
  private enum Wait {
    case head, body, request, nothing, flush, close
  }

  /// How much of a request has come.
  private enum Reading {
    case nothing, head, body
  }

  private let deadlines: Deadlines
  private let connections: OpenConnections
  private let probe = DepartureProbe()
  private var context: ChannelHandlerContext?
  private var wait = Wait.nothing
  private var deadline: Scheduled<Void>?
  private var stall: StallWatch?
  /// A new connection counts as a request that has begun.
  private var reading = Reading.head
  private var unansweredCount = 0
  private var isClosing = false
  private var isFlushed = false
  private var isQuiescing = false
  private var ignoredByteCount = 0
  /// What stops when the client leaves.
  private weak var work: QuestionWork?

  init(_ deadlines: Deadlines, _ connections: OpenConnections) {
    (self.deadlines, self.connections) = (deadlines, connections)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    connections.open(context.channel)
    update()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    connections.close(context.channel)
    probe.cancel()
    work?.stop(.clientLeft)
    deadline?.cancel()
    stall?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return ignore(unwrapInboundIn(data), context) }
    if reading == .nothing { reading = .head }
    context.fireChannelRead(data)
    update()
  }

  /// Discards input after the final response, so that the client can read that response. Too much of it ends the
  /// connection.
  private func ignore(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    ignoredByteCount += bytes.readableBytes
    if ignoredByteCount > ServerLimits.bodyByteCount { context.close(promise: nil) }
  }

  /// Stops what is done for a client when it leaves.
  static func stop(_ work: QuestionWork, whenLeaves channel: any Channel) {
    channel.eventLoop.execute { [weak work] in
      guard let watch = try? channel.pipeline.syncOperations.handler(type: Self.self), watch.context != nil else {
        work?.stop(.clientLeft)
        return
      }
      watch.work = work
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    context.write(wrapOutboundOut(probe.rest(of: unwrapOutboundIn(data))), promise: promise)
  }

  // Reports of the codec.

  func headWasRead() {
    reading = .body
    unansweredCount += 1
    update()
  }

  func requestWasRead() {
    reading = .nothing
    update()
  }

  func answerBegins() { probe.pause() }

  /// - Parameter isLast: whether no further request is answered.
  func answerWasWritten(isLast: Bool) {
    probe.resume()
    unansweredCount = max(0, unansweredCount - 1)
    if let context, isLast || (isQuiescing && unansweredCount == 0) {
      close(context: context, mode: .output, promise: nil)
    } else {
      update()
    }
  }

  /// Closes the connection, or only the server's side of it. In that case pending output is sent first, and the client
  /// has some time to take it and to close its side.
  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .output else { return context.close(mode: mode, promise: promise) }
    guard !isClosing else { return promise?.succeed() ?? () }
    isClosing = true
    let closed = promise ?? context.eventLoop.makePromise(of: Void.self)
    closed.futureResult.assumeIsolated().whenComplete { _ in
      self.isFlushed = true
      self.update()
    }
    context.flush()
    context.close(mode: .output, promise: closed)
    update()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    watchProgress()
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      isQuiescing = true
      if unansweredCount == 0 { context.close(promise: nil) }
    } else {
      if case ChannelEvent.inputClosed = event, unansweredCount > 0 {
        probe.begin(context.eventLoop) { self.send($0) }
      }
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// Sends what the next answer begins with, if there is going to be one.
  private func send(_ bytes: ByteBuffer) -> Bool {
    guard let context, unansweredCount > 0, !isClosing else { return false }
    context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
    return true
  }

  private func update() {
    let wait = currentWait
    guard wait != self.wait, let context else { return }
    self.wait = wait
    connections.note(context.channel, isWaiting: wait == .head || wait == .request)
    deadline?.cancel()
    deadline =
      switch wait {
      case .nothing, .flush: nil
      case .head: end(in: deadlines.head)
      case .body: end(in: deadlines.body)
      case .request: end(in: deadlines.idle)
      case .close: end(in: deadlines.linger)
      }
    watchProgress()
  }

  /// Watches whether the client takes what waits for it, if something does.
  private func watchProgress() {
    guard let channel = context?.channel, wait == .flush || !channel.isWritable else {
      stall?.cancel()
      stall = nil
      return
    }
    if stall == nil { stall = StallWatch(channel, limit: deadlines.stall) { self.context?.close(promise: nil) } }
  }

  private var currentWait: Wait {
    if isClosing { return isFlushed ? .close : .flush }
    if reading == .body, unansweredCount < 2 { return .body }
    if unansweredCount > 0 { return .nothing }
    return reading == .nothing ? .request : .head
  }

  private func end(in duration: Duration) -> Scheduled<Void>? {
    guard let context else { return nil }
    return context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
      self.context?.close(promise: nil)
    }
  }
}
