import Dispatch
import Synchronization

/// What a question has taken, and may take. Every question has one, whoever asks it: `QuoteQuery` makes it when a result is asked
/// for, unless it is given one that several queries share.
///
///     check    before each chunk of blocks, each step over many rows: is somebody waiting, is there time left?
///     hold     before columns are made: is there memory left?
///     work     around what takes time, so that waiting for a consumer doesn't count
package final class QuestionBudget: Sendable {
  /// What several questions may hold together.
  package let shared: MemoryAccount?
  package let cancellation: Cancellation
  private let limits: QuestionLimits
  private let own: MemoryAccount
  private let clock = Mutex(Clock())
  /// When the time is over, in nanoseconds of uptime, while there is work.
  private let deadline = Atomic(UInt64.max)

  private struct Clock {
    /// Nanoseconds of work that is over.
    var worked: UInt64 = 0
    var start: UInt64 = 0
    /// How many of the question's works go on, inside each other or beside each other.
    var depth = 0
  }

  package init(
    _ limits: QuestionLimits = .standard, stoppedBy cancellation: Cancellation = Cancellation(),
    sharing shared: MemoryAccount? = nil
  ) {
    (self.limits, self.cancellation, self.shared) = (limits, cancellation, shared)
    own = MemoryAccount(byteCountMax: limits.byteCount)
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Throws when nobody waits for the result any more, or the time is over.
  @inline(__always)
  package func check() throws(StoreError) {
    try cancellation.check()
    let deadline = deadline.load(ordering: .relaxed)
    if deadline < .max, Self.now >= deadline { throw .questionTooLong(seconds: limits.seconds ?? 0) }
  }

  /// Does `body`, whose time counts.
  package func work<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    begin()
    defer { end() }
    try check()
    return try body()
  }

  private func begin() {
    guard let seconds = limits.seconds else { return }
    clock.withLock { clock in
      clock.depth += 1
      guard clock.depth == 1 else { return }
      clock.start = Self.now
      let allowed = UInt64(exactly: (seconds * 1e9).rounded()) ?? .max / 2
      let left = allowed > clock.worked ? allowed - clock.worked : 0
      deadline.store(clock.start + min(left, .max / 2), ordering: .relaxed)
    }
  }

  private func end() {
    guard limits.seconds != nil else { return }
    clock.withLock { clock in
      clock.depth -= 1
      guard clock.depth == 0 else { return }
      clock.worked += Self.now - clock.start
      deadline.store(.max, ordering: .relaxed)
    }
  }

  /// Counts memory that is about to be taken, until the result goes.
  ///
  /// - Throws: `StoreError.questionTooBig` when the question would hold more than it may, alone or with the others that share an
  ///   account.
  package func hold(_ byteCount: Int) throws(StoreError) -> HeldMemory {
    guard let own = own.hold(byteCount) else {
      throw .questionTooBig(byteCount: self.own.byteCount + byteCount, byteCountMax: self.own.byteCountMax)
    }
    guard let shared else { return HeldMemory([own]) }
    guard let others = shared.hold(byteCount) else {
      throw .questionsTooBig(byteCount: byteCount, byteCountFree: max(0, shared.byteCountMax - shared.byteCount))
    }
    return HeldMemory([own, others])
  }

  /// The most bytes that the question has held at once.
  var peakByteCount: Int { own.peakByteCount }
}

/// Memory that is counted as held, until the last reference to this goes.
package final class HeldMemory: Sendable {
  private let parts: [MemoryAccount.Part]

  fileprivate init(_ parts: [MemoryAccount.Part]) { self.parts = parts }
}

/// Bytes that are held, of so many.
package final class MemoryAccount: Sendable {
  package let byteCountMax: Int
  private let held = Atomic(0)
  private let peak = Atomic(0)

  /// - Parameter byteCountMax: nil for any number.
  package init(byteCountMax: Int?) { self.byteCountMax = byteCountMax ?? .max }

  package var byteCount: Int { held.load(ordering: .relaxed) }
  var peakByteCount: Int { peak.load(ordering: .relaxed) }

  /// Nil if there is no room.
  fileprivate func hold(_ byteCount: Int) -> Part? {
    let held = held.add(byteCount, ordering: .relaxed)
    guard !(held.newValue > byteCountMax) else {
      self.held.subtract(byteCount, ordering: .relaxed)
      return nil
    }
    peak.max(held.newValue, ordering: .relaxed)
    return Part(self, byteCount)
  }

  fileprivate final class Part: Sendable {
    private let account: MemoryAccount
    private let byteCount: Int

    init(_ account: MemoryAccount, _ byteCount: Int) { (self.account, self.byteCount) = (account, byteCount) }

    deinit { account.held.subtract(byteCount, ordering: .relaxed) }
  }
}
