import HTTPTypes
import Quoin

/// What a request's headers say of the copy that its client has already, whole or in part (RFC 9110, 13 and 14).
struct Conditions: Sendable {
  /// The part that is wanted; nil for the whole answer.
  let range: ByteRange?
  private let ifMatch: String?
  private let ifNoneMatch: String?
  private let ifRange: String?
  private let ifModifiedSince: String?

  /// What a request with these headers that only reads says.
  init(_ headers: HTTPFields, isGet: Bool) {
    range = isGet ? headers[.range].flatMap { ByteRange($0) } : nil
    (ifMatch, ifNoneMatch) = (headers[.ifMatch], headers[.ifNoneMatch])
    (ifRange, ifModifiedSince) = (headers[.ifRange], headers[.ifModifiedSince])
  }

  /// The tag of the answer of which the client has a part and wants more; nil if it names none.
  var heldTag: String? {
    for header in [range == nil ? nil : ifRange, ifMatch] {
      if let header, header.hasPrefix("\"") { return header }
    }
    return nil
  }

  /// Whether the client wants an answer only if it is one with a tag, and this one isn't.
  func excludes(_ tag: EntityTag) -> Bool {
    guard let ifMatch, ifMatch != "*" else { return false }
    return !tag.isIn(ifMatch, isWeak: false)
  }

  /// Whether the client has the whole answer already.
  func includesCopy(_ tag: EntityTag, _ time: CommitTime) -> Bool {
    if let ifNoneMatch { return tag.isIn(ifNoneMatch) }
    return ifModifiedSince == time.httpDate
  }

  /// Whether the client has a copy of which it doesn't say the tag, and any copy will do.
  var includesAnyCopy: Bool { ifNoneMatch == "*" }

  /// The wanted part of the answer with this tag: nil for all of it, because the client's part is of another one.
  func range(of tag: String?, _ time: String?) -> ByteRange? {
    guard let ifRange else { return range }
    return ifRange == tag || ifRange == time ? range : nil
  }
}

extension CommitTime {
  /// The moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
  var httpDate: String {
    let text = description
    let parts = text.prefix(10).split(separator: "-")
    let weekday = Self.weekdays[((Int(day.daysSince1970) % 7) + 7) % 7]
    return
      "\(weekday), \(parts[2]) \(Self.months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(text.dropFirst(11).prefix(8)) GMT"
  }

  /// From the day of 1970-01-01 on.
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
