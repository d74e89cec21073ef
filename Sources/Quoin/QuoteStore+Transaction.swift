extension QuoteStore {
  /// Makes several changes in one commit.
  ///
  ///     try store.write { transaction in
  ///       try transaction.delete("OLD")
  ///       try transaction.upsert(quotes)
  ///     }
  ///
  /// Blocks the calling thread. A write to the same store inside `body` is refused as `locked`.
  ///
  /// - Parameters:
  ///   - patience: how long to wait while another writer is at work.
  ///   - body: makes the changes. If it throws, nothing has changed.
  /// - Returns: what `body` returns, once the changes are durable.
  /// - Throws: the error of `body`, or `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func write<Value>(
    patience: Duration = .zero, _ body: (borrowing StoreTransaction) throws -> Value
  ) throws -> Value {
    try commit(patience: patience, failingWith: StoreError.erased) { transaction in
      try body(StoreTransaction(transaction))
    }
  }

  /// Makes several changes in one commit.
  ///
  /// No thread of Swift's tasks waits for it: `body` runs on a thread of Quoin's own. When the task is cancelled before the
  /// commit, it throws `StoreError.cancelled`, and nothing has changed.
  ///
  /// - Parameters:
  ///   - patience: how long to wait while another writer is at work.
  ///   - body: makes the changes. If it throws, nothing has changed.
  /// - Returns: what `body` returns, once the changes are durable.
  /// - Throws: the error of `body`, or `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func write<Value: Sendable>(
    patience: Duration = .zero, _ body: @escaping @Sendable (borrowing StoreTransaction) throws -> Value
  ) async throws -> Value {
    try await commit(patience: patience, failingWith: StoreError.erased) { transaction in
      try body(StoreTransaction(transaction))
    }
  }

  /// Stores the quotes of a text in memory in one commit: Quandl JSON, CSV or NDJSON, recognized as a file is.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - bytes: the text, not packed: `Data`, `[UInt8]`, or the `utf8` of a `String`.
  ///   - options: how to read it. Without a `source`, the records of imports say `Swift`.
  ///   - name: the name of the text in errors.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `ImportError`. Unless it is a store's `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    parsing bytes: some Sequence<UInt8>, options: ImportOptions = ImportOptions(), name: String = "the text",
    patience: Duration = .zero
  ) throws(ImportError) -> ImportSummary {
    try upsert(ParsedText(bytes, options, name: name), options, patience)
  }

  /// Stores the quotes of a Quandl document that `JSONSerialization` has read: `dataset_data`, `dataset` or `datatable`.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - document: strings, numbers, arrays, dictionaries and nulls, as `NSNumber`, `NSNull` and the like, or as Swift's own.
  ///   - options: how to read it. Without a `source`, the records of imports say `Swift`.
  ///   - name: the name of the document in errors.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `ImportError`; `unknownShape` has the path of what is wrong. Unless it is a store's `commitUnknown`, nothing
  ///   has changed.
  @discardableResult
  public func upsert(
    parsing document: [String: Any], options: ImportOptions = ImportOptions(), name: String = "the document",
    patience: Duration = .zero
  ) throws(ImportError) -> ImportSummary {
    try upsert(ParsedText(document, options, name: name), options, patience)
  }

  private func upsert(
    _ text: ParsedText, _ options: ImportOptions, _ patience: Duration
  ) throws(ImportError) -> ImportSummary {
    let crew = Crew(threadCount: options.threads)
    return try commit(patience: patience, crew: crew, failingWith: ImportError.store) {
      (transaction) throws(ImportError) in try StoreTransaction(transaction).upsert(text)
    }
  }
}
