#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a vendor's answer is. Vendors also say with success that a key is wrong or a day's requests are used up.
enum VendorAnswer {
  /// Lines under a header.
  case rows
  /// There are none.
  case noRows
  /// The vendor's words for a refusal.
  case refusal(String)

  init(_ bytes: [UInt8], of service: VendorService) {
    let text = String(decoding: bytes.prefix(2048), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let first = lines.first, text != "[]", first != service.emptyAnswer ?? "" else {
      self = .noRows
      return
    }
    if first.hasPrefix("{") || first.hasPrefix("[") {
      self = .refusal(Self.words(bytes) ?? "the answer is JSON where lines of CSV are expected: \(first.prefix(200))")
    } else if lines.count == 1, !first.contains(",") {
      self = .refusal(String(first.prefix(300)))
    } else {
      self = .rows
    }
  }

  /// What a refusal says for people: the text of JSON, or a plain one.
  static func words(_ bytes: [UInt8]) -> String? {
    if let text = try? JSONDecoder().decode(Words.self, from: Data(bytes)).text { return text }
    let text = String(decoding: bytes.prefix(600), as: UTF8.self).drop { $0.isWhitespace }
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.contains("<"), !line.hasPrefix("{"),
      !line.hasPrefix("[")
    else { return nil }
    return String(line.prefix(300))
  }

  /// An object whose members are texts under the names that vendors give to errors.
  private struct Words: Decodable {
    let text: String?

    private struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    private static let names = ["Error Message", "Information", "Note", "detail", "message", "error", "errors"]

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Name.self)
      text = Self.names.lazy.compactMap { try? object.decode(String.self, forKey: Name(stringValue: $0)) }.first
    }
  }
}
