import QuandlService
import Quoin

/// A tag by which a client learns that its copy of an answer is still good. It is made of the commit that the answer
/// shows and of the `accept` header. Two requests for one URL with equal tags have the same answer except for
/// compression, so the tags are weak.
struct EntityTag: Sendable {
  let text: String

  init(_ stamp: StoreStamp, accept: String?) {
    // FNV-1a.
    let form = (accept ?? "").utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let parts = [stamp.generation, stamp.checksum, form].map { String($0, radix: 36) }
    text = "W/\"" + parts.joined(separator: "-") + "\""
  }

  /// Whether an `if-none-match` header contains the tag.
  func isIn(_ header: String?) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { Self.opaque($0.drop { $0 == " " }) == Self.opaque(text[...]) }
  }

  private static func opaque(_ tag: Substring) -> Substring {
    let end = tag.lastIndex { $0 != " " }.map { tag.index(after: $0) } ?? tag.endIndex
    let tag = tag[..<end]
    return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
  }
}

extension ServiceAnswer {
  /// Says that the client's copy is still good.
  static func notModified(_ tag: EntityTag) -> ServiceAnswer {
    ServiceAnswer(status: 304, headers: caching(tag), body: AnswerBody([]))
  }

  /// Headers that let a client keep an answer, but make it ask each time whether its copy is still good.
  static func caching(_ tag: EntityTag) -> [(name: String, value: String)] {
    [("etag", tag.text), ("cache-control", "private, no-cache"), ("vary", "accept, accept-encoding")]
  }
}
