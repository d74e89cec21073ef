#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The address of the service.
struct ServiceBase: Sendable {
  /// The address without a slash at the end: `http://127.0.0.1:8977/api/v3`.
  let text: String
  let origin: Origin

  /// The base that `text` names.
  ///
  /// - Parameter usualPath: the path of an address that has none.
  init(_ text: String, usualPath: String = "/api/v3") throws(QuandlClientError) {
    guard let url = URL(string: text), let origin = Origin(url) else {
      throw Self.error("isn't the address of a service")
    }
    // The whole address is shown in errors and kept in the store.
    guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil else {
      throw Self.error("may have only a host and a path; pass the key separately")
    }
    self.origin = origin
    let trimmed = text.withoutLastSlashes
    self.text = url.path.allSatisfy { $0 == "/" } ? trimmed + usualPath : trimmed
  }

  // The text isn't shown, because it may have a key.
  private static func error(_ reason: String) -> QuandlClientError {
    QuandlClientError(
      .usage, "the service's address \(reason); write one such as http://127.0.0.1:8977/api/v3")
  }

  /// The address of a route, whose words are encoded already. Items without a value are left out.
  func url(_ route: String, _ query: [(name: String, value: String?)] = []) -> ServiceURL {
    let items = query.compactMap { item in
      item.value.map { "\(Self.encoded(item.name))=\(Self.encoded($0))" }
    }
    let text = items.isEmpty ? "\(text)/\(route)" : "\(text)/\(route)?\(items.joined(separator: "&"))"
    return ServiceURL(text: text, shown: text, origin: origin)
  }

  /// Percent-encodes everything except unreserved characters (RFC 3986, 2.3).
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}

extension String {
  var withoutLastSlashes: String { String(reversed().drop { $0 == "/" }.reversed()) }
}

/// Scheme, host and port, which decide whether the key may be sent.
struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = url.host(),
      !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host.lowercased()
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }
}

/// An address, and the part of it that may be shown.
struct ServiceURL: Sendable {
  let text: String
  /// The address as errors and records show it.
  let shown: String
  let origin: Origin

  /// The target of a link or a redirection from here; nil if it must not be followed: to a scheme other than HTTP's, or from
  /// a secure connection to an insecure one.
  ///
  /// Its query is not shown, because it may have a signature that is as good as a key.
  func following(_ link: String) -> ServiceURL? {
    guard let here = URL(string: text), let url = URL(string: link, relativeTo: here)?.absoluteURL,
      let target = Origin(url), origin.scheme == "http" || target.scheme == "https", url.user == nil
    else { return nil }
    let text = url.absoluteString
    return ServiceURL(text: text, shown: String(text.prefix { $0 != "?" && $0 != "#" }), origin: target)
  }
}
