import QuandlService
import Quoin

/// A tag by which a client learns that its copy of an answer is still good, and with which it asks for the rest of one.
///
/// It is made of the commit that the answer shows and of everything else that an answer to one URL depends on. So two
/// answers with equal tags are equal byte for byte: the tag is strong.
struct EntityTag: Sendable {
  let text: String

  /// - Parameter takesGzip: whether the answer may be compressed.
  init(_ stamp: StoreStamp, _ request: ServiceRequest, takesGzip: Bool) {
    // FNV-1a. Links in answers have the origin, and another version may write an answer in another way.
    let form = [request.accept ?? "", takesGzip ? "gzip" : "", request.origin, Release.version].joined(separator: "\n")
    let hash = form.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    text = "\"" + [stamp.generation, stamp.checksum, hash].map { String($0, radix: 36) }.joined(separator: "-") + "\""
  }

  /// Whether a list of tags contains the tag, or also a weak form of it.
  func isIn(_ list: String, isWeak: Bool = true) -> Bool {
    list.split(separator: ",").contains { Self.strong($0, isWeak) == text[...] }
  }

  private static func strong(_ tag: Substring, _ isWeak: Bool) -> Substring {
    let start = tag.drop { $0 == " " }
    let end = start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.endIndex
    let tag = start[..<end]
    return isWeak && tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
  }
}

extension ServiceAnswer {
  /// Says that the client's copy is still good.
  static func notModified(_ tag: EntityTag, _ time: CommitTime) -> ServiceAnswer {
    ServiceAnswer(status: 304, headers: caching(tag, time), body: AnswerBody([]))
  }

  /// Headers that let a client keep an answer, but make it ask each time whether its copy is still good, or ask for a
  /// part of it.
  static func caching(_ tag: EntityTag, _ time: CommitTime) -> [(name: String, value: String)] {
    [
      ("etag", tag.text), ("cache-control", "private, no-cache"), ("vary", "accept, accept-encoding"),
      ("accept-ranges", "bytes"),
    ] + (time.isPast ? [("last-modified", time.httpDate)] : [])
  }
}

extension CommitTime {
  /// Whether no later commit can have the same second: a client couldn't tell them apart by the time.
  fileprivate var isPast: Bool { secondsSince1970 + 2 <= currentTime().secondsSince1970 }
}
