#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server that passes requests on. None of its texts has the password.
public struct Proxy: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  enum Kind: String {
    case http, socks5
  }

  let kind: Kind
  let host: String
  let port: Int
  /// User and password in Base64; nil for none.
  let credentials: String?

  /// The value of the header with user and password.
  var authorization: String? { credentials.map { "Basic \($0)" } }

  /// The proxy that `text` names, as curl reads it: `http://user:password@proxy.example:3128`, `socks5://127.0.0.1:1080`.
  ///
  /// Without a scheme it is an HTTP proxy. Without a port, it is 1080.
  ///
  /// - Throws: `QuandlClientError`, also for a SOCKS proxy with a password, and for a proxy that is spoken to with TLS.
  public init(_ text: String) throws(QuandlClientError) {
    guard let url = URL(string: text.contains("://") ? text : "http://\(text)"), let host = url.host(), !host.isEmpty
    else {
      throw Self.error("isn't an address")
    }
    switch url.scheme?.lowercased() {
    case "http": kind = .http
    case "socks5", "socks5h": kind = .socks5
    default: throw Self.error("is of a kind that this client doesn't know")
    }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    port = url.port ?? 1080
    credentials = url.user(percentEncoded: false).map {
      Data("\($0):\(url.password(percentEncoded: false) ?? "")".utf8).base64EncodedString()
    }
    if kind == .socks5, credentials != nil { throw Self.error("is a SOCKS proxy with a password") }
  }

  // The text isn't shown, because it may have a password.
  private static func error(_ reason: String) -> QuandlClientError {
    QuandlClientError(
      .usage,
      "the address of the proxy \(reason); write one such as http://user:password@host:3128 or socks5://host:1080")
  }

  /// The address without user and password: `http://proxy.example:3128`.
  public var description: String { "\(kind)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
  /// The same.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
