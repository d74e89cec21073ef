import Quoin

/// Quandl's API over a store: the answer to a question, without the network.
///
/// Every answer shows one snapshot of the store, the one that the store shows when the question comes. A service may
/// answer several questions at a time.
public struct QuandlService: Sendable {
  let store: QuoteStore
  private let refreshTimes: RefreshTimes

  /// A service that answers from this store.
  public init(store: QuoteStore) { self.init(store, RefreshTimes()) }

  private init(_ store: QuoteStore, _ refreshTimes: RefreshTimes) {
    (self.store, self.refreshTimes) = (store, refreshTimes)
  }

  /// The same service over another object of its store, such as one whose queries can be stopped.
  package func over(_ store: QuoteStore) -> QuandlService { QuandlService(store, refreshTimes) }

  /// Answers a question under `/api/v3/`; a mistake in it is answered too, with a `quandl_error`.
  ///
  /// The body is made while it is read: it keeps its snapshot, and reads the store.
  public func answer(to request: ServiceRequest) -> ServiceAnswer {
    let path = RequestPath(request.path)
    guard let route = Self.routes.route(of: path) else { return Self.unknownPath(path).answer }
    return answer(to: request, by: route, at: path)
  }

  /// Answers a question whose route is known.
  package func answer(
    to request: ServiceRequest, by route: Route<ServiceHandler>, at path: RequestPath
  ) -> ServiceAnswer {
    do {
      let call = try ServiceCall(request, by: route, at: path, store: store.frozen, refreshTimes: refreshTimes)
      var answer = try route.answer.answer(call)
      answer.generation = call.store.generation
      return answer
    } catch let error as ServiceError {
      return error.answer
    } catch {
      let message = "The store can't be read; 'quoin verify' on the server names the damage."
      var answer = ServiceError(.internalFailure, message).answer
      answer.failure = error
      return answer
    }
  }
}
