import Quoin
import Synchronization

/// A store that the outside has open.
final class OpenStore: Sendable {
  let store: QuoteStore
  private let known = Mutex<(generation: UInt64, texts: TickerTexts)?>(nil)

  init(_ path: String) throws(StoreError) { store = try QuoteStore(at: path, mustExist: true) }

  /// The texts of a snapshot's tickers, which are the dictionary of all its streams. They are made when a stream first needs them.
  func texts(of symbols: [TickerSymbol], generation: UInt64) -> TickerTexts {
    if let known = known.withLock({ $0 }), known.generation == generation { return known.texts }
    let texts = TickerTexts(symbols)
    known.withLock { $0 = (generation, texts) }
    return texts
  }
}
