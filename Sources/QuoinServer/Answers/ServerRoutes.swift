import QuandlService
import Quoin

/// How the server answers a route.
enum ServerHandler: Sendable {
  /// The answer is about this moment, so clients keep no copy of it.
  case now(@Sendable (Responder) throws -> ServiceAnswer)
  /// The answer depends on the store alone, so a client may keep its copy until the next commit.
  case store(@Sendable (StoreCall) throws -> ServiceAnswer)
  /// The answer is for everybody, also for those who haven't shown the token.
  case open(@Sendable (Secrets, Question) throws -> ServiceAnswer)
  /// The answer is about files that a browser has sent, and may import them.
  case imports(@Sendable (StoreCall, Question, ImportDesk) throws -> ServiceAnswer)
  /// The answer says what is known of the store, without waiting for it.
  case look(@Sendable (StoreLook.Finding) -> ServiceAnswer)
  /// The answer is one of the store's files as it is, whose name are the variables of the path.
  case file
  /// The answer goes on as long as the client listens: the numbers of commits.
  case commits
}

/// A question about the store, and what is needed to answer it.
struct StoreCall: Sendable {
  let view: StoreView
  let request: ServiceRequest
  let path: RequestPath
  let metrics: ServerMetrics
  /// Whether the server has a token.
  let asksForToken: Bool
  /// Whether files are imported.
  let takesFiles: Bool
  /// Set when the client is gone, or the work takes too long. The queries of the view's store look at it by themselves.
  let cancellation: Cancellation
}

typealias ServerRoute = Route<ServerHandler>

/// Every route that the server answers: its own, those of Quandl's API, and the pages for browsers.
enum ServerRoutes {
  static let all = ofPrograms + pages

  /// Those that `/openapi.json` describes.
  static let ofPrograms: [ServerRoute] = own + QuandlService.routes.map { served($0) }

  private static let pages: [ServerRoute] =
    [StorePage.route, CheckPage.route] + TickerPage.routes + [RangesPage.route, QuestionsPage.route] + ImportPage.routes
    + SignIn.routes
    + [PageAsset.script, .style, .icon].map(\.route) + [commits]

  private static let commits: ServerRoute = Route(
    "commits", "/events", "The number of each commit when it is made", mediaTypes: [.events],
    answer: .commits)

  private static let own = [
    health, ready, live, metrics, openAPI, ScanRequest.route, CountRequest.route, StatisticsRequest.route,
    AggregateRequest.route,
    TickersRequest.route, storeFile, shardFile,
  ]

  private static let storeFile: ServerRoute = Route(
    "storeFile", "/store/{file}", "A file of the store as it is: quoin pull asks for them", mediaTypes: [.bytes],
    answer: .file)

  private static let shardFile: ServerRoute = Route(
    "shardFile", "/store/{shard}/{file}", "The same of a shard", mediaTypes: [.bytes], answer: .file)

  /// What monitoring asks, without the token.
  static let probes = [health, ready, live]

  private static let health: ServerRoute = Route(
    "health", "/healthz", "Whether the store can be read", mediaTypes: [.json],
    answer: .look(\.health))

  private static let ready: ServerRoute = Route(
    "ready", "/readyz", "Whether questions can be answered: 503 while the store can't be read", mediaTypes: [.json],
    answer: .look(\.health))

  private static let live: ServerRoute = Route(
    "live", "/livez", "That the server runs, whatever the state of the store", mediaTypes: [.json],
    answer: .now { _ in ServiceAnswer(json: ["status": "ok"]) })

  private static let metrics: ServerRoute = Route(
    "metrics", "/metrics", "Counts and times, in Prometheus's text format", mediaTypes: [.metrics],
    answer: .now { $0.measured() })

  private static let openAPI: ServerRoute = Route(
    "openAPI", "/openapi.json", "This description", mediaTypes: [.json],
    answer: .now { _ in OpenAPI.answer })

  private static func served(_ route: Route<ServiceHandler>) -> ServerRoute {
    route.answered(by: .store { $0.view.service.answer(to: $0.request, by: route, at: $0.path) })
  }
}

extension Route where Answer == ServerHandler {
  /// Whether people read the answer, so that errors are pages too.
  var isPage: Bool { mediaTypes == [.html] }

  /// Whether files are sent to it, and the store may change.
  var takesFiles: Bool { if case .imports = answer { true } else { false } }

  /// Whether everybody may ask.
  var isOpen: Bool { if case .open = answer { true } else { ServerRoutes.probes.contains { $0 === self } } }

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
