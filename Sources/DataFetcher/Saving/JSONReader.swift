import Quoin

/// Stores what Quandl answers to the time-series call, as `JSONSerialization` reads it.
///
///     let jsonReader = JSONReader()
///     jsonReader.saveQuandlData(forCompanyName: "FDX", forJSONResponseDict: json)
///
/// A document with any mistake changes nothing. The call then returns nil, `lastError` says why, and so does a line on standard
/// error.
public final class JSONReader {
  /// A document: strings, numbers, arrays, dictionaries and nulls.
  public typealias JSONResponseDict = [String: Any]

  /// The error of the last call: a `TickerSymbolError`, an `ImportError` or a `StoreError`; nil if it succeeded.
  public private(set) var lastError: (any Error)?
  /// Where the quotes go.
  public let coreDataStack: CoreDataStack
  private let shown: (String) -> String

  /// A reader for this stack's store.
  public convenience init(withCoreDataStack stack: CoreDataStack) { self.init(withCoreDataStack: stack) { $0 } }

  /// - Parameter shown: what may be printed of a sentence.
  init(withCoreDataStack stack: CoreDataStack, shown: @escaping (String) -> String) {
    coreDataStack = stack
    self.shown = shown
  }

  /// A reader for the store in this directory.
  public convenience init(withModelName name: String) {
    self.init(withCoreDataStack: CoreDataStack(withModelName: name))
  }

  /// A reader for the default store: the environment's `QUOIN_STORE`, else `./quoin-store`.
  public convenience init() { self.init(withCoreDataStack: CoreDataStack()) }

  /// The unsaved changes of the stack.
  public var managedContext: ManagedContext { coreDataStack.managedContext }

  /// Stores a document's quotes under a ticker, in one commit together with what else is unsaved. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - companyName: the ticker's symbol: `FDX`.
  ///   - jsonResponseDict: a document with `dataset_data` or `dataset`, whose `column_names` say what its `data` are.
  /// - Returns: the document's period with its quotes; nil if the document or the store refuses. If it is the store, the quotes
  ///   stay unsaved, and `coreDataStack.saveContext()` tries again.
  @discardableResult
  public func saveQuandlData(
    forCompanyName companyName: String, forJSONResponseDict jsonResponseDict: JSONResponseDict
  ) -> StockQuotePeriod? {
    attempt {
      let document = try QuandlDocument(jsonResponseDict, of: TickerSymbol(companyName))
      let period = StockQuotePeriod(context: managedContext)
      period.companyName = companyName
      period.startDate = document.startDay?.start(in: .current)
      period.endDate = document.endDay?.start(in: .current)
      period.add(document.quotes.map { DailyQuoteSummary($0) })
      try managedContext.save()
      return period
    }
  }

  /// Adds one row of a document to a period. It is stored when the context is saved.
  ///
  /// - Parameters:
  ///   - stockQuotePeriod: the period, whose `companyName` is the ticker's symbol.
  ///   - dailyQuote: the 13 cells of a row of WIKI: the date, open, high, low, close, volume, dividend, split ratio, and the
  ///     adjusted open, high, low, close and volume.
  /// - Returns: the quote; nil if the row isn't one.
  @discardableResult
  public func saveDailyQuote(
    forStockQuotePeriod stockQuotePeriod: StockQuotePeriod, dailyQuote: [Any]
  ) -> DailyQuoteSummary? {
    attempt {
      let document = try QuandlDocument(row: dailyQuote, of: TickerSymbol(stockQuotePeriod.companyName ?? ""))
      let summaries = document.quotes.map { DailyQuoteSummary($0) }
      stockQuotePeriod.add(summaries)
      return summaries.first
    }
  }

  private func attempt<Result>(_ body: () throws -> Result?) -> Result? {
    do {
      let result = try body()
      lastError = nil
      return result
    } catch {
      lastError = error
      Complaint.print(shown("\(error)"))
      return nil
    }
  }
}
