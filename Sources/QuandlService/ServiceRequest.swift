/// A question to the service, as the network brought it.
public struct ServiceRequest: Sendable {
  /// The HTTP methods by which questions come.
  public enum Method: String, Sendable {
    /// The question is in the path and the query.
    case get = "GET"
    /// Parts of the question are in the body; for tables only.
    case post = "POST"
  }

  /// The HTTP method.
  public var method: Method
  /// The path with its percent-encoding taken away, without the query: `/api/v3/datasets/WIKI/FDX/data.json`.
  public var path: String
  /// The query's names and values in their order, decoded: `("ticker[]", "FDX")`. An empty value means an absent one.
  public var query: [(name: String, value: String)]
  /// The body of a POST.
  public var body: [UInt8]
  /// Whether the caller asked for CSV or JSON by an `accept` header, where the path doesn't say.
  public var accept: String?
  /// `http://host:port`, as the client knows the server: for links in answers.
  public var origin: String
  /// What a link in an answer has to carry beside the question, such as a key that came in a header: who follows the
  /// link sends no headers.
  public var linkQuery: [(name: String, value: String)] = []

  /// A question; `origin` is where links in the answer lead.
  public init(
    _ method: Method = .get, path: String, query: [(name: String, value: String)] = [], body: [UInt8] = [],
    accept: String? = nil, origin: String = "http://127.0.0.1"
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.accept = accept
    self.origin = origin
  }
}
