@_exported import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The calls of the Core Data tutorial that many programs for Quandl's quotes follow, answered by a Quoin store.
///
///     let dataFetcher = DataFetcher()
///     if let summaries = dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx) { show(summaries) }
///
/// As in the tutorial, a call that fails returns nil, and `lastError` says why. Quotes come by date, oldest first. It isn't an
/// error to ask for a ticker that the store doesn't have. New programs should use `QuoteStore` itself.
public final class DataFetcher {
  /// The error of the last call, usually a `StoreError`; nil if it succeeded.
  public private(set) var lastError: (any Error)?

  private let openStore: () throws -> QuoteStore

  /// A fetcher from this store. It sees the store's snapshot.
  public init(store: QuoteStore) {
    openStore = { store }
  }

  /// A fetcher from the store in this directory. Each call sees the newest generation.
  public init(withModelName directory: String) {
    openStore = { try QuoteStore(at: directory, mustExist: true) }
  }

  /// A fetcher from the default store of the command line: the environment's `QUOIN_STORE`, else `./quoin-store`.
  public convenience init() {
    let path = ProcessInfo.processInfo.environment["QUOIN_STORE"] ?? ""
    self.init(withModelName: path.isEmpty ? "./quoin-store" : path)
  }

  /// All quotes of a ticker.
  public func fetchAllDailyQuoteSummaryData(forTicker tickerSymbol: TickerSymbol) -> [DailyQuoteSummary]? {
    answer { try $0.quotes(for: tickerSymbol).fetch() }
  }

  /// All quotes of all tickers, ticker by ticker.
  public func fetchAllDailyQuoteSummaryData() -> [DailyQuoteSummary]? {
    answer { try $0.allQuotes.fetch() }
  }

  func answer(_ question: (QuoteStore) throws -> [DailyQuoteSummary]) -> [DailyQuoteSummary]? {
    do {
      let quotes = try question(openStore())
      lastError = nil
      return quotes
    } catch {
      lastError = error
      return nil
    }
  }
}

extension TickerSymbol {
  // The tutorial's spelling.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// FedEx Corporation.
  public static var Fedex_Corp: TickerSymbol { .fedEx }
}
