import QuandlService

/// The target of a request, the path and the query, taken apart once for everything that needs its parts.
struct RequestTarget: Sendable {
  /// Without percent-encoding: `/api/v3/datasets/WIKI/FDX`.
  let path: RequestPath
  /// The names and values in their order, without percent-encoding. A name without a value has an empty one.
  let query: [(name: String, value: String)]
  /// The names without a `=`.
  let namesAlone: [String]
  private let encodedPath: Substring.UTF8View
  /// The query's names and values as they came; nil if there is no question mark.
  private let encodedQuery: [EncodedPair]?

  private struct EncodedPair {
    let name: Substring.UTF8View
    let value: Substring.UTF8View
    /// Whether the name has no `=`.
    let isAlone: Bool
  }

  init(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    encodedPath = parts[0]
    encodedQuery = parts.count < 2 ? nil : Self.pairs(parts[1])
    path = RequestPath(Self.decoded(encodedPath, plusIsSpace: false))
    query = (encodedQuery ?? []).map { (Self.decoded($0.name), Self.decoded($0.value)) }
    namesAlone = (encodedQuery ?? []).filter(\.isAlone).map { Self.decoded($0.name) }
  }

  /// Whether the target is a path, which begins with a slash, and not `*` or the like.
  var isPath: Bool { encodedPath.first == UInt8(ascii: "/") }

  /// A query's names and values, still encoded.
  private static func pairs(_ query: Substring.UTF8View) -> [EncodedPair] {
    query.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return EncodedPair(name: parts[0], value: parts.count > 1 ? parts[1] : pair.suffix(0), isAlone: parts.count < 2)
    }
  }

  private static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool = true) -> String {
    String(decoding: decoded(Array(text), plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// Text without its percent-encoding. A percent sign without two hexadecimal digits stays, as in browsers.
  static func decoded(_ text: [UInt8], plusIsSpace: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexDigit),
        let low = rest.dropFirst().first.flatMap(hexDigit)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return bytes
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension RequestTarget {
  /// Words in the names of parameters whose values are secrets.
  private static let secretWords = ["key", "token", "secret", "password", "auth"]

  /// The target for the log: on one line, cut off if it is long, and without the secrets in it.
  ///
  /// - Parameter token: the server's, which is a secret wherever it stands and however it is encoded.
  func logged(without token: AccessToken?) -> String {
    let mark = "REDACTED"
    let isSecret = { (text: String) in token?.occurs(in: text) == true }
    let path = Self.shown(encodedPath)
    var target = isSecret(path) ? "/" + mark : path
    if let encodedQuery {
      let pairs = encodedQuery.map { pair in
        let (name, value) = (Self.shown(pair.name), Self.shown(pair.value))
        let isHidden = isSecret(value) || Self.isSecretName(Self.decoded(pair.name))
        return (isSecret(name) ? mark : name) + "=" + (isHidden ? mark : value)
      }
      target += "?" + pairs.joined(separator: "&")
    }
    // A token with separators in it.
    if isSecret(target) { target = "/" + mark }
    guard target.utf8.count > ServerLimits.loggedByteCount else { return target }
    return String(decoding: target.utf8.prefix(ServerLimits.loggedByteCount), as: UTF8.self) + "..."
  }

  /// The target as it came, but for the parameters that are secrets; the first page if the path is one.
  func kept(without token: AccessToken?) -> String {
    var target = String(decoding: Array(encodedPath), as: UTF8.self)
    let pairs = (encodedQuery ?? []).map {
      (name: String(decoding: Array($0.name), as: UTF8.self), value: String(decoding: Array($0.value), as: UTF8.self))
    }.filter { pair in
      !Self.isSecretName(Self.decoded(Substring(pair.name).utf8)) && token?.occurs(in: pair.name) != true
        && token?.occurs(in: pair.value) != true
    }
    if !pairs.isEmpty { target += "?" + pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&") }
    return token?.occurs(in: target) == true ? "/" : target
  }

  /// Whether the token stands where it doesn't belong: anywhere but as an API key.
  func misplaces(_ token: AccessToken) -> Bool {
    token.occurs(in: path.text)
      || query.contains { pair in
        token.occurs(in: pair.name) || !QueryReader.credentials.contains(pair.name) && token.occurs(in: pair.value)
      }
  }

  private static func isSecretName(_ name: String) -> Bool {
    let name = name.lowercased()
    return secretWords.contains(where: name.contains)
  }

  /// Printable ASCII as it is, and everything else percent-encoded, so that no request can forge lines of the log.
  static func shown(_ text: Substring.UTF8View) -> String {
    var shown = ""
    for byte in text {
      if (0x21...0x7e).contains(byte), byte != UInt8(ascii: "\"") {
        shown.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        shown += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return shown
  }
}
