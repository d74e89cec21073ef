import Quoin
import Synchronization

/// When each ticker's rows were last imported: looked up once a generation, for that takes the longer the older a store.
final class RefreshTimes: Sendable {
  private let newest = Mutex<(generation: UInt64, moments: [TickerSymbol: Timestamp])?>(nil)

  /// The moments of the generation that `store` shows; none where the records are damaged.
  func moments(in store: QuoteStore) -> [TickerSymbol: Timestamp] {
    newest.withLock { newest in
      let generation = store.generation
      if let newest, newest.generation == generation { return newest.moments }
      let moments = (try? store.lastImports()) ?? [:]
      newest = (generation, moments)
      return moments
    }
  }
}
