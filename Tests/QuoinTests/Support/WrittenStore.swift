import Synchronization

@testable import Quoin
@testable import QuoteGenerator

/// A store that is written to again and again, with what it held after each commit.
final class WrittenStore: Sendable {
  let dice: Mutex<SeededRandom>
  private let store: QuoteStore
  private let contents = Mutex<[UInt64: StoreContent]>([:])

  init(_ store: QuoteStore, _ dice: SeededRandom) {
    self.store = store
    self.dice = Mutex(dice)
  }

  var generation: UInt64 { store.generation }

  func commit() throws {
    let (salt, count, ticker) = dice.withLock {
      ($0.below(1000), 1 + $0.below(40), $0.element(of: ["A", "B", "C", "D"] as [TickerSymbol]))
    }
    try store.upsert([ticker: .sample(count, from: "2001-01-01", salt: salt)])
    let (generation, content) = (store.generation, try content(of: store))
    contents.withLock { $0[generation] = content }
  }

  func rows(ofGeneration number: UInt64) -> StoreContent { contents.withLock { $0[number] ?? [:] } }
}
