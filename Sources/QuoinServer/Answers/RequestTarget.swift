/// What a request's first line names, taken apart.
struct RequestTarget: Sendable {
  /// Without percent-encoding and without the query: `/api/v3/datasets/WIKI/FDX`.
  let path: String
  /// Names and values in their order, decoded; a name without a value has an empty one.
  let query: [(name: String, value: String)]

  /// - Parameter text: a path that begins with a slash, and perhaps a query.
  /// - Throws: `Refusal` when it begins otherwise.
  init(_ text: String) throws(Refusal) {
    guard text.utf8.first == UInt8(ascii: "/") else { throw .invalid("the request names no path that begins with '/'") }
    let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = Self.decoded(parts[0], plusIsSpace: false)
    query = parts.count < 2 ? [] : Self.pairs(parts[1]).map { (Self.decoded($0.name), Self.decoded($0.value)) }
  }

  /// A query's names and values, still encoded.
  static func pairs(_ query: Substring.UTF8View) -> [(name: Substring.UTF8View, value: Substring.UTF8View)] {
    query.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0], parts.count > 1 ? parts[1] : pair.suffix(0))
    }
  }

  /// Text without its percent-encoding; a percent sign that begins none stays, as browsers have it.
  static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool = true) -> String {
    var bytes: [UInt8] = []
    var rest = text
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
    return String(decoding: bytes, as: UTF8.self)
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
  /// The names under which secrets travel in a query.
  private static let secretNames: Set<String> = ["api_key", "auth_token", "token"]

  /// A request's target for the log: on one line, not too long, and without the secrets in it.
  static func redacted(_ text: String) -> String {
    let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    var target = shown(parts[0])
    if parts.count > 1 {
      let pairs = pairs(parts[1]).map { name, value in
        secretNames.contains(decoded(name).lowercased()) ? shown(name) + "=REDACTED" : shown(name) + "=" + shown(value)
      }
      target += "?" + pairs.joined(separator: "&")
    }
    guard target.utf8.count > ServerLimits.loggedByteCount else { return target }
    return String(decoding: target.utf8.prefix(ServerLimits.loggedByteCount), as: UTF8.self) + "..."
  }

  /// Printable ASCII as it is, and all else percent-encoded, so that no request can write log lines of its own.
  private static func shown(_ text: Substring.UTF8View) -> String {
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
