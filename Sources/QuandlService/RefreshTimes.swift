import Quoin
import Synchronization

/// When each ticker's rows were last imported. It is looked up once per generation, because it takes longer the older a
/// store is.
final class RefreshTimes: Sendable {
  private let newest = Mutex<(generation: UInt64, moments: [TickerSymbol: CommitTime])?>(nil)

  /// The moments of the generation that `store` shows; empty if the records are damaged.
  func moments(in store: QuoteStore) -> [TickerSymbol: CommitTime] {
    newest.withLock { newest in
      let generation = store.generation
      if let newest, newest.generation == generation { return newest.moments }
      let moments = (try? store.lastImports()) ?? [:]
      newest = (generation, moments)
      return moments
    }
  }
}
