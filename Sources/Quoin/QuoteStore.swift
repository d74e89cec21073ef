import Synchronization

/// A store of daily quotes in a directory.
///
/// A `QuoteStore` shows a snapshot of the store. Its answers don't change until it writes or `refresh` is called, whatever
/// other threads or processes commit meanwhile. Any number of readers may read while one writer writes. Two writers exclude
/// each other, between processes too.
///
///     let store = try QuoteStore(at: "quoin-store")
///     let hits = try store.quotes(for: .fedEx).where(.high, above: 80, below: 83).fetch()
///
/// | to read | ask for |
/// | --- | --- |
/// | quotes | `quotes(for:)`, `allQuotes`: a `QuoteQuery` |
/// | what there is | `tickers`, `summary`, `tickerSummaries(of:)`, `importRecords(of:)`, `encodingSummaries()` |
/// | what other processes have committed | `refresh()`, `generation` |
/// | whether all bytes are sound | `verify(progress:)` |
///
/// What opens a store or reads its files blocks the calling thread. In async functions the forms of the same names, called
/// with `await`, work on threads of Quoin's own. In a cancelled task they stop soon and throw `StoreError.cancelled`.
public final class QuoteStore: Sendable {
  /// The store's directory.
  public let path: String
  let fileSystem: any FileSystem
  let encodings: EncodingChoice?
  /// Whether this is a view of a kept snapshot, which never shows another and doesn't write.
  let isPinned: Bool
  /// What a question to this object may take, and what questions to it take from together, if they do.
  private let limits: QuestionLimits
  private let budget: QuestionBudget?
  /// What gives up the questions to this object, if something does.
  private let cancellation: Cancellation?
  private let state: Mutex<State>

  private struct State {
    var snapshot: Snapshot
    /// Set after a failed sync. It is unknown what the disk holds, so this object refuses to write.
    var isStopped = false
  }

  /// Opens the store in a directory. If there is none, the store is empty, and the first write creates it. Blocks the calling
  /// thread.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - mustExist: whether it is an error if there is no store yet.
  /// - Throws: `StoreError`.
  public convenience init(at path: String, mustExist: Bool = false) throws(StoreError) {
    try self.init(at: path, mustExist: mustExist, in: SystemFiles())
  }

  /// A store that writes only some encodings, for measurements.
  package convenience init(at path: String, encodings: EncodingChoice) throws(StoreError) {
    try self.init(at: path, in: SystemFiles(), encodings: encodings)
  }

  convenience init(
    at path: String, mustExist: Bool = false, in fileSystem: any FileSystem, encodings: EncodingChoice? = nil
  ) throws(StoreError) {
    let snapshot = try Self.newestSnapshot(at: path, mustExist: mustExist, fileSystem)
    self.init(at: path, showing: snapshot, in: fileSystem, encodings: encodings)
  }

  init(
    at path: String, showing snapshot: Snapshot, in fileSystem: any FileSystem, encodings: EncodingChoice? = nil,
    isPinned: Bool = false
  ) {
    self.path = path
    self.fileSystem = fileSystem
    self.encodings = encodings
    self.isPinned = isPinned
    (limits, budget, cancellation) = (.standard, nil, nil)
    state = Mutex(State(snapshot: snapshot))
  }

  static func newestSnapshot(
    at path: String, mustExist: Bool, _ fileSystem: any FileSystem
  ) throws(StoreError) -> Snapshot {
    let snapshot = try Snapshot.newest(in: path, fileSystem)
    if mustExist, snapshot?.manifest.generation ?? 0 == 0 { throw .noStore(path: path) }
    return snapshot ?? Snapshot()
  }

  /// A second view of the same store that keeps the present snapshot when this one is refreshed, so that several queries see
  /// the same snapshot. Complexity: O(1).
  package var frozen: QuoteStore { QuoteStore(showing: snapshot, of: self) }

