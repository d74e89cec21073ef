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
  /// The sites whose pages may ask: `https://charts.example`.
  let allowedOrigins: Set<String>
  let proxy: ProxyHeaders
  let secrets: Secrets
  /// Whether other machines reach the server, by the address of any interface.
  let isOpen: Bool

  /// - Parameters:
  ///   - route: the one that the request asks; nil if there is none.
  ///   - address: the connection's address on this machine.
  /// - Throws: `Refusal` if the request may not be answered.
  func check(
    _ request: HTTPRequest, _ target: RequestTarget, by route: ServerRoute?, at address: SocketAddress?
  ) throws(Refusal) {
    guard target.isPath else { throw .invalid("the request names no path that begins with '/'") }
    let host = try checkHost(request.authority, at: address)
    // A site that may ask may not send files.
    let isAllowed = sharedOrigin(of: request) != nil && route?.takesFiles != true
    let isShared = isAllowed || route?.isPage == true && Self.isVisit(request)
    if !isShared { try checkOrigin(request.headerFields, of: host, at: address) }
    try checkSize(request)
    guard let token = secrets.token, route?.isOpen != true else { return }
    guard
      SessionCookie.sessions(in: request.headerFields[.cookie]).contains(where: secrets.sessions.contains)
        || Self.credentials(of: request, route?.isPage == true ? nil : target).contains(where: token.matches)
    else { throw .unauthorized }
  }

  /// Whether somebody followed a link, perhaps on another site, whose page learns nothing of the answer.
  private static func isVisit(_ request: HTTPRequest) -> Bool {
    let headers = request.headerFields
    return request.method == .get && headers[.origin] == nil && headers[.secFetchMode] == "navigate"
      && headers[.secFetchDest] == "document"
  }

  /// The origin of a request from a page of a site that may ask; nil for other requests.
  func sharedOrigin(of request: HTTPRequest) -> String? {
    guard let origin = request.headerFields[.origin], allowedOrigins.contains(origin) else { return nil }
    return origin
  }

  /// How the client reaches the server, for links in answers: `https://quotes.example`.
  func origin(for request: HTTPRequest) -> String {
    if let url = proxy.publicURL { return url }
    let scheme = proxy.scheme(of: request) ?? scheme
    return scheme + "://" + (proxy.host(of: request) ?? request.authority ?? "")
  }

  private func checkHost(_ host: String?, at address: SocketAddress?) throws(Refusal) -> Authority {
    guard let host, let authority = Authority(host) else {
      throw .invalid("the Host header is missing, repeated or malformed")
    }
    // No name of another site leads to these, and a tunnel or a mapped port is reached at any port.
    guard Self.loopbackNames.contains(authority.name) || isOurs(authority, at: address) else {
      let isKnown = names.contains(authority.name) || allowed.contains { $0.name == authority.name }
      throw .foreignHost(host, isKnown: isKnown)
    }
    return authority
  }

  static let loopbackNames: Set = ["localhost", "127.0.0.1", "[::1]"]

  private func checkOrigin(
    _ headers: HTTPFields, of host: Authority, at address: SocketAddress?
  ) throws(Refusal) {
    if let origin = headers[.origin] {
      let parts = origin.lowercased().split(separator: "://", maxSplits: 1)
      guard parts.count == 2, parts[0] == scheme || proxy.isTrusted && parts[0] == "https",
        let authority = Authority(parts[1]), authority == host || isOurs(authority, at: address)
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
  ///
  /// - Parameter target: the request's; nil for that of a page, which a browser remembers and shows to everybody.
  private static func credentials(of request: HTTPRequest, _ target: RequestTarget?) -> [String] {
    // The older API called the key a token.
    var texts = (target?.query ?? []).filter { QueryReader.credentials.contains($0.name) }.map(\.value)
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

extension SocketAddress {
  /// In place of the address that means all addresses of this machine, one of them at which others find it.
  var reachable: SocketAddress {
    guard let port, ipAddress == "0.0.0.0" || ipAddress == "::" else { return self }
    let all = ((try? System.enumerateDevices()) ?? []).compactMap(\.address)
    var address = all.first { $0.protocol == .inet && !$0.isLoopback }
    address?.port = port
    return address ?? (try? SocketAddress(ipAddress: "127.0.0.1", port: port)) ?? self
  }
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name("sec-fetch-site")!
  static let secFetchMode = HTTPField.Name("sec-fetch-mode")!
  static let secFetchDest = HTTPField.Name("sec-fetch-dest")!
  static let apiToken = HTTPField.Name("x-api-token")!
}
