import CQuoin
import Quoin
import Synchronization

/// A store, or several as one, that the outside has open.
final class OpenStore: Sendable {
  private let parts: [QuoteStore]
  private let isWritable: Bool
  private let state: Mutex<State>

  private struct State: Sendable {
    /// What is shown: the only part, or all of them joined.
    var shown: QuoteStore
    /// What a question may take.
    var limits = QuestionLimits.standard
    /// What gives up the questions that are asked now.
    var cancellation = Cancellation()
    var known: (generation: UInt64, texts: TickerTexts)?
  }

  init(_ path: String, mustExist: Bool = true, isWritable: Bool = false) throws(StoreError) {
    let store = try QuoteStore(at: path, mustExist: mustExist)
    (parts, self.isWritable) = ([store], isWritable)
    state = Mutex(State(shown: store))
  }

  /// Several stores as one.
  init(_ paths: [String]) throws(StoreError) {
    var parts: [QuoteStore] = []
    for path in paths { parts.append(try QuoteStore(at: path, mustExist: true)) }
    let shown = try QuoteStore(joining: parts)
    (self.parts, isWritable) = (parts, false)
    state = Mutex(State(shown: shown))
  }

  /// A snapshot of another one.
  init(_ snapshot: QuoteStore) {
    (parts, isWritable) = ([snapshot], false)
    state = Mutex(State(shown: snapshot))
  }

  /// The stores whose rows are shown.
  var shards: [StoreShard] {
    let shown = store
    return shown.shards.isEmpty ? [StoreShard(shown)] : shown.shards
  }

  /// What is shown, for questions.
  var store: QuoteStore { state.withLock { $0.shown.within($0.limits).stopped(by: $0.cancellation) } }

  /// What is shown, for a question that SIGINT gives up too.
  func store(interruptedBy interrupt: Interrupt?) -> QuoteStore {
    guard let interrupt else { return store }
    let cancellation = state.withLock { $0.cancellation }
    return store.stopped(by: Cancellation { cancellation.isCancelled || interrupt.hasCome })
  }

  /// Gives up the questions that are asked already.
  func interrupt() {
    state.withLock { state in
      state.cancellation.cancel()
      state.cancellation = Cancellation()
    }
  }

  func limitQuestions(to limits: QuestionLimits) { state.withLock { $0.limits = limits } }

  /// The store, if it is one by itself.
  func inOneDirectory() throws(Failure) -> QuoteStore {
    guard parts.count == 1 else {
      throw Failure(.misuse, "several stores are open as one; open each of them by itself")
    }
    return store
  }

  /// The store, if it was opened for writing.
  func writable() throws(Failure) -> QuoteStore {
    guard isWritable else {
      throw Failure(.misuse, "'\(store.path)' is open for reading only; open it with QUOIN_READ_WRITE or QUOIN_CREATE")
    }
    return state.withLock { $0.shown }
  }

  /// Shows the newest commits from now on. Returns the generation.
  func refresh() throws(StoreError) -> UInt64 {
    for part in parts { try part.refresh() }
    if parts.count > 1 {
      let shown = try QuoteStore(joining: parts)
      state.withLock { if shown.generation >= $0.shown.generation { $0.shown = shown } }
    }
    return store.generation
  }

  /// The texts of a snapshot's tickers, which are the dictionary of all its streams. They are made when a stream first needs them.
  func texts(of symbols: [TickerSymbol], generation: UInt64) -> TickerTexts {
    if let known = state.withLock({ $0.known }), known.generation == generation { return known.texts }
    let texts = TickerTexts(symbols)
    state.withLock { $0.known = (generation, texts) }
    return texts
  }
}
