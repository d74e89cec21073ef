/// A host and a port, as in `Host` and `Origin`: `localhost:8977`, `[::1]:80`, `quotes.example`.
struct Authority: Hashable, Sendable {
  /// The host in lower case; an IPv6 address is in brackets.
  let name: String
  let port: Int?

  init(name: String, port: Int?) {
    self.name = name
    self.port = port
  }

  /// - Parameter text: a host and perhaps a port, without a user or a path.
  init?(_ text: some StringProtocol) {
    let text = text.lowercased()
    let nameEnd = Self.nameEnd(text)
    let (name, rest) = (text[..<nameEnd], text[nameEnd...])
    guard !name.isEmpty, Self.isName(name) else { return nil }
    self.name = String(name)
    if rest.isEmpty {
      port = nil
    } else {
      guard rest.hasPrefix(":"), let number = Self.port(rest.dropFirst()) else { return nil }
      port = number
    }
  }

  private static func nameEnd(_ text: String) -> String.Index {
    guard text.hasPrefix("[") else { return text.firstIndex(of: ":") ?? text.endIndex }
    return text.firstIndex(of: "]").map(text.index(after:)) ?? text.endIndex
  }

  private static func isName(_ name: Substring) -> Bool {
    guard name.hasPrefix("[") else {
      return name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }
    return name.hasSuffix("]") && name.utf8.count > 2
      && name.utf8.dropFirst().dropLast().allSatisfy {
        isLetterOrDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func port(_ digits: Substring) -> Int? {
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(digits).flatMap { $0 <= 65_535 ? $0 : nil }
  }
}
