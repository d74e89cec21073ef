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
    guard let data = FileManager.default.contents(atPath: path) else {
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

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
