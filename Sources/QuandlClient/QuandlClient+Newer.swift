import Quoin

extension QuandlClient {
  /// The queries for the rows that the service has and a store lacks: the days after the store's last day of each ticker.
  ///
  /// - Returns: nil if it is simpler to ask for everything, because the store has none of the service's tickers or the service
  ///   has no list of them.
  func newerQueries(
    _ whole: DatatableQuery, than store: QuoteStore, upTo lastDay: TradingDay?
  ) async throws(QuandlClientError) -> [DatatableQuery]? {
    var known: [TickerSymbol: TradingDay] = [:]
    do {
      for summary in try await store.tickerSummaries() { known[summary.ticker] = summary.lastDay }
    } catch { throw QuandlClientError(error) }
    guard !known.isEmpty, let newest = try await newestDays(of: whole.table.database),
      newest.keys.contains(where: { known[$0] != nil })
    else { return nil }
    var lacking: [TradingDay?: [TickerSymbol]] = [:]
    for (ticker, day) in newest {
      let last = known[ticker]
      guard last.map({ $0 < min(day, lastDay ?? day) }) ?? true else { continue }
      lacking[last, default: []].append(ticker)
    }
    return lacking.sorted { ($0.key ?? .earliest) < ($1.key ?? .earliest) }.flatMap { last, tickers in
      Self.queries(whole, tickers.sorted(), after: last)
    }
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

  /// Queries for tickers with the same last day, with so few tickers each that they fit in an address.
  private static func queries(
    _ whole: DatatableQuery, _ tickers: [TickerSymbol], after last: TradingDay?
  ) -> [DatatableQuery] {
    stride(from: 0, to: tickers.count, by: 100).map { start in
      let part = tickers[start..<min(start + 100, tickers.count)]
      let query = whole.filtered("ticker", in: part.map(\.description))
      return last.map { query.filtered("date", .greater, "\($0)") } ?? query
    }
  }
}
