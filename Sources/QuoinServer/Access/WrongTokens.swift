import Synchronization

/// Slows those down who ask without the right token, each address by itself. The first refusals come at once, because people
/// forget a token; whoever goes on waits longer each time, up to a second.
final class WrongTokens: Sendable {
  private struct Record {
    var count = 0
    var last = ContinuousClock.now
  }

  private static let freeCount = 5
  private static let longestDelay = Duration.seconds(1)
  /// After so long without a refusal an address begins anew.
  private static let memory = Duration.seconds(60)
  private static let clientCountMax = 10_000

  private let records = Mutex<[ClientKey: Record]>([:])

  /// Notes a refusal, and returns how long its answer has to wait.
  func delay(for client: ClientKey) -> Duration {
    let count = records.withLock { records in
      let now = ContinuousClock.now
      if records.count >= Self.clientCountMax { records = records.filter { now - $0.value.last < Self.memory } }
      if records.count >= Self.clientCountMax { records = [:] }
      var record = records[client] ?? Record()
      if now - record.last > Self.memory { record.count = 0 }
      (record.count, record.last) = (record.count + 1, now)
      records[client] = record
      return record.count
    }
    guard count > Self.freeCount else { return .zero }
    return min(Self.longestDelay, .milliseconds(50) * (1 << min(count - Self.freeCount - 1, 10)))
  }
}
