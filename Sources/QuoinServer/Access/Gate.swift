import HTTPTypes
import NIOCore

/// Decides first of all whether a request may be answered.
///
/// A web page in a user's browser can send requests to a server on the same machine. Three headers give them away:
/// `Host` with the page's own host, if its name was made to lead here (DNS rebinding); `Origin`; and `Sec-Fetch-Site`.
/// Programs send one of the server's names in `Host`, and neither of the other two.
struct Gate: Sendable {
  /// The server's names at the port on which it listens.
  let names: Set<String>
  /// The server's further names, each at its port or, if it has none, at every port.
  let allowed: [Authority]
  let scheme: String
  let token: AccessToken?
  /// Whether other machines reach the server, by the address of any interface.
  let isOpen: Bool

  /// - Parameter address: the connection's address on this machine.
  /// - Throws: `Refusal` if the request may not be answered.
  func check(_ request: HTTPRequest, _ target: RequestTarget, at address: SocketAddress?) throws(Refusal) {
    guard target.isPath else { throw .invalid("the request names no path that begins with '/'") }
    try checkHost(request.authority, at: address)
    try checkOrigin(request.headerFields, at: address)
    try checkSize(request)
    guard let token, target.path.text != ServerRoutes.health.pattern.description else { return }
    guard Self.credentials(of: request, target).contains(where: token.matches) else { throw .unauthorized }
  }

  private func checkHost(_ host: String?, at address: SocketAddress?) throws(Refusal) {
    guard let host, let authority = Authority(host) else {
      throw .invalid("the Host header is missing, repeated or malformed")
    }
    guard isOurs(authority, at: address) else { throw .foreignHost(authority.name) }
  }

  private func checkOrigin(_ headers: HTTPFields, at address: SocketAddress?) throws(Refusal) {
    if let origin = headers[.origin] {
      let prefix = scheme + "://"
      guard origin.lowercased().hasPrefix(prefix), let authority = Authority(origin.dropFirst(prefix.count)),
        isOurs(authority, at: address)
      else { throw .foreignOrigin }
    }
    if let site = headers[.secFetchSite], site != "none", site != "same-origin" { throw .foreignOrigin }
  }

  private func checkSize(_ request: HTTPRequest) throws(Refusal) {
    let targetByteCount = request.path?.utf8.count ?? 0
    guard targetByteCount <= ServerLimits.targetByteCount else { throw .targetTooLong }
    let headerByteCount = request.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    guard targetByteCount + headerByteCount <= ServerLimits.headByteCount else { throw .headersTooLong }
  }

  private func isOurs(_ authority: Authority, at address: SocketAddress?) -> Bool {
    if allowed.contains(where: { $0.name == authority.name && ($0.port == nil || $0.port == authority.port) }) {
      return true
    }
    guard let address, authority.port ?? defaultPort == address.port else { return false }
    return names.contains(authority.name) || (isOpen && authority.name == address.hostName)
  }

  private var defaultPort: Int { scheme == "https" ? 443 : 80 }

  /// The tokens in a request, in all the places where clients put a token or, like Quandl's, an API key.
  private static func credentials(of request: HTTPRequest, _ target: RequestTarget) -> [String] {
    // The older API called the key a token.
    var texts = target.query.filter { ["api_key", "auth_token"].contains($0.name) }.map(\.value)
    if let key = request.headerFields[.apiToken] { texts.append(key) }
    let bearer = "bearer "
    if let text = request.headerFields[.authorization], text.lowercased().hasPrefix(bearer) {
      texts.append(String(text.dropFirst(bearer.count)))
    }
    return texts
  }
}

extension SocketAddress {
  /// The address as it is written in a URL: `127.0.0.1`, `[::1]`.
  var hostName: String? {
    guard let text = ipAddress else { return nil }
    return text.contains(":") ? "[\(text)]" : text
  }

  /// Whether only this machine reaches the address.
  var isLoopback: Bool { ipAddress.map { $0.hasPrefix("127.") || $0 == "::1" } ?? false }
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name("sec-fetch-site")!
  static let apiToken = HTTPField.Name("x-api-token")!
}
