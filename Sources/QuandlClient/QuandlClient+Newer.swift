import Quoin

/// The questions for what a store lacks of a table.
struct NewerRows: Sendable {
  /// The table, up to the last day that is wanted.
  let whole: DatatableQuery
  /// The rows from the store's last day of each ticker on.
  let queries: [DatatableQuery]
  /// These last days' rows.
  let ends: [TickerSymbol: StoredEnd]

  var tickerCount: Int { queries.reduce(0) { $0 + $1.tickerCount } }
}

extension QuandlClient {
  /// The queries for the rows that the service has and a store lacks: the days after the store's last day of each ticker, and
  /// this day once more. If the service has no later day of a ticker, its last row is asked for only if it is of the service's
  /// newest day: that day may not have been over.
  ///
  /// - Returns: nil if it is simpler to ask for everything, because the store has none of the service's tickers or the service
  ///   has no list of them.
  func newerRows(
    _ whole: DatatableQuery, than store: QuoteStore, upTo lastDay: TradingDay?
  ) async throws(QuandlClientError) -> NewerRows? {
    let known = try await Self.lastDays(of: store)
    guard !known.isEmpty, let newest = try await newestDays(of: whole.table.database),
      newest.keys.contains(where: { known[$0] != nil })
    else { return nil }
    let wanted = Self.wanted(newest, known, upTo: lastDay)
    let queries = wanted.sorted { ($0.key ?? .earliest) < ($1.key ?? .earliest) }.flatMap { last, tickers in
      (last.map { whole.filtered("date", .atLeast, "\($0)") } ?? whole).divided(among: tickers.sorted())
    }
    let ends = try await store.ends(of: wanted.values.joined().filter { known[$0] != nil })
    return NewerRows(whole: whole, queries: queries, ends: ends)
  }

  private static func lastDays(of store: QuoteStore) async throws(QuandlClientError) -> [TickerSymbol: TradingDay] {
    do {
      return Dictionary(uniqueKeysWithValues: try await store.tickerSummaries().map { ($0.ticker, $0.lastDay) })
    } catch { throw QuandlClientError(error) }
  }

  /// The tickers to ask for, by the store's last day of them.
  private static func wanted(
    _ newest: [TickerSymbol: TradingDay], _ known: [TickerSymbol: TradingDay], upTo lastDay: TradingDay?
  ) -> [TradingDay?: [TickerSymbol]] {
    let end = newest.values.max() ?? .latest
    var wanted: [TradingDay?: [TickerSymbol]] = [:]
    for (ticker, day) in newest {
      let last = known[ticker]
      if let last, last >= lastDay ?? .latest || last > day || (last == day && day < end) { continue }
      wanted[last, default: []].append(ticker)
    }
    return wanted
  }

  /// The newest day of each ticker that has one; nil if the service doesn't tell.
  private func newestDays(of database: String) async throws(QuandlClientError) -> [TickerSymbol: TradingDay]? {
    let datasets: [DatasetMetadata]
    do { datasets = try await self.datasets(of: database) } catch {
      guard !error.isTransient, error.kind == .service || error.kind == .malformed else { throw error }
      return nil
    }
    var result: [TickerSymbol: TradingDay] = [:]
    for dataset in datasets {
      guard let day = dataset.newestAvailableDate else { continue }
      do { result[try TickerSymbol(dataset.datasetCode)] = day } catch {
        throw failure(.malformed, "the service lists an invalid ticker: \(error)", url: base.url("datasets").shown)
      }
    }
    return result
  }
}

extension DatatableQuery {
  /// The same query for these tickers alone, with so few of them each that they fit in an address.
  func divided(among tickers: [TickerSymbol]) -> [DatatableQuery] {
    stride(from: 0, to: tickers.count, by: 100).map { start in
      filtered("ticker", in: tickers[start..<min(start + 100, tickers.count)].map(\.description))
    }
  }
}
