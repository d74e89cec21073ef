import NIOCore
import Synchronization

/// The connections of a server. When their places run out, the one that has waited longest for a request is closed: a client that
/// keeps many open shuts nobody out.
final class OpenConnections: Sendable {
  private struct State {
    var count = 0
    /// Those on which no request is under way, and since when.
    var waiting: [ObjectIdentifier: (channel: any Channel, begin: ContinuousClock.Instant)] = [:]
  }

  /// How many there may be before one is closed for the next.
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter places: how many connections the server accepts.
  init(places: Int) { limit = places - max(1, places / 128) }

  func open(_ channel: any Channel) {
    let oldest = state.withLock { state -> (any Channel)? in
      state.count += 1
      guard state.count > limit else { return nil }
      let others = state.waiting.filter { $0.value.channel !== channel }
      guard let oldest = others.min(by: { $0.value.begin < $1.value.begin }) else { return nil }
      state.waiting[oldest.key] = nil
      return oldest.value.channel
    }
    oldest?.close(promise: nil)
  }

  func close(_ channel: any Channel) {
    state.withLock { state in
      state.count -= 1
      state.waiting[ObjectIdentifier(channel)] = nil
    }
  }

  /// Notes whether a connection waits for a request from now on.
  func note(_ channel: any Channel, isWaiting: Bool) {
    state.withLock { $0.waiting[ObjectIdentifier(channel)] = isWaiting ? (channel, .now) : nil }
  }
}
