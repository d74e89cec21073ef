import CQuoin
import Quoin
import Synchronization

/// SIGINT, for one question.
struct Interrupt: Sendable {
  private static let last = Atomic<UInt64>(0)
  private let number = last.add(1, ordering: .relaxed).newValue

  /// Whether it came while the question was asked.
  var hasCome: Bool { quoin_is_interrupted(number) != 0 }
}

extension Interrupt? {
  /// Does what the question's caller waits for; SIGINT gives it up.
  func during<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    guard let self, self.begins else { return try body() }
    defer { quoin_interrupts_end() }
    return try body()
  }
}

extension Interrupt {
  fileprivate var begins: Bool { quoin_interrupts_begin(number) != 0 }
}
