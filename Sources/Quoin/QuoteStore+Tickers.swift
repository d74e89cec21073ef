// The verbs that change whole tickers, each in both forms.

extension QuoteStore {
  /// Gives a ticker another name, in one commit. Its quotes stay as they are, bit for bit, and the records of its imports
  /// follow, with the number of this commit.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - old: the ticker.
  ///   - new: its new name, of which there must be no quotes.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: `noQuotes` if `old` has no quotes, `tickerTaken` if `new` has some. Unless it is `commitUnknown`,
  ///   nothing has changed.
  public func rename(
    _ old: TickerSymbol, to new: TickerSymbol, patience: Duration = .zero
  ) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      try handle.rename(old, to: new)
    }
  }

  /// Gives a ticker another name, in one commit. Its quotes stay as they are, bit for bit, and the records of its imports
  /// follow, with the number of this commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - old: the ticker.
  ///   - new: its new name, of which there must be no quotes.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: `noQuotes` if `old` has no quotes, `tickerTaken` if `new` has some. Unless it is `commitUnknown`,
  ///   nothing has changed.
  public func rename(
    _ old: TickerSymbol, to new: TickerSymbol, patience: Duration = .zero
  ) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      try handle.rename(old, to: new)
    }
  }
}
