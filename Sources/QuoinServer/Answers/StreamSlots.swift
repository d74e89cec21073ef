import Synchronization

/// The places for long answers, each of which keeps a piece of the store in memory for as long as its client takes.
final class StreamSlots: Sendable {
  private let limit: Int
  private let taken = Atomic<Int>(0)

  init(_ limit: Int) { self.limit = limit }

  /// A place, until it is freed; nil when all are taken.
  func take() -> Slot? {
    guard taken.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
      taken.wrappingSubtract(1, ordering: .relaxed)
      return nil
    }
    return Slot(self)
  }

  /// A place, which is freed at the latest when nobody knows of it any more: a response may be dropped unsent.
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
