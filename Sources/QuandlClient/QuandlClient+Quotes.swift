import Quoin

extension QuandlClient: QuoteSource {
  /// A dataset's quotes, exactly as the service has them, including missing cells and volumes of more than 2^53 shares.
  ///
  /// - Parameters:
  ///   - code: a dataset with the columns of a quote, such as `WIKI/FDX`.
  ///   - firstDay: the first day; nil for the dataset's.
  ///   - lastDay: the last day, included; nil for the dataset's.
  /// - Returns: the rows, oldest first.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task.
  public func fetch(
    _ code: DatasetCode, from firstDay: TradingDay? = nil, to lastDay: TradingDay? = nil
  ) async throws(QuandlClientError) -> QuoteColumns {
    try await quotes(of: code, from: firstDay, to: lastDay).columns
  }

  /// A ticker's quotes in WIKI.
  @_disfavoredOverload
  public func fetch(
    _ ticker: TickerSymbol, from firstDay: TradingDay? = nil, to lastDay: TradingDay? = nil
  ) async throws(QuandlClientError) -> QuoteColumns {
    try await fetch(DatasetCode(ticker), from: firstDay, to: lastDay)
  }

  /// Downloads a dataset's quotes into a store: one answer, one commit, one record of an import with the request's address.
  /// An answer with any mistake, or without rows, doesn't change the store.
  ///
  /// If the service finds the dataset under a code that differs in `.`, `-` or `_`, the ticker is what the service calls it.
  ///
  /// - Parameters:
  ///   - code: a dataset whose code in its database is the ticker, such as `WIKI/FDX`.
  ///   - store: where the quotes go.
  ///   - firstDay: the first day; nil for the dataset's.
  ///   - lastDay: the last day, included; nil for the dataset's.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task, and `store` for what the store says. Unless its
  ///   `storeError` is `commitUnknown`, nothing has changed.
  @discardableResult
  public func save(
    _ code: DatasetCode, into store: QuoteStore, from firstDay: TradingDay? = nil, to lastDay: TradingDay? = nil,
    patience: Duration = .zero
  ) async throws(QuandlClientError) -> UpsertCounts {
    try await download(code, into: store, from: firstDay, to: lastDay, patience: patience).counts
  }

  /// Downloads a ticker's quotes in WIKI into a store.
  @_disfavoredOverload @discardableResult
  public func save(
    _ ticker: TickerSymbol, into store: QuoteStore, from firstDay: TradingDay? = nil, to lastDay: TradingDay? = nil,
    patience: Duration = .zero
  ) async throws(QuandlClientError) -> UpsertCounts {
    try await save(DatasetCode(ticker), into: store, from: firstDay, to: lastDay, patience: patience)
  }

  package func quotes(
    of code: DatasetCode, from firstDay: TradingDay?, to lastDay: TradingDay?
  ) async throws(QuandlClientError) -> QuoteAnswer {
    let query = TimeSeriesQuery(from: firstDay, to: lastDay, order: .ascending)
    let url = base.url("\(code.route)/data", query.items)
    let asked: TickerSymbol
    do { asked = try TickerSymbol(code.dataset) } catch { throw failure(.usage, error.description, url) }
    let document = try await document(Call(url))
    let ticker = try checkedTicker(of: document, asked)
    let text = try read(document, ticker: ticker)
    guard text.rows.keys.allSatisfy({ $0 == ticker }) else {
      throw failure(.malformed, "the answer has quotes of other tickers", url: document.url)
    }
    return QuoteAnswer(
      ticker: ticker, columns: text.rows[ticker] ?? QuoteColumns(), summary: text.summary, url: document.url)
  }

  /// What the service calls the dataset that was asked for. Refuses another dataset's answer, and one without a quote's
  /// columns, because all its cells would be missing.
  private func checkedTicker(of document: Document, _ asked: TickerSymbol) throws(QuandlClientError) -> TickerSymbol {
    let head = try head(of: document, asked)
    let names = head.names.compactMap { $0 }
    guard names.contains(where: { Attribute(named: $0) != nil }) else {
      throw failure(
        .malformed, "these aren't quotes; their columns are \(names.joined(separator: ", "))", url: document.url)
    }
    guard let code = head.code else { return asked }
    guard let ticker = try? TickerSymbol(code), ticker.isLike(asked) else {
      throw failure(
        .malformed, "the answer has quotes of '\(code.prefix(40))' in place of \(asked)", url: document.url)
    }
    return ticker
  }

  /// The head of an answer. If the answer is no JSON, the reader of quotes says where, which the decoder doesn't.
  private func head(of document: Document, _ asked: TickerSymbol) throws(QuandlClientError) -> DatasetHead {
    do { return try decoded(DatasetAnswer<DatasetHead>.self, document).data } catch {
      if error.kind == .malformed { _ = try read(document, ticker: asked) }
      throw error
    }
  }

  /// An answer's rows as quotes.
  func read(_ document: Document, ticker: TickerSymbol?) throws(QuandlClientError) -> TextQuotes {
    let options = ImportOptions(format: .json, ticker: ticker)
    do { return try TextQuotes(parsing: document.bytes, options: options, name: "the answer") } catch {
      throw failure(of: error, url: document.url)
    }
  }

  /// An answer's rows as quotes, ordered by ticker and day.
  func quotes(of document: Document, ticker: TickerSymbol?) throws(QuandlClientError) -> QuoteBatch {
    let options = ImportOptions(format: .json, ticker: ticker)
    do { return try QuoteBatch(parsing: document.bytes, options: options, name: "the answer") } catch {
      throw failure(of: error, url: document.url)
    }
  }

  /// The error for rows that the engine refuses.
  ///
  /// - Parameter name: the engine's name for the answer.
  func failure(of error: ImportError, url: String, naming name: String = "the answer") -> QuandlClientError {
    let message: String
    switch error {
    case .vendorError(_, let code, let message):
      return failure(.service, message, code: code.isEmpty ? nil : code, url: url)
    case .rejected(let rows): message = "bad rows, \(rows.count) of them:\n\(rows)"
    case .foreign(_, let kind): message = "the answer is \(kind), not quotes"
    default: message = "\(error)"
    }
    return failure(.malformed, message.replacing(name, with: "the answer"), url: url)
  }
}

extension QuoteStore {
  /// Stores rows in one commit. What the store throws becomes the client's error.
  func save(
    _ rows: [TickerSymbol: QuoteColumns], source: String, _ patience: Duration
  ) async throws(QuandlClientError) -> UpsertCounts {
    do { return try await upsert(rows, source: source, patience: patience) } catch {
      throw QuandlClientError(error)
    }
  }
}

/// What an answer says of its rows.
private struct DatasetHead: Decodable {
  let names: [String?]
  /// The service's code for the dataset, if it says it.
  let code: String?

  private enum CodingKeys: String, CodingKey {
    case names = "column_names"
    case code = "dataset_code"
  }
}
