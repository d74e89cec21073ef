import CKernels

/// Waiting for another thread without sleeping.
enum Spin {
  /// As long as it takes to put a thread to sleep and wake it again: to wait longer awake would only waste a processor.
  static let limit = Duration.microseconds(50)

  /// Returns when `condition` holds, or after `limit`; at once where there is no other processor.
  static func wait(until condition: () -> Bool) {
    guard Crew.processorCount > 1, !condition() else { return }
    let end = ContinuousClock.now + limit
    repeat {
      for _ in 0..<8 { quoin_spin_hint() }
    } while !condition() && ContinuousClock.now < end
  }
}
