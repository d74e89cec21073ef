#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The secret that clients must send. It is never printed.
public struct AccessToken: Sendable {
  private let bytes: [UInt8]

  /// The token in a file, without the white space around it.
  ///
  /// - Throws: `ServerError.badToken` if the file can't be read or doesn't hold a token.
  public init(contentsOf path: String) throws(ServerError) {
    guard let data = FileManager.default.contents(ofRegularFile: path) else {
      throw .badToken(path: path, reason: "can't be read")
    }
    do { try self.init(String(decoding: data, as: UTF8.self), path: path) }
  }

  init(_ text: String, path: String = "") throws(ServerError) {
    let words = text.utf8.split(whereSeparator: Self.isSpace)
    bytes = words.count == 1 ? Array(words[0]) : []
    guard bytes.count >= ServerLimits.tokenByteCount, bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .badToken(
        path: path, reason: "has to hold one word of \(ServerLimits.tokenByteCount) or more ASCII characters")
    }
  }

  /// For the server itself, to see whether another token is another.
  var text: [UInt8] { bytes }

  /// Whether a text is the token. The time this takes depends on the text alone, so that measuring it reveals nothing
  /// about the token.
  func matches(_ text: some StringProtocol) -> Bool {
    var difference = 0
    var index = 0
    for byte in text.utf8 {
      difference |= Int(byte ^ bytes[index])
      index = index + 1 == bytes.count ? 0 : index + 1
    }
    return difference | (text.utf8.count ^ bytes.count) == 0
  }

  /// Whether a text has the token in it, as it is or percent-encoded once or several times.
  func occurs(in text: some StringProtocol) -> Bool {
    var text = Array(text.utf8)
    // Each round takes two bytes of every escape away.
    for _ in 0..<Self.encodingDepth {
      if isPart(of: text) { return true }
      let decoded = RequestTarget.decoded(text, plusIsSpace: false)
      guard decoded.count < text.count else { return false }
      text = decoded
    }
    return isPart(of: text)
  }

  private static let encodingDepth = 4

  private func isPart(of text: [UInt8]) -> Bool {
    guard text.count >= bytes.count else { return false }
    return (0...(text.count - bytes.count)).contains { start in
      text[start] == bytes[0] && text[start..<(start + bytes.count)].elementsEqual(bytes)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}

extension FileManager {
  /// The bytes of a file; nil if they can't be read, or the path leads to a pipe or the like, which may keep a reader waiting for
  /// ever.
  func contents(ofRegularFile path: String) -> Data? {
    let end = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard (try? attributesOfItem(atPath: end))?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return contents(atPath: path)
  }
}
