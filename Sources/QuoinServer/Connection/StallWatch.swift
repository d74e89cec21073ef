import NIOCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Finds out whether the client of a connection takes nothing any more, from the bytes that its machine has acknowledged.
///
/// What the kernel takes says less: megabytes lie in its buffers, and it asks for more only when a third of them is free. A
/// client that reads 10 KB a second is then silent for minutes.
///
/// And some clients read in bursts: `curl --limit-rate 10k` takes a hundred pieces of 10 KB at once, and then nothing for 100
/// seconds. So a client that has taken much may pause for longer (`ServerLimits.patientByteCount`), but one that takes nothing
/// may not. Everything happens on the connection's event loop.
final class StallWatch {
  private let channel: any Channel
  private let limit: Duration
  private let onStall: () -> Void
  private var taken: UInt64?
  private var lastProgress = ContinuousClock.now
  private var next: Scheduled<Void>?
  private var isCancelled = false

  /// - Parameters:
  ///   - limit: how long a client that has taken little may acknowledge nothing.
  ///   - onStall: called once, when it was silent for too long.
  init(_ channel: any Channel, limit: Duration, onStall: @escaping () -> Void) {
    (self.channel, self.limit, self.onStall) = (channel, limit, onStall)
    look()
  }

  func cancel() {
    isCancelled = true
    next?.cancel()
  }

  private func look() {
    acknowledgedByteCount { taken in
      guard !self.isCancelled else { return }
      if taken != self.taken { (self.taken, self.lastProgress) = (taken, .now) }
      guard ContinuousClock.now - self.lastProgress < self.limit * Self.patience(taken) else { return self.onStall() }
      self.next = self.channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(self.limit / 8)) { self.look() }
    }
  }

  /// How many times the limit a client may be silent that has taken so many bytes of its connection.
  private static func patience(_ taken: UInt64?) -> Int {
    #if canImport(Glibc)
      let count = (taken ?? 0) / UInt64(ServerLimits.patientByteCount)
      return Int(min(max(1, count), UInt64(ServerLimits.longestPatience)))
    #else
      // How many bytes were taken isn't known.
      return ServerLimits.longestPatience
    #endif
  }

  /// Calls `body` with a number that changes with each byte that the client's machine acknowledges; nil if the system doesn't
  /// tell. Then time alone counts.
  private func acknowledgedByteCount(_ body: @escaping (UInt64?) -> Void) {
    guard let provider = channel as? any SocketOptionProvider else { return body(nil) }
    #if canImport(Glibc)
      let facts: EventLoopFuture<TransferFacts> = provider.unsafeGetSocketOption(
        level: .tcp, name: .init(rawValue: TCP_INFO))
      facts.assumeIsolated().whenComplete { facts in body((try? facts.get())?.acknowledgedByteCount) }
    #else
      // The bytes that wait in the kernel.
      let facts: EventLoopFuture<Int32> = provider.unsafeGetSocketOption(
        level: .socket, name: .init(rawValue: SO_NWRITE))
      facts.assumeIsolated().whenComplete { facts in body((try? facts.get()).map { UInt64(bitPattern: Int64($0)) }) }
    #endif
  }
}

#if canImport(Glibc)
  /// The beginning of Linux's `tcp_info` (linux/tcp.h) up to the field that counts the acknowledged bytes, which is 120 bytes
  /// from the start. Older kernels leave it zero.
  private struct TransferFacts: Sendable {
    var others: InlineArray<15, UInt64> = .init(repeating: 0)
    var acknowledgedByteCount: UInt64 = 0
  }
#endif
