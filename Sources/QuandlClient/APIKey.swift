/// The key by which the service knows its user. Only `text` has it: printing or dumping a client doesn't show it.
struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The key; nil without one.
  let text: String?
  /// Where it goes in a request.
  let place: VendorService.KeyPlace
  /// The key's first byte in lower case.
  private let firstByte: UInt8?

  /// - Throws: `QuandlClientError` if a header can't carry the key. The transport's own error would show it.
  init(_ text: String?, in place: VendorService.KeyPlace = .quandl) throws(QuandlClientError) {
    self.place = place
    guard let text, !text.isEmpty else {
      (self.text, firstByte) = (nil, nil)
      return
    }
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), text.utf8.count <= 4096 else {
      throw QuandlClientError(
        .usage, "the API key has a character that no key has (a space, a line break?); check where it comes from")
    }
    self.text = text
    firstByte = text.utf8.first.map(Self.lowercased)
  }

  /// The header that has the key; nil for none.
  var header: (name: String, value: String)? {
    guard let text, case .header(let name, let prefix) = place else { return nil }
    return (name, prefix + text)
  }

  /// An address with the key, if that is where it goes. A target of a redirection may have it already.
  func added(to address: String) -> String {
    guard let text, case .parameter(let name) = place,
      !Self.items(of: address).contains(where: { $0.name == name })
    else { return address }
    return "\(address)\(address.contains("?") ? "&" : "?")\(name)=\(ServiceBase.encoded(text))"
  }

  /// Whether who gets this address gets the key.
  func isGiven(by address: String) -> Bool {
    guard let text else { return false }
    let isLong = text.utf8.count >= Self.readByteCountMin
    return isLong ? isIn(address) : Self.items(of: address).contains { redacted(String($0.value)) == "***" }
  }

  /// The items of an address's query, as they are.
  private static func items(of address: String) -> [(name: Substring, value: Substring)] {
    address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }.split(separator: "&").map { item in
      (item.prefix { $0 != "=" }, item.drop { $0 != "=" }.dropFirst())
    }
  }

  var description: String { text == nil ? "no key" : "***" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

// Services repeat the key in their answers, also in the spelling of addresses, and in lower case as the name of a host.
extension APIKey {
  /// A shorter key may be a part of a word or a number, so it is left out of what is shown, and not of what is read.
  private static let readByteCountMin = 16

  /// The text without the key.
  func redacted(_ shown: String) -> String {
    isIn(shown) ? String(decoding: without(Array(shown.utf8)), as: UTF8.self) : shown
  }

  /// An answer without the key, so that nothing that is made of a part of it can show a part of the key.
  func redacted(_ answer: [UInt8]) -> [UInt8] {
    guard let text, text.utf8.count >= Self.readByteCountMin else { return answer }
    return without(answer)
  }

  private func isIn(_ shown: String) -> Bool {
    let bytes = Array(shown.utf8)
    return bytes.indices.contains { matchedByteCount(bytes, at: $0) > 0 }
  }

  private func without(_ bytes: [UInt8]) -> [UInt8] {
    var (result, start, index) = ([UInt8](), 0, 0)
    while index < bytes.count {
      let count = matchedByteCount(bytes, at: index)
      if count > 0 {
        result += bytes[start..<index] + Array("***".utf8)
        start = index + count
      }
      index += max(count, 1)
    }
    return start == 0 ? bytes : result + bytes[start...]
  }

  /// How many bytes the key takes here, as it is or as addresses spell it; 0 if it isn't here.
  private func matchedByteCount(_ bytes: [UInt8], at start: Int) -> Int {
    // Nearly all bytes of a long answer end here.
    guard Self.lowercased(bytes[start]) == firstByte || bytes[start] == UInt8(ascii: "%") else { return 0 }
    let count = matchedByteCount(bytes, at: start, isEscaped: false)
    return count > 0 ? count : matchedByteCount(bytes, at: start, isEscaped: true)
  }

  private func matchedByteCount(_ bytes: [UInt8], at start: Int, isEscaped: Bool) -> Int {
    guard let text else { return 0 }
    var end = start
    for byte in text.utf8 {
      guard end < bytes.count else { return 0 }
      let escaped = isEscaped ? Self.escaped(bytes, at: end) : nil
      guard Self.lowercased(escaped ?? bytes[end]) == Self.lowercased(byte) else { return 0 }
      end += escaped == nil ? 1 : 3
    }
    return end - start
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }

  /// The byte that `%2B` stands for.
  private static func escaped(_ bytes: [UInt8], at index: Int) -> UInt8? {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count else { return nil }
    return UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
  }
}
