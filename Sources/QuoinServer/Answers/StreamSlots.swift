import Synchronization

/// The places for long answers. Each keeps a part of the store in memory until its client has taken it.
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
