import CKernels

/// Waiting for another thread without sleeping.
enum Spin {
  /// About the time that it takes to put a thread to sleep and wake it again. Waiting longer would only waste a processor.
  static let limit = Duration.microseconds(50)

  /// Returns when `condition` holds, or after `limit`; at once if there is no other processor.
  static func wait(until condition: () -> Bool) {
    guard Crew.processorCount > 1, !condition() else { return }
    let end = ContinuousClock.now + limit
    repeat {
      for _ in 0..<8 { quoin_spin_hint() }
    } while !condition() && ContinuousClock.now < end
  }
}
