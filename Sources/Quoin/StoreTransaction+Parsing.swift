extension StoreTransaction {
  /// Stores the quotes of a text in memory: Quandl JSON, CSV or NDJSON, recognized as a file is.
  ///
  ///     let (data, _) = try await URLSession.shared.data(from: address)
  ///     try store.upsert(parsing: data)
  ///
  /// - Parameters:
  ///   - bytes: the text, not packed: `Data`, `[UInt8]`, or the `utf8` of a `String`.
  ///   - options: how to read it. Without a `source`, the records of imports say `Swift`.
  ///   - name: the name of the text in errors.
  /// - Throws: `ImportError`. If the text is refused, it changes nothing.
  @discardableResult
  public func upsert(
    parsing bytes: some Sequence<UInt8>, options: ImportOptions = ImportOptions(), name: String = "the text"
  ) throws(ImportError) -> ImportSummary {
    try upsert(ParsedText(bytes, options, name: name))
  }

  /// Stores the quotes of a Quandl document that `JSONSerialization` has read: `dataset_data`, `dataset` or `datatable`.
  ///
  /// - Parameters:
  ///   - document: strings, numbers, arrays, dictionaries and nulls, as `NSNumber`, `NSNull` and the like, or as Swift's own.
  ///   - options: how to read it. Without a `source`, the records of imports say `Swift`.
  ///   - name: the name of the document in errors.
  /// - Throws: `ImportError`. If the document is refused, it changes nothing. `unknownShape` has the path of what is wrong.
  @discardableResult
  public func upsert(
    parsing document: [String: Any], options: ImportOptions = ImportOptions(), name: String = "the document"
  ) throws(ImportError) -> ImportSummary {
    try upsert(ParsedText(document, options, name: name))
  }

  func upsert(_ text: ParsedText) throws(ImportError) -> ImportSummary {
    var summary = text.summary
    do throws(StoreError) {
      if let packing = text.packing { try setPacking(packing) }
      for part in text.parts {
        summary.counts += try upsert(
          part.columns, of: part.ticker, text.source, text.mode, present: part.attributes)
      }
    } catch { throw .store(error) }
    summary.files[0].counts = summary.counts
    return summary
  }
}
