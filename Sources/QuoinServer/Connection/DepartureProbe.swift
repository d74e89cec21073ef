import NIOCore

/// Finds out whether a client that has closed its side of the connection still reads.
///
/// A browser whose page was closed and a program that has nothing more to send both end their side, and TCP shows no difference
/// until something is sent to them: then a machine whose program has closed the whole connection answers with a reset. So after
/// such an end the first bytes of the next answer, which are the same for all, go ahead one by one, at growing intervals; who
/// still reads notices nothing. Everything happens on the connection's event loop.
final class DepartureProbe {
  /// What every answer begins with.
  private static let start = Array("HTTP/1.".utf8)
  /// After how long the first byte goes. Most answers are there before.
  private static let firstPause = TimeAmount.milliseconds(20)

  /// How many bytes of the next answer were sent.
  private var sentCount = 0
  private var isPaused = false
  private var next: Scheduled<Void>?

  /// - Parameter send: sends some bytes; it returns false when no answer is awaited.
  func begin(_ eventLoop: any EventLoop, _ send: @escaping (ByteBuffer) -> Bool) {
    guard next == nil else { return }
    schedule(Self.firstPause, eventLoop, send)
  }

  func cancel() { next?.cancel() }

  /// The next answer is being sent.
  func pause() { isPaused = true }

  /// It was sent, and another one may follow.
  func resume() { isPaused = false }

  /// What is still to be sent of the beginning of an answer.
  func rest(of data: IOData) -> IOData {
    guard sentCount > 0, case .byteBuffer(var bytes) = data else { return data }
    let count = min(sentCount, bytes.readableBytes)
    bytes.moveReaderIndex(forwardBy: count)
    sentCount -= count
    return .byteBuffer(bytes)
  }

  private func schedule(_ pause: TimeAmount, _ eventLoop: any EventLoop, _ send: @escaping (ByteBuffer) -> Bool) {
    next = eventLoop.assumeIsolated().scheduleTask(in: pause) {
      if !self.isPaused, self.sentCount < Self.start.count,
        send(ByteBuffer(bytes: [Self.start[self.sentCount]]))
      {
        self.sentCount += 1
      }
      self.schedule(pause * 3, eventLoop, send)
    }
  }
}
