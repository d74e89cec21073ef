#if Network
  import Foundation
  import QuandlClient
  import Quoin
  import Synchronization

  /// The tutorials' client: asks Quandl's time-series call, and hands the answer to a completion handler that saves it.
  ///
  ///     QuandlAPIClient.sharedClient.performDataPersistAPIRequest(with: .Fedex_Corp, startDate: start, endDate: end)
  ///
  /// The requests are `QuandlClient`'s: repeated if the service is busy, and with the key in a header alone. New programs should use
  /// that. Any thread may use a client. Handlers are called one after another, on a queue of the client's own.
  ///
  /// The package's trait `Network` has to be on, as it is by default.
  public final class QuandlAPIClient: Sendable {
    /// An answer, as `JSONSerialization` reads it.
    public typealias QuandlData = [String: Any]
    /// Takes the ticker's symbol, and either the answer or the error.
    public typealias QuandlCompletionHandler = @Sendable (String, QuandlData?, NSError?) -> Void

    /// A client of the default service that saves in the default store.
    public static let sharedClient = QuandlAPIClient()

    /// Where the answers are saved.
    public let coreDataStack: CoreDataStack
    let queue = DispatchQueue(label: "QuandlAPIClient")
    private let state = Mutex(State())

    private struct State {
      var service: QuandlClient?
      var persistHandler: QuandlCompletionHandler?
      var debugHandler: QuandlCompletionHandler?
    }

    /// A client of the default service: Nasdaq Data Link, with the environment's `NASDAQ_DATA_LINK_API_KEY`, else
    /// `QUANDL_API_KEY`.
    public init(withCoreDataStack stack: CoreDataStack = CoreDataStack()) { coreDataStack = stack }

    /// Asks this service from now on.
    ///
    /// - Parameters:
    ///   - baseURL: where the service is: `http://127.0.0.1:8977`.
    ///   - apiKey: the key by which the service knows its user; nil for none. It is never printed.
    /// - Throws: `QuandlClientError` if the key or the address isn't valid.
    public func connect(to baseURL: String, apiKey: String? = QuandlClient.environmentKey) throws {
      let service = try QuandlClient(apiKey: apiKey, baseURL: baseURL)
      state.withLock { $0.service = service }
    }

    /// The service to ask.
    func service() throws(QuandlClientError) -> QuandlClient {
      try state.withLock { (state) throws(QuandlClientError) in
        if let service = state.service { return service }
        let service = try QuandlClient()
        state.service = service
        return service
      }
    }

    /// Downloads a ticker's quotes of some days, and calls `persistDataCompletionHandler`. Returns at once.
    public func performDataPersistAPIRequest(with ticker: TickerSymbol, startDate: Date, endDate: Date) {
      request(ticker, from: startDate, to: endDate, then: persistDataCompletionHandler)
    }

    /// Downloads a ticker's quotes of some days, and calls `debugCompletionHandler`. Returns at once.
    public func performDebugAPIRequest(forTicker ticker: TickerSymbol, startDate: Date, endDate: Date) {
      request(ticker, from: startDate, to: endDate, then: debugCompletionHandler)
    }

    /// What happens to the answer of `performDataPersistAPIRequest`. By default a `JSONReader` saves it, and a line on standard
    /// error says what went wrong.
    public var persistDataCompletionHandler: QuandlCompletionHandler {
      get { state.withLock { $0.persistHandler } ?? savingHandler }
      set { state.withLock { $0.persistHandler = newValue } }
    }

    /// What happens to the answer of `performDebugAPIRequest`. By default it is printed.
    public var debugCompletionHandler: QuandlCompletionHandler {
      get { state.withLock { $0.debugHandler } ?? printingHandler }
      set { state.withLock { $0.debugHandler = newValue } }
    }
  }
#endif
