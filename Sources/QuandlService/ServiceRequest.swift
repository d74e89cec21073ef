/// A request to the service, as it came over the network.
public struct ServiceRequest: Sendable {
  /// The methods that ask a question.
  public enum Method: String, Sendable {
    /// The question is in the path and the query.
    case get = "GET"
    /// Parts of the question are in the body; for tables only.
    case post = "POST"
  }

  /// How the question is asked.
  public var method: Method
  /// The path without percent-encoding and without the query: `/api/v3/datasets/WIKI/FDX/data.json`.
  public var path: String
  /// The query's names and values in their order, decoded: `("ticker[]", "FDX")`. An empty value counts as absent.
  public var query: [(name: String, value: String)]
  /// The names in the query without a `=`, which have no value at all.
  package var namesAlone: [String] = []
  /// The body of a POST.
  public var body: [UInt8]
  /// The `accept` header, which chooses between CSV and JSON if the path doesn't.
  public var accept: String?
  /// The server's address in links, as the client knows it: `http://host:port`.
  public var origin: String
  /// Parameters that a link in an answer carries besides the question, such as a key that came in a header. A client
  /// that follows the link sends no headers.
  public var linkQuery: [(name: String, value: String)] = []

  /// A request of these parts, without link parameters.
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
