import Synchronization

/// The places for forms with files that are being received. Each keeps files in memory.
final class StreamSlots: Sendable {
  private let limit: Int
  private let taken = Atomic<Int>(0)

  init(_ limit: Int) { self.limit = limit }

  /// Takes a place; nil if none is free.
  func take() -> Slot? {
    guard taken.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
      taken.wrappingSubtract(1, ordering: .relaxed)
      return nil
    }
    return Slot(self)
  }

  /// Takes a place as soon as one is free.
  ///
  /// - Throws: `Refusal` when none gets free in time, `ClientGone` when nobody waits any more.
  func take(within time: Duration, isWanted: () -> Bool) async throws -> Slot {
    let end = ContinuousClock.now + time
    while true {
      if let slot = take() { return slot }
      guard ContinuousClock.now < end else { throw Refusal.tooManyForms }
      guard isWanted() else { throw ClientGone() }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// A place. It is freed when the last reference goes, if not before, because a response may be dropped unsent.
  final class Slot: Sendable {
    private let slots: StreamSlots
    private let isFree = Atomic<Bool>(false)

    fileprivate init(_ slots: StreamSlots) { self.slots = slots }

    deinit { free() }

    func free() {
      guard !isFree.exchange(true, ordering: .relaxed) else { return }
      slots.taken.wrappingSubtract(1, ordering: .relaxed)
    }
  }
}

/// The client has closed its connection before its answer was made.
struct ClientGone: Error {}
