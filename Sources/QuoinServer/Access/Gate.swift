import HTTPTypes
import NIOCore

/// Decides before anything else whether a request may be answered at all.
///
/// A web page that a user has open can send requests to a server on the same machine. Three things tell them apart: the
/// page's own host in `Host`, when its name was made to lead here (DNS rebinding); `Origin`; and `Sec-Fetch-Site`. Programs
/// send a host of ours and neither of the others.
struct Gate: Sendable {
  /// How the server is called at the port that it listens on.
  let names: Set<String>
  /// How it may be called besides: at this port, or at any when there is none.
  let allowed: [Authority]
  let scheme: String
  let token: AccessToken?
  /// Whether other machines reach the server, by the address of whichever interface.
  let isOpen: Bool

  /// - Parameter address: the connection's end on this machine.
  func check(_ request: HTTPRequest, _ target: RequestTarget, at address: SocketAddress?) throws(Refusal) {
    try checkHost(request.authority, at: address)
    try checkOrigin(request.headerFields, at: address)
    try checkSize(request)
    guard let token, target.path != Route.health.path else { return }
    guard Self.credentials(of: request, target).contains(where: token.matches) else { throw .unauthorized }
  }

  private func checkHost(_ host: String?, at address: SocketAddress?) throws(Refusal) {
    guard let host, let authority = Authority(host) else {
      throw .invalid("the request has no host, or more than one, or it is written wrongly")
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

  /// Wherever clients put a token or, as Quandl's do, an API key.
  private static func credentials(of request: HTTPRequest, _ target: RequestTarget) -> [String] {
    var texts = target.query.filter { $0.name == "api_key" }.map(\.value)
    if let key = request.headerFields[.apiToken] { texts.append(key) }
    let bearer = "bearer "
    if let text = request.headerFields[.authorization], text.lowercased().hasPrefix(bearer) {
      texts.append(String(text.dropFirst(bearer.count)))
    }
    return texts
  }
}

extension SocketAddress {
  /// The address as a URL has it: `127.0.0.1`, `[::1]`.
  var hostName: String? {
    guard let text = ipAddress else { return nil }
    return text.contains(":") ? "[\(text)]" : text
  }

  /// Whether only this machine reaches it.
  var isLoopback: Bool { ipAddress.map { $0.hasPrefix("127.") || $0 == "::1" } ?? false }
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name("sec-fetch-site")!
  static let apiToken = HTTPField.Name("x-api-token")!
}
