@_exported import Quoin

/// The calls of the Core Data tutorials that many programs for Quandl's quotes follow, answered by a Quoin store.
///
///     let dataFetcher = DataFetcher()
///     if let summaries = dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx) { show(summaries) }
///
/// As in the tutorials, a call that fails returns nil, and `lastError` says why. Quotes come by date, oldest first. It isn't an
/// error to ask for a ticker that the store doesn't have. New programs should use `QuoteStore` itself.
///
/// A subclass adds questions of its own with `answer(_:)`. A fetcher belongs to one thread at a time.
open class DataFetcher {
  /// The error of the last call, usually a `StoreError`; nil if it succeeded.
  public private(set) var lastError: (any Error)?
  /// The store by its name, and what isn't saved in it yet.
  public let coreDataStack: CoreDataStack

  /// A fetcher from this stack's store.
  public init(withCoreDataStack stack: CoreDataStack) { coreDataStack = stack }

  /// A fetcher from this store. It sees the store's snapshot.
  public init(store: QuoteStore) { coreDataStack = CoreDataStack(store: store) }

  /// A fetcher from the store in this directory. Each call sees the newest generation.
  public init(withModelName directory: String) { coreDataStack = CoreDataStack(withModelName: directory) }

  /// A fetcher from the default store of the command line: the environment's `QUOIN_STORE`, else `./quoin-store`.
  public init() { coreDataStack = CoreDataStack() }

  /// The unsaved changes of the stack.
  public var managedContext: ManagedContext { coreDataStack.managedContext }

  /// The store. If the fetcher has only its directory, the store is opened anew and shows the newest generation.
  ///
  /// - Throws: `StoreError`, also if there is no store.
  public var store: QuoteStore {
    get throws(StoreError) { try coreDataStack.store(mustExist: true) }
  }

  /// All quotes of a ticker.
  open func fetchAllDailyQuoteSummaryData(forTicker tickerSymbol: TickerSymbol) -> [DailyQuoteSummary]? {
    answer { try $0.quotes(for: tickerSymbol).fetch() }
  }

  /// All quotes of all tickers, ticker by ticker.
  open func fetchAllDailyQuoteSummaryData() -> [DailyQuoteSummary]? {
    answer { try $0.allQuotes.fetch() }
  }

  /// The store's answer to a question, in the tutorials' types; nil if the question throws, which `lastError` then says.
  public func answer(_ question: (QuoteStore) throws -> [Quoin.DailyQuoteSummary]) -> [DailyQuoteSummary]? {
    result(of: question).map { quotes in quotes.map { DailyQuoteSummary($0) } }
  }

  func result<Value>(of question: (QuoteStore) throws -> Value) -> Value? {
    do {
      let value = try question(store)
      lastError = nil
      return value
    } catch {
      lastError = error
      return nil
    }
  }
}