  /// A second view of the same store, each question to which is given up when it takes more than this. Complexity: O(1).
  ///
  ///     let store = try QuoteStore(at: "quoin-store").within(QuestionLimits(seconds: 10, megabytes: 256))
  public func within(_ limits: QuestionLimits) -> QuoteStore {
    QuoteStore(showing: snapshot, of: self, isPinned: isPinned, within: limits)
  }

  /// A second view of the same snapshot, whose questions take from one budget together. Complexity: O(1).
  package func taking(from budget: QuestionBudget) -> QuoteStore {
    QuoteStore(showing: snapshot, of: self, isPinned: isPinned, takingFrom: budget)
  }

  /// A second view of the same snapshot, whose questions throw `StoreError.cancelled` soon after `cancellation` is set.
  /// Complexity: O(1).
  package func stopped(by cancellation: Cancellation) -> QuoteStore {
    QuoteStore(showing: snapshot, of: self, isPinned: isPinned, stoppedBy: cancellation)
  }

  init(
    showing snapshot: Snapshot, of store: QuoteStore, isPinned: Bool = false, within limits: QuestionLimits? = nil,
    takingFrom budget: QuestionBudget? = nil, stoppedBy cancellation: Cancellation? = nil
  ) {
    self.isPinned = isPinned
    self.limits = limits ?? store.limits
    self.budget = budget ?? store.budget
    self.cancellation = cancellation ?? store.cancellation
    path = store.path
    fileSystem = store.fileSystem
    encodings = store.encodings
    state = Mutex(State(snapshot: snapshot))
  }

  var snapshot: Snapshot { state.withLock { $0.snapshot } }

  /// The number of commits up to the snapshot; 0 for a new store.
  public var generation: UInt64 { snapshot.manifest.generation }

  /// When the snapshot was committed.
  package var committedAt: CommitTime { snapshot.manifest.committedAt }

  /// Shows the newest generation from now on. Returns whether it is newer than the one before. Blocks the calling thread.
  ///
  /// - Throws: `StoreError`.
  @discardableResult
  public func refresh() throws(StoreError) -> Bool {
    guard !isPinned else { return false }
    let newest = try Snapshot.newest(in: path, fileSystem, knowing: snapshot) ?? Snapshot()
    return state.withLock { state in
      // Another thread may show a newer one already.
      guard newest.manifest.generation > state.snapshot.manifest.generation else { return false }
      state.snapshot = newest
      return true
    }
  }

  /// A query over the quotes of some tickers. Tickers that the store doesn't have contribute nothing.
  public func quotes(for tickers: TickerSymbol...) -> QuoteQuery { quotes(for: tickers) }

  /// A query over the quotes of some tickers. Tickers that the store doesn't have contribute nothing.
  public func quotes(for tickers: [TickerSymbol]) -> QuoteQuery { query(tickers) }

  /// A query over the whole market.
  public var allQuotes: QuoteQuery { query(nil) }

  private func query(_ tickers: [TickerSymbol]?) -> QuoteQuery {
    var query = QuoteQuery(snapshot, tickers: tickers).within(limits)
    if let cancellation { query = query.stopped(by: cancellation) }
    return budget.map { query.taking(from: $0) } ?? query
  }

  /// The budget of a question that isn't a query.
  func budget(stoppedBy cancellation: Cancellation? = nil) -> QuestionBudget {
    budget ?? QuestionBudget(limits, stoppedBy: cancellation ?? self.cancellation ?? Cancellation())
  }

  /// Shows a newer generation from now on.
  func show(_ snapshot: Snapshot) {
    state.withLock { state in
      if snapshot.manifest.generation > state.snapshot.manifest.generation { state.snapshot = snapshot }
    }
  }

  /// Whether this object refuses to write, because a sync failed.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// After a failed sync this object writes no more.
  func note(_ error: StoreError) {
    if error.isFailedSync { state.withLock { $0.isStopped = true } }
  }
}
