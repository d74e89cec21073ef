/// What a commit changed in a store.
public struct StoreChange: Hashable, Sendable {
  /// The number of the commit.
  public let generation: UInt64
  /// The first commit that the change covers. It is `generation`, unless the program fell so far behind that the store no longer
  /// tells what each commit did: then this is one change for all of them, and may name more tickers and days than have changed.
  public let firstGeneration: UInt64
  /// The tickers of which quotes came, changed or went, ascending. None if the commit only rewrote files.
  public let tickers: [TickerSymbol]
  /// By the index in `tickers`.
  private let ranges: [ClosedRange<TradingDay>]

  /// The days between which quotes of a ticker changed; nil if none did. Complexity: O(log tickers).
  public func days(of ticker: TickerSymbol) -> ClosedRange<TradingDay>? {
    tickers.sortedIndex(of: ticker) { $0 }.map { ranges[$0] }
  }

  init(_ commit: LoggedCommit) {
    (generation, firstGeneration) = (commit.generation, commit.generation)
    (tickers, ranges) = (commit.tickers.map(\.ticker), commit.tickers.map(\.days))
  }

  /// All that has changed between two generations, as far as their manifests show it.
  init(from old: Manifest, to new: Manifest) {
    (generation, firstGeneration) = (new.generation, old.generation + 1)
    let changes = new.changes(since: old)
    (tickers, ranges) = (changes.map(\.ticker), changes.map(\.days))
  }
}

extension QuoteStore {
  /// The commits after the generation that this object shows now, of this process and of others, as they come. Each comes once,
  /// in order, within 200 ms; a program that follows slowly gets them later.
  ///
  ///     for try await change in store.changes {
  ///       try await store.refresh()
  ///       for ticker in change.tickers { show(ticker, change.days(of: ticker)) }
  ///     }
  ///
  /// The sequence ends when its task is cancelled. It throws `StoreError` if the store is gone or damaged. While nothing is
  /// committed it uses no processor time, and it looks at the disk at most ten times a second. At the shards of a sharded store it looks
  /// so often even then, and what several commits did between two looks is one change.
  public var changes: StoreChanges { StoreChanges(self) }
}

/// The commits of a store, as they come: see `QuoteStore.changes`.
public struct StoreChanges: AsyncSequence, Sendable {
  private let path: String
  private let fileSystem: any FileSystem
  private let start: Snapshot

  fileprivate init(_ store: QuoteStore) {
    (path, fileSystem, start) = (store.path, store.fileSystem, store.snapshot)
  }

  /// The commits from the beginning of the sequence on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path, fileSystem, start) }

  /// The position in the sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// No more than ten looks a second.
    private static let pace = Duration.milliseconds(100)

    private let path: String
    private let fileSystem: any FileSystem
    /// What a sharded store showed last, nil for an ordinary one. Its commits happen in other directories, which are looked at ten
    /// times a second, and nothing tells what each did.
    private var shards: Snapshot?
    /// The newest manifest seen.
    private var manifest: Manifest
    private var pending: ArraySlice<StoreChange> = []
    private var watch: DirectoryWatch?
    private var nextLook = ContinuousClock.now
    private var hasEnded = false

    fileprivate init(_ path: String, _ fileSystem: any FileSystem, _ start: Snapshot) {
      (self.path, self.fileSystem, manifest) = (path, fileSystem, start.manifest)
      shards = start.shards.isEmpty ? nil : start
    }

    /// The next commit, when it comes; nil after the task was cancelled, or after an error.
    ///
    /// - Throws: `StoreError` if the store is gone or damaged.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(StoreError) -> StoreChange? {
      while !hasEnded {
        if let change = pending.popFirst() { return change }
        // Before the look, so that no commit comes between them unseen.
        if watch == nil, shards == nil { watch = fileSystem.watch(path) }
        do { try await look() } catch {
          hasEnded = true
          if Task.isCancelled { return nil }
          throw error
        }
        if !pending.isEmpty { continue }
        if let watch { await watch.wait() }
        hasEnded = Task.isCancelled
      }
      return nil
    }

    /// Reads what was committed since the last look.
    private mutating func look(isolation actor: isolated (any Actor)? = #isolation) async throws(StoreError) {
      try? await Task.sleep(until: nextLook)
      nextLook = .now + Self.pace
      let (path, fileSystem, shards, generation) = (path, fileSystem, shards, manifest.generation)
      guard let shards else {
        let newest = try await onBlockingThread(whenCancelled: StoreError.cancelled) { _ throws(StoreError) in
          try Snapshot.manifest(in: path, fileSystem, otherThan: generation)
        }
        guard let newest else { return }
        pending = try changes(to: newest)[...]
        manifest = newest
        return
      }
      let newest = try await onBlockingThread(whenCancelled: StoreError.cancelled) { _ throws(StoreError) in
        guard let newest = try Snapshot.newest(in: path, fileSystem, knowing: shards) else {
          throw .noStore(path: path)
        }
        return newest
      }
      if newest.manifest.generation == generation { return }
      pending = [StoreChange(from: manifest, to: newest.manifest)]
      (self.shards, manifest) = (newest, newest.manifest)
    }

    private func changes(to newest: Manifest) throws(StoreError) -> [StoreChange] {
      guard newest.generation > manifest.generation else { throw .noStore(path: path) }
      let commits = try StoreFormat.reading(path + "/" + StoreFiles.manifest) { () throws(Damage) in
        try newest.log.commits(after: manifest.generation)
      }
      guard commits.first?.generation == manifest.generation + 1 else {
        return [StoreChange(from: manifest, to: newest)]
      }
      return commits.map(StoreChange.init)
    }
  }
}
