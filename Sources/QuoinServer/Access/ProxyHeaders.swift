import HTTPTypes

/// What is known of the way to the server through a proxy in front of it: what the server was told, and what the proxy says in
/// its headers if it is trusted. Without a proxy anyone could send these headers.
struct ProxyHeaders: Sendable {
  /// The URL at which clients reach the server, without a slash at its end.
  var publicURL: String?
  var isTrusted = false

  /// The scheme that the client used.
  func scheme(of request: HTTPRequest) -> String? {
    let scheme = value("x-forwarded-proto", "proto", in: request)?.lowercased()
    return scheme == "http" || scheme == "https" ? scheme : nil
  }

  /// The host that the client asked for.
  func host(of request: HTTPRequest) -> String? {
    value("x-forwarded-host", "host", in: request).flatMap { Authority($0) == nil ? nil : $0 }
  }

  /// The address of the client.
  func client(of request: HTTPRequest) -> String? { value("x-forwarded-for", "for", in: request) }

  /// What the nearest proxy says: it writes the last element.
  private func value(_ name: String, _ parameter: String, in request: HTTPRequest) -> String? {
    guard isTrusted else { return nil }
    if let name = HTTPField.Name(name), let value = request.headerFields[name] { return Self.last(value) }
    guard let name = HTTPField.Name("forwarded"), let forwarded = request.headerFields[name] else { return nil }
    for part in (Self.last(forwarded) ?? "").split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
      if sides.count == 2, sides[0].lowercased() == parameter { return sides[1] }
    }
    return nil
  }

  private static func last(_ list: String) -> String? {
    list.split(separator: ",").last.map { $0.filter { $0 != " " } }
  }
}
