import Quoin

/// One call of the service: what is asked for, and the snapshot of the store that the answer shows.
struct ServiceCall {
  let store: QuoteStore
  let refreshTimes: RefreshTimes
  let request: ServiceRequest
  let parameters: Parameters
  let form: AnswerForm
  /// The dataset that the path names, if the route's pattern has a `{dataset}`.
  private let namedDataset: TickerSummary?
  /// Whether the path spells the dataset's ticker in another way.
  let isAskedByOtherName: Bool

  /// - Throws: `ServiceError` if the route isn't asked like that, or the path names what the store doesn't have.
  init(
    _ request: ServiceRequest, by route: Route<ServiceHandler>, at path: RequestPath, store: QuoteStore,
    refreshTimes: RefreshTimes
  ) throws {
    self.store = store
    self.refreshTimes = refreshTimes
    self.request = request
    form = AnswerForm(of: path, accept: request.accept)
    parameters = try Parameters(of: request)
    guard route.methods.contains(request.method) else {
      throw ServiceError(.unknownRoute, "Only tables are asked by POST; \(quoted(request.path)) is asked by GET.")
    }
    let dataset = try Self.checkNames(in: path, route.pattern, store)
    namedDataset = dataset
    isAskedByOtherName =
      dataset.map { (try? TickerSymbol(route.pattern.value(of: "dataset", in: path) ?? "")) != $0.ticker } ?? false
    guard form == .json || route.mediaTypes.contains(form.mediaType) || route.mediaTypes == [.zip] else {
      throw ServiceError(
        .unknownFormat, "This doesn't come as \(form.rawValue.uppercased()): leave '.\(form.rawValue)' out.")
    }
  }

  /// The dataset that the path names. Traps if the route's pattern has no `{dataset}`.
  var dataset: TickerSummary {
    guard let namedDataset else { preconditionFailure("no {dataset} in the route of \(request.path)") }
    return namedDataset
  }
}

extension ServiceCall {
  /// A short answer, as XML if that is asked for, else as JSON.
  func answer(_ value: JSONValue) -> ServiceAnswer {
    guard form == .xml else { return ServiceAnswer(json: value) }
    return ServiceAnswer(.xml, body: AnswerBody(Array(XMLText.document(value.xml).utf8)))
  }

  /// A header with the names, and one row with the values.
  func csv(_ members: [JSONMember]) throws -> ServiceAnswer {
    var bytes: [UInt8] = []
    var writer = OutputFormat.csv.makeWriter(members.map { ColumnHeading($0.name, .text) }) { bytes.append($0) }
    try writer.append(members.map { .texts([$0.value.cell]) }, rows: 0..<1)
    try writer.finish()
    return ServiceAnswer(.csv, body: AnswerBody(bytes))
  }

  /// The one database and its one table, as the world knew them.
  static let database = "WIKI"
  static let table = "PRICES"

  /// Checks that there is a database of this name.
  static func checkDatabase(_ code: String) throws(ServiceError) {
    guard code.uppercased() == database else {
      throw ServiceError(.unknownCode, "There is no database \(quoted(code)); the one here is \(database).")
    }
  }

  private static func checkTable(_ vendor: String, _ code: String) throws(ServiceError) {
    guard vendor.uppercased() == database, code.uppercased() == table else {
      throw ServiceError(
        .unknownCode, "There is no table \(quoted("\(vendor)/\(code)")); the one here is \(database)/\(table).")
    }
  }

  /// Checks the names in a path, whichever of them the pattern has.
  ///
  /// - Returns: the dataset, if the pattern has one.
  private static func checkNames(
    in path: RequestPath, _ pattern: PathPattern, _ store: QuoteStore
  ) throws -> TickerSummary? {
    if let vendor = pattern.value(of: "vendor", in: path), let table = pattern.value(of: "table", in: path) {
      try checkTable(vendor, table)
    }
    if let database = pattern.value(of: "database", in: path) { try checkDatabase(database) }
    return try pattern.value(of: "dataset", in: path).map { try dataset($0, in: store) }
  }

  /// The dataset of a ticker, which the store must have.
  private static func dataset(_ code: String, in store: QuoteStore) throws -> TickerSummary {
    if let ticker = store.ticker(forCode: code), let summary = try store.tickerSummary(of: ticker) {
      return summary
    }
    let question = Suggestion.question(forTicker: code, among: store.tickers, prefix: "\(database)/")
    let hint = question.map { "; \($0)" } ?? "."
    throw ServiceError(.unknownCode, "There is no dataset \(quoted("\(database)/\(code)"))\(hint)")
  }
}
