import Synchronization

/// The places for pages that listen for commits. One client has a share of them.
final class ListenerPlaces: Sendable {
  private let counts = Mutex<[ClientKey: Int]>([:])

  /// Takes a place; nil if there is none for this client.
  func take(for client: ClientKey) -> Place? {
    let isFree = counts.withLock { counts in
      guard counts.values.reduce(0, +) < ServerLimits.listeners,
        counts[client, default: 0] < ServerLimits.listenersOfClient
      else { return false }
      counts[client, default: 0] += 1
      return true
    }
    return isFree ? Place(self, client) : nil
  }

  private func free(_ client: ClientKey) {
    counts.withLock { counts in
      let count = counts[client, default: 1] - 1
      counts[client] = count == 0 ? nil : count
    }
  }

  /// A place. It is freed when the last reference goes, if not before, because a response may be dropped unsent.
  final class Place: Sendable {
    private let places: ListenerPlaces
    private let client: ClientKey
    private let isFree = Atomic<Bool>(false)

    fileprivate init(_ places: ListenerPlaces, _ client: ClientKey) { (self.places, self.client) = (places, client) }

    deinit { free() }

    func free() {
      guard !isFree.exchange(true, ordering: .relaxed) else { return }
      places.free(client)
    }
  }
}
