/// What the server answers: every path, by its form. The description in OpenAPI, the metrics and the choice of who answers
/// all go by this list.
enum Route: CaseIterable, Sendable {
  case health, metrics, openAPI
  case scan, tickers
  case datasets, dataset, datasetData, datasetMetadata
  case databases, database, databaseData, databaseCodes
  case datatable, datatableMetadata, datatableExport

  /// The path, with the names of its variable parts in braces.
  var path: String {
    switch self {
    case .health: "/healthz"
    case .metrics: "/metrics"
    case .openAPI: "/openapi.json"
    case .scan: "/api/v1/scan"
    case .tickers: "/api/v1/tickers"
    case .datasets: "/api/v3/datasets"
    case .dataset: "/api/v3/datasets/{database}/{dataset}"
    case .datasetData: "/api/v3/datasets/{database}/{dataset}/data"
    case .datasetMetadata: "/api/v3/datasets/{database}/{dataset}/metadata"
    case .databases: "/api/v3/databases"
    case .database: "/api/v3/databases/{database}"
    case .databaseData: "/api/v3/databases/{database}/data"
    case .databaseCodes: "/api/v3/databases/{database}/codes"
    case .datatable: "/api/v3/datatables/{vendor}/{table}"
    case .datatableMetadata: "/api/v3/datatables/{vendor}/{table}/metadata"
    case .datatableExport: "/api/v3/datatables/{vendor}/{table}/export.zip"
    }
  }

  /// The methods that are answered; HEAD is, wherever GET is.
  var methods: [String] { self == .datatable ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"] }

  /// Whether Quandl's API has it, and `QuandlService` answers.
  var isQuandl: Bool { path.hasPrefix(Self.quandlPrefix) }

  /// Whether the answer changes with the store alone, so that a client may keep it until the next commit.
  var showsStore: Bool { isQuandl || self == .scan || self == .tickers }

  /// Whether the first bytes of the answer are made in less time than it takes to wake another thread: it is about one
  /// ticker, or about none.
  var isQuick: Bool {
    switch self {
    case .dataset, .datasetData, .datasetMetadata, .health, .metrics, .openAPI: true
    default: false
    }
  }

  static let quandlPrefix = "/api/v3/"

  /// The form that a path has; nil when it has none of them. Quandl's may end in `.json` or `.csv`.
  init?(_ path: String) {
    let parts = Self.parts(of: path)
    guard let route = Self.forms.first(where: { Self.matches(parts, $0.parts) }) else { return nil }
    self = route.route
  }

  private static let forms = allCases.map { (route: $0, parts: parts(of: $0.path)) }

  private static func parts(of path: String) -> [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func matches(_ parts: [Substring], _ form: [Substring]) -> Bool {
    guard parts.count == form.count else { return false }
    return zip(parts, form).enumerated().allSatisfy { index, pair in
      let (part, formPart) = pair
      if formPart.hasPrefix("{") { return !part.isEmpty }
      if part == formPart { return true }
      guard index == form.count - 1, form.starts(with: ["api", "v3"]) else { return false }
      return [".json", ".csv"].contains { part.hasSuffix($0) && part.dropLast($0.count) == formPart }
    }
  }
}
