import Quoin

/// An error of a request to the service, or of the store that the answer goes into. None of its texts has the API key, even if
/// the service repeats it.
public struct QuandlClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure. Later versions may have more, so a `switch` needs an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: Hashable, Sendable {
    /// The service refused the request, with a status and usually a code; or it was too busy each time.
    case service
    /// The connection failed or broke.
    case connection
    /// Something took longer than `TimeLimits` allow.
    case timeLimit
    /// The answer is longer than `QuandlClient.Configuration` allows.
    case tooLarge
    /// The answer doesn't have the expected form.
    case malformed
    /// The service redirects to an address that the client refuses.
    case redirect
    /// The downloaded file can't be written to the disk.
    case file
    /// The caller's arguments make no sense.
    case usage
    /// The task was cancelled.
    case cancelled
    /// The store refused, as `storeError` says.
    case store
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// The service's own words if there are any, or the store's, otherwise the client's.
  public let message: String
  /// The service's code: `QECx02`.
  public let code: String?
  /// The HTTP status, if there was an answer.
  public let status: Int?
  /// The request's address, without the query if the client got the address from the service.
  public let url: String?
  /// The number of attempts.
  public internal(set) var attemptCount = 1
  /// What the store says, if the kind is `store`.
  public private(set) var storeError: StoreError?
  /// Rows that `QuandlClient.saveTable` saved before the error; 0 if the kind is `store`. The same call continues after them.
  public internal(set) var savedRowCount = 0
  /// The wait that the service asks for.
  var askedDelay: Duration?
  /// Whether other requests will fail for the same reason.
  package var isLasting = false
  /// The variable of the environment that should have the key.
  var keyVariable: String?
  /// Whether the attempt brought something that the next one needn't bring again.
  var hasProgressed = false

  init(_ kind: Kind, _ message: String, code: String? = nil, status: Int? = nil, url: String? = nil) {
    self.kind = kind
    self.message = message
    self.code = code
    self.status = status
    self.url = url
  }

  /// What the store says. If it is that the task was cancelled, that is the client's `cancelled`.
  init(_ error: StoreError) {
    self.init(error == .cancelled ? .cancelled : .store, error.description)
    if kind == .store { storeError = error }
  }

  /// The task was cancelled.
  static let cancelled = QuandlClientError(StoreError.cancelled)

  /// Whether the same request may succeed later.
  public var isTransient: Bool {
    switch kind {
    case .service: status == 429 || (500...599).contains(status ?? 0)
    case .connection, .timeLimit: !isLasting
    case .tooLarge, .malformed, .redirect, .file, .usage, .cancelled, .store: false
    }
  }

  /// The address, what went wrong there, how often it was tried, and what to do about it.
  public var description: String {
    let place = url.map { "\($0): " } ?? ""
    let code = code.map { "\($0): " } ?? ""
    let status = status.map { " (HTTP status \($0))" } ?? ""
    let attempts = attemptCount > 1 ? "; tried \(attemptCount) times" : ""
    let saved = savedRowCount > 0 ? "; \(savedRowCount) rows are saved; the same call continues after them" : ""
    return "\(place)\(code)\(message)\(status)\(attempts)\(advice)\(saved)"
  }

  private var advice: String {
    switch status {
    case 401, 403: keyVariable.map { "; is there a valid key in \($0)?" } ?? ""
    case 429: "; wait, and ask less often"
    default: ""
    }
  }
}
