import Deflate
import QuandlService
import Synchronization

/// An answer's body, compressed if the client accepts that. Any thread may ask for the next piece.
final class BodySource: Sendable {
  private struct State {
    var body: AnswerBody
    var gzip: GzipStream?
    var isFinished = false
    /// Bytes that come once more.
    var again: [UInt8]?
  }

  private let state: Mutex<State>

  init(_ body: sending AnswerBody, compressed: Bool) {
    state = Mutex(State(body: body, gzip: compressed ? GzipStream() : nil))
  }

  /// The next bytes, about so many if there are as many, or nil at the end.
  func next(atLeast byteCount: Int) throws -> [UInt8]? {
    guard var bytes = try next() else { return nil }
    while bytes.count < byteCount, let more = try next() { bytes += more }
    return bytes
  }

  /// Takes back the bytes that came last. They are the next ones again.
  func putBack(_ bytes: [UInt8]) { state.withLock { $0.again = bytes } }

  /// The bytes that were put back, for which nothing has to be made.
  func takeBack() -> [UInt8]? { state.withLock { $0.again.take() } }

  /// The next bytes, at least one, or nil at the end.
  func next() throws -> [UInt8]? {
    try state.withLock { state in
      if let again = state.again.take() { return again }
      while !state.isFinished {
        let piece = try state.body.next()
        state.isFinished = piece == nil
        let bytes = state.gzip?.compress(piece ?? [], finish: piece == nil) ?? piece ?? []
        if !bytes.isEmpty { return bytes }
      }
      return nil
    }
  }
}

/// An answer whose first bytes have been made. The status is settled: later failures can't change it any more.
struct OpenedAnswer: Sendable {
  enum Contents: Sendable {
    case whole([UInt8])
    /// The source begins with the first bytes. Hundreds of answers may wait for the rest, so nobody else holds them.
    case begun(BodySource)
  }

  let status: Int
  var headers: [(name: String, value: String)]
  let contents: Contents

  /// - Parameter takesGzip: whether the client accepts gzip.
  /// - Throws: what the body throws.
  init(_ answer: sending ServiceAnswer, takesGzip: Bool) throws {
    status = answer.status
    let isCompressed = takesGzip && Self.isWorthGzip(answer.headers, answer.body.byteCount)
    headers = answer.headers + (isCompressed ? [("content-encoding", "gzip")] : [])
    let source = BodySource(answer.body, compressed: isCompressed)
    var start: [UInt8] = []
    while start.count < ServerLimits.bufferedByteCount {
      guard let piece = try source.next() else {
        contents = .whole(start)
        return
      }
      if start.isEmpty { start = piece } else { start += piece }
    }
    source.putBack(start)
    contents = .begun(source)
  }

  /// Whether gzip pays: for text, unless it is short.
  private static func isWorthGzip(_ headers: [(name: String, value: String)], _ byteCount: Int?) -> Bool {
    let type = headers.first { $0.name == "content-type" }?.value ?? ""
    guard type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix(MediaType.ndjson.name) else {
      return false
    }
    return (byteCount ?? .max) >= ServerLimits.compressedByteCount
  }
}

/// Whether an `accept-encoding` header accepts gzip.
func acceptsGzip(_ header: String?) -> Bool {
  guard let header else { return false }
  for part in header.lowercased().split(separator: ",") {
    let words = part.split(whereSeparator: { $0 == ";" || $0 == " " || $0 == "\t" })
    guard words.first == "gzip" || words.first == "x-gzip" || words.first == "*" else { continue }
    return !words.dropFirst().contains { $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) } }
  }
  return false
}
