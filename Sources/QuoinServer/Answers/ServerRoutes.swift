import QuandlService
import Quoin

/// How the server answers a route.
enum ServerHandler: Sendable {
  /// The answer is about this moment, so clients keep no copy of it.
  case now(@Sendable (Responder) throws -> ServiceAnswer)
  /// The answer depends on the store alone, so a client may keep its copy until the next commit.
  case store(@Sendable (StoreCall) throws -> ServiceAnswer)
}

/// A question about the store, and what is needed to answer it.
struct StoreCall: Sendable {
  let view: StoreView
  let request: ServiceRequest
  let path: RequestPath
  let metrics: ServerMetrics
}

typealias ServerRoute = Route<ServerHandler>

/// Every route that the server answers: its own, and those of Quandl's API.
enum ServerRoutes {
  static let all: [ServerRoute] = own + QuandlService.routes.map { served($0) }

  private static let own = [
    health, metrics, openAPI, ScanRequest.route, CountRequest.route, StatisticsRequest.route, AggregateRequest.route,
    TickersRequest.route,
  ]

  static let health: ServerRoute = Route(
    "health", "/healthz", "Whether the store can be read", mediaTypes: [.json], isQuick: true,
    answer: .now { try $0.health() })

  private static let metrics: ServerRoute = Route(
    "metrics", "/metrics", "Counts and times, in Prometheus's text format", mediaTypes: [.metrics], isQuick: true,
    answer: .now { $0.metrics.answer })

  private static let openAPI: ServerRoute = Route(
    "openAPI", "/openapi.json", "This description", mediaTypes: [.json], isQuick: true,
    answer: .now { _ in OpenAPI.answer })

  private static func served(_ route: Route<ServiceHandler>) -> ServerRoute {
    route.answered(by: .store { $0.view.service.answer(to: $0.request, by: route, at: $0.path) })
  }
}

extension Route where Answer == ServerHandler {
  /// A route whose parameters ask for something in the store: what it describes is what its answer is given.
  convenience init<Question: ServerQuestion>(
    _ name: String, _ pattern: PathPattern, _ summary: String, methods: [ServiceRequest.Method] = [.get],
    asking question: Question.Type, mediaTypes: [MediaType],
    answer: @escaping @Sendable (StoreCall, Question) throws -> ServiceAnswer
  ) {
    self.init(
      name, pattern, summary, methods: methods, parameters: Question.descriptions, mediaTypes: mediaTypes,
      answer: .store { call in try answer(call, Question(call.request)) })
  }
}
