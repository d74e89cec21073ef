import NIOHTTP1
import QuandlService
import Quoin

/// Why a request is refused. The answer has the shape of Quandl's errors, which clients know how to raise.
struct Refusal: Error, Hashable {
  let status: Int
  /// `QE`, a letter for the class, `x`, and two digits.
  let code: String
  let message: String
  var headers: [String: String] = [:]
  /// Whether the connection ends with the answer, because what follows can't be trusted or isn't wanted.
  var endsConnection = false
}

extension Refusal {
  init(malformed error: HTTPParserError) {
    let isTooLong = error == .headerOverflow
    self.init(
      status: isTooLong ? 431 : 400, code: isTooLong ? "QELx07" : "QESx09",
      message: isTooLong
        ? "a request has \(ServerLimits.headerCount) headers of \(ServerLimits.headByteCount) bytes at most"
        : "the request is no HTTP: \(error.debugDescription)",
      endsConnection: true)
  }

  static func invalid(_ message: String) -> Refusal {
    Refusal(status: 400, code: "QESx09", message: message, endsConnection: true)
  }

  /// - Parameter isKnown: whether the name is right, and only the port isn't.
  static func foreignHost(_ host: String, isKnown: Bool) -> Refusal {
    let wrong =
      isKnown ? "this server isn't reached at '\(host)', by the port" : "'\(host)' is not a name of this server"
    return Refusal(
      status: 403, code: "QEPx01", message: "\(wrong); to allow it, start the server with --allow-host \(host)",
      endsConnection: true)
  }

  static func unknownTicker(_ ticker: TickerSymbol, among tickers: [TickerSymbol] = []) -> Refusal {
    let hint = Suggestion.question(forTicker: ticker.description, among: tickers)
    return Refusal(
      status: 404, code: "QECx02",
      message: "there are no quotes of \(ticker); " + (hint ?? "\(TickersRequest.route.pattern) lists the tickers"))
  }

  static let foreignOrigin = Refusal(
    status: 403, code: "QEPx02",
    message: "web pages of other sites are not answered, unless the server is started with --allow-origin and the site",
    endsConnection: true)

  static let unauthorized = Refusal(
    status: 401, code: "QEAx05",
    message: "a token is needed: send it as 'authorization: Bearer TOKEN', as 'x-api-token: TOKEN' or as api_key=TOKEN",
    headers: ["www-authenticate": "Bearer"])

  /// Whoever reads the history of a browser or the log of a proxy finds it there.
  static let tokenInAddress = Refusal(
    status: 400, code: "QESx09",
    message:
      "the server's token is in the address, where it doesn't belong; send it in the header x-api-token, or as api_key"
  )

  static let targetTooLong = Refusal(
    status: 414, code: "QELx07",
    message: "the URL is longer than \(ServerLimits.targetByteCount) bytes; send the question as POST")

  static let headersTooLong = Refusal(
    status: 431, code: "QELx07", message: "the headers are longer than \(ServerLimits.headByteCount) bytes")

  static func bodyTooLong(_ byteCountMax: Int) -> Refusal {
    Refusal(
      status: 413, code: "QELx08", message: "the body is longer than \(byteCountMax) bytes", endsConnection: true)
  }

  static let bodyEncoded = Refusal(
    status: 415, code: "QESx09", message: "the body is compressed; send it as it is, without content-encoding",
    endsConnection: true)

  static let unknownTransfer = Refusal(
    status: 501, code: "QESx09", message: "the body may come in chunks, and in no other transfer-encoding",
    endsConnection: true)

  /// The client has a part of an answer that there isn't any more.
  static let changed = Refusal(
    status: 412, code: "QESx09", message: "the answer isn't the one of if-match any more; ask for it anew")

  static func noSuchRange(_ byteCount: Int) -> Refusal {
    Refusal(
      status: 416, code: "QESx09", message: "the answer has \(byteCount) bytes, and none of those that are asked for",
      headers: ["content-range": "bytes */\(byteCount)", "accept-ranges": "bytes"])
  }

  static func methodNotAllowed(_ method: String, allowed: [String]) -> Refusal {
    Refusal(
      status: 405, code: "QESx09", message: "\(method) is not answered here; use \(allowed.joined(separator: " or "))",
      headers: ["allow": allowed.joined(separator: ", ")], endsConnection: true)
  }

  static func unknownPath(_ path: String) -> Refusal {
    Refusal(
      status: 404, code: "QECx01",
      message: "there is nothing at '\(path.prefix(100))'; /openapi.json lists all paths")
  }

  static func unknownParameter(_ name: String, among known: [String]) -> Refusal {
    .wrongParameter("there is no parameter '\(name.prefix(40))'; \(Suggestion.hint(for: name, among: known))")
  }

  static func wrongParameter(_ message: String) -> Refusal { Refusal(status: 422, code: "QESx04", message: message) }

  /// The store can't be read at the moment.
  static let unavailable = Refusal(
    status: 503, code: "QEXx01", message: "the store can't be read; the server's log says why",
    headers: ["retry-after": "1"])

  /// A bug in the program.
  static let failed = Refusal(status: 500, code: "QEMx01", message: "the server failed; its log says why")
}

extension Refusal {
  /// The headers and the body of the answer.
  var answer: (headers: [(name: String, value: String)], body: [UInt8]) {
    let error: JSONValue = ["quandl_error": ["code": .string(code), "message": .string(message)]]
    return (
      [("content-type", MediaType.json.rawValue)] + fields, Array(error.text.utf8)
    )
  }

  /// The headers that say more than the type.
  var fields: [(name: String, value: String)] {
    headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + (endsConnection ? [("connection", "close")] : [])
  }
}
