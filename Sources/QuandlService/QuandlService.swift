import Quoin

/// Quandl's API over a store: what a question is answered with, without the network.
///
/// Every answer shows one generation of the store, the one that the store shows when the question comes.
public struct QuandlService: Sendable {
  let store: QuoteStore

  public init(store: QuoteStore) { self.store = store }

  /// Answers a question under `/api/v3/`; a mistake in it is an answer too, of `quandl_error`.
  public func answer(to request: ServiceRequest) -> ServiceAnswer {
    ServiceAnswer(status: 404, headers: [("content-type", "application/json; charset=utf-8")], body: AnswerBody([]))
  }
}
