import Quoin

/// A client of a vendor of daily quotes: Tiingo, Alpha Vantage, EODHD, Stooq, Nasdaq Data Link, or any that a `VendorService`
/// describes.
///
/// It repeats requests, ends and checks answers as `QuandlClient` does.
///
///     let client = try VendorClient(.tiingo)
///     try await client.save("AAPL", into: store)
public final class VendorClient: Sendable {
  /// The vendor.
  public let service: VendorService
  /// Where it is: `https://api.tiingo.com`.
  public var baseURL: String { client.baseURL }

  let client: QuandlClient

  /// - Parameters:
  ///   - service: the vendor.
  ///   - apiKey: the key by which the vendor knows its user; by default the one in the environment. It is sent to the vendor's
  ///     own address and nowhere else, and shown nowhere.
  ///   - baseURL: scheme and host of another address that answers like the vendor's; nil for the vendor's.
  ///   - configuration: limits, deadlines and retries.
  /// - Throws: `QuandlClientError` if the key is missing, or the key or the address isn't valid.
  public convenience init(
    _ service: VendorService, apiKey: String? = nil, baseURL: String? = nil,
    configuration: QuandlClient.Configuration = QuandlClient.Configuration()
  ) throws(QuandlClientError) {
    try self.init(service, apiKey, baseURL, configuration, .system)
  }

  init(
    _ service: VendorService, _ apiKey: String?, _ baseURL: String?, _ configuration: QuandlClient.Configuration,
    _ timing: Timing
  ) throws(QuandlClientError) {
    self.service = service
    let key = apiKey ?? service.environmentKey
    if service.form == .csv, service.key != nil, key ?? "" == "" {
      throw QuandlClientError(.usage, "\(service.title) wants a key; set \(service.keyVariable ?? "one")")
    }
    let address = baseURL ?? (service == .nasdaqDataLink ? QuandlClient.defaultBaseURL : service.origin)
    client = try QuandlClient(
      service, apiKey: key, baseURL: address, configuration: configuration, timing: timing)
  }

  /// Whether the API key can be read on its way, because it goes to another machine without TLS.
  package var sendsKeyUnencrypted: Bool { client.sendsKeyUnencrypted }
}

extension VendorClient {
  /// A ticker's quotes, exactly as the vendor has them.
  ///
  /// - Parameters:
  ///   - ticker: the stock. The vendor's own spelling follows from it.
  ///   - firstDay: the first day; nil for the vendor's.
  ///   - lastDay: the last day, included; nil for the vendor's.
  /// - Returns: the rows, oldest first.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task.
  public func fetch(
    _ ticker: TickerSymbol, from firstDay: TradingDay? = nil, to lastDay: TradingDay? = nil
  ) async throws(QuandlClientError) -> QuoteColumns {
    try await quotes(of: DatasetCode(ticker), from: firstDay, to: lastDay).columns
  }

  /// Downloads what a store lacks of a ticker: one answer, one commit, one record of an import with the request's address. The
  /// store's last day is asked for once more. If the vendor has other values there, or a later split or dividend that its adjusted
  /// columns follow, all days of the ticker are downloaded anew.
  ///
  /// - Parameters:
  ///   - ticker: the stock.
  ///   - store: where the quotes go.
  ///   - lastDay: the last day, included; nil for the vendor's.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `QuandlClientError`, with the kind `cancelled` in a cancelled task, and `store` for what the store says. Unless its
  ///   `storeError` is `commitUnknown`, nothing has changed.
  @discardableResult
  public func save(
    _ ticker: TickerSymbol, into store: QuoteStore, to lastDay: TradingDay? = nil, patience: Duration = .zero
  ) async throws(QuandlClientError) -> UpsertCounts {
    try await update(DatasetCode(ticker), as: ticker, in: store, to: lastDay, patience: patience).counts
  }
}

extension VendorClient: QuoteSource {
  package func redacted(_ text: String) -> String { client.redacted(text) }

  package func quotes(
    of code: DatasetCode, from firstDay: TradingDay?, to lastDay: TradingDay?
  ) async throws(QuandlClientError) -> QuoteAnswer {
    guard service.form == .csv else { return try await client.quotes(of: code, from: firstDay, to: lastDay) }
    let isCompact = firstDay.map(reachesBack) ?? false
    let answer = try await answer(code, firstDay, lastDay, isCompact)
    // The newest rows that were asked for may begin later.
    guard isCompact, let firstDay, let first = answer.columns.days.first, first > firstDay else {
      return answer.between(firstDay, lastDay)
    }
    return try await self.answer(code, firstDay, lastDay, false).between(firstDay, lastDay)
  }

  /// Whether the newest rows probably reach back to a day: about 21 of 30 days have a row.
  private func reachesBack(_ day: TradingDay) -> Bool {
    service.compactRowCount.map { Int(day.daysSince1970) > today - $0 * 4 / 3 } ?? false
  }

  private var today: Int { Int(client.timing.secondsSince1970() / 86_400) }

  private func answer(
    _ code: DatasetCode, _ firstDay: TradingDay?, _ lastDay: TradingDay?, _ isCompact: Bool
  ) async throws(QuandlClientError) -> QuoteAnswer {
    let ticker: TickerSymbol
    do { ticker = try TickerSymbol(code.dataset) } catch {
      throw client.failure(.usage, error.description, url: baseURL)
    }
    let document = try await client.document(Call(url(ticker, firstDay, lastDay, isCompact)))
    switch VendorAnswer(document.bytes, of: service) {
    case .noRows: return QuoteAnswer(ticker: ticker, columns: QuoteColumns(), summary: nil, url: document.url)
    case .refusal(let words): throw client.refusal(words, of: document)
    case .rows: return try rows(of: document, ticker)
    }
  }

  private func rows(of document: Document, _ ticker: TickerSymbol) throws(QuandlClientError) -> QuoteAnswer {
    let options = ImportOptions(format: .csv, ticker: ticker, threads: 1)
    do {
      let text = try TextQuotes(parsing: document.bytes, options: options, name: "the answer")
      return QuoteAnswer(
        ticker: ticker, columns: text.rows[ticker] ?? QuoteColumns(), summary: text.summary, url: document.url)
    } catch { throw client.failure(of: error, url: document.url) }
  }

  private func url(
    _ ticker: TickerSymbol, _ firstDay: TradingDay?, _ lastDay: TradingDay?, _ isCompact: Bool
  ) -> ServiceURL {
    let first = firstDay ?? service.firstDay
    // Tomorrow, because somewhere it is tomorrow already.
    let last = lastDay ?? (first != nil && service.wantsLastDay ? TradingDay(daysSince1970: today + 1) : nil)
    var values = ["ticker": service.symbol(ticker), "size": isCompact ? "compact" : "full"]
    values["from"] = first.map(service.text)
    values["to"] = last.map(service.text)
    let (path, query) = service.route(values)
    return client.base.url(path, query)
  }
}

extension QuoteAnswer {
  /// The rows of these days alone; a vendor may give more.
  fileprivate func between(_ firstDay: TradingDay?, _ lastDay: TradingDay?) -> QuoteAnswer {
    let (first, last) = (firstDay ?? .earliest, lastDay ?? .latest)
    let days = columns.days
    let start = days.firstIndex { $0 >= first } ?? days.count
    var answer = self
    answer.columns = columns.sliced(start..<max(start, days.firstIndex { $0 > last } ?? days.count))
    return answer
  }
}
