extension QuoteStore {
  /// Several stores as one, which has the tickers of all: for a market that is kept in parts, such as one for each exchange.
  ///
  ///     let market = try QuoteStore(joining: [try QuoteStore(at: "nyse"), try QuoteStore(at: "nasdaq")])
  ///
  /// It shows what the stores show now, never changes, and refuses to write. Complexity: O(tickers).
  ///
  /// - Parameter stores: the stores, at least one.
  /// - Throws: `StoreError`: `tickerTwice` if a ticker is in two of them.
  public convenience init(joining stores: [QuoteStore]) throws(StoreError) {
    var snapshot: Snapshot
    do throws(Snapshot.RepeatedTicker) { snapshot = try Snapshot.joining(stores.map(\.snapshot)).get() } catch {
      throw .tickerTwice(error.symbol, path: stores[error.parts.0].path, otherPath: stores[error.parts.1].path)
    }
    let shards = stores.flatMap { $0.shards.isEmpty ? [StoreShard($0)] : $0.shards }
    snapshot = Snapshot(
      manifest: snapshot.manifest, files: snapshot.files, barsOf: snapshot.barPeriod, shards: shards)
    let path = stores.map(\.path).joined(separator: ", ")
    self.init(at: path, showing: snapshot, in: stores.first?.fileSystem ?? SystemFiles(), isPinned: true)
  }
}
