import Quoin

/// Quandl's API over a store: what a question is answered with, without the network.
///
/// Every answer shows one generation of the store, the one that the store shows when the question comes. A service may
/// answer several questions at a time.
public struct QuandlService: Sendable {
  let store: QuoteStore
  private let refreshTimes = RefreshTimes()

  /// A service that answers from this store.
  public init(store: QuoteStore) { self.store = store }

  /// Answers a question under `/api/v3/`; a mistake in it is an answer too, of `quandl_error`.
  ///
  /// The body is made while it is read: it holds on to its generation, and reads the store.
  public func answer(to request: ServiceRequest) -> ServiceAnswer {
    do {
      let (route, form) = try Route.parse(request.path)
      let responder = Responder(
        store: store.frozen, refreshTimes: refreshTimes, request: request,
        parameters: try Parameters(of: request), form: AnswerForm(extension: form, accept: request.accept))
      var answer = try responder.answer(to: route)
      answer.generation = responder.store.generation
      return answer
    } catch let error as ServiceError {
      return error.answer
    } catch {
      let message = "What was asked for can't be read; 'quoin verify' on the server says what is damaged."
      var answer = ServiceError(.internalFailure, message).answer
      answer.failure = error
      return answer
    }
  }
}

/// A question on its way to an answer, and the generation that the answer shows.
struct Responder {
  let store: QuoteStore
  let refreshTimes: RefreshTimes
  let request: ServiceRequest
  let parameters: Parameters
  let form: AnswerForm

  func answer(to route: Route) throws -> ServiceAnswer {
    if request.method == .post, !route.takesPost {
      throw ServiceError(.unknownRoute, "Only tables are asked by POST; \(quoted(request.path)) is asked by GET.")
    }
    switch route {
    case .databases: return try databases()
    case .database(let code, let part):
      try checkDatabase(code)
      return try database(part)
    case .datasets: return try datasets()
    case .dataset(let database, let code, let part): return try dataset(part, try ticker(database, code))
    case .table(let vendor, let code, let part):
      try checkTable(vendor, code)
      return try table(part)
    }
  }

  /// JSON where there is no CSV.
  func requireJSON() throws(ServiceError) {
    guard form == .json else { throw ServiceError(.unknownFormat, "This comes as JSON only: leave '.csv' out.") }
  }
}

extension Route {
  fileprivate var takesPost: Bool {
    if case .table = self { true } else { false }
  }
}

extension Responder {
  /// The one database and its one table, as the world knew them.
  static let database = "WIKI"
  static let table = "PRICES"

  func checkDatabase(_ code: String) throws(ServiceError) {
    guard code.uppercased() != Self.database else { return }
    throw ServiceError(.unknownCode, "There is no database \(quoted(code)); the one here is \(Self.database).")
  }

  private func checkTable(_ vendor: String, _ code: String) throws(ServiceError) {
    guard vendor.uppercased() != Self.database || code.uppercased() != Self.table else { return }
    throw ServiceError(
      .unknownCode, "There is no table \(quoted("\(vendor)/\(code)")); the one here is \(Self.database)/\(Self.table).")
  }

  /// The ticker of a dataset, which the store must have.
  private func ticker(_ database: String, _ code: String) throws -> TickerSummary {
    try checkDatabase(database)
    if let ticker = try? TickerSymbol(code), let summary = try store.tickerSummaries(of: [ticker]).first {
      return summary
    }
    let nearest = Suggestion.nearestName(to: code, among: store.tickers.lazy.map(\.description))
    let hint = nearest.map { "; did you mean \(Self.database)/\($0)?" } ?? "."
    throw ServiceError(.unknownCode, "There is no dataset \(quoted("\(Self.database)/\(code)"))\(hint)")
  }
}
