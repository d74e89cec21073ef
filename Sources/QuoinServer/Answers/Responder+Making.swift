import NIOCore
import NIOPosix

/// An answer whose status and headers are settled, and where its bytes are.
struct ReadyAnswer: Sendable {
  enum Contents: Sendable {
    case bytes([UInt8])
    case file(SpoolFile)
    /// The file has the beginning; then come some bytes, and then those of the source. A place is held until the end.
    case stream(SpoolFile?, [UInt8], BodySource, StreamSlots.Slot)
    /// The numbers of commits, for as long as the client listens.
    case commits(any Channel, StreamSlots.Slot)
  }

  let status: Int
  var headers: [(name: String, value: String)]
  let contents: Contents

  init(status: Int, headers: [(name: String, value: String)], contents: Contents) {
    (self.status, self.headers, self.contents) = (status, headers, contents)
  }

  /// An answer that is whole.
  init(_ answer: OpenedAnswer) {
    self.init(status: answer.status, headers: answer.headers, contents: .bytes(answer.start))
  }

  init(_ refusal: Refusal) {
    let (headers, bytes) = refusal.answer
    self.init(status: refusal.status, headers: headers, contents: .bytes(bytes))
  }

  /// The value of a header of this lower-case name.
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The number of bytes; nil when it isn't known before they are sent.
  var byteCount: Int? {
    switch contents {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.byteCount
    case .stream, .commits: nil
    }
  }
}

extension Responder {
  /// Makes the rest of an answer.
  ///
  /// - Parameters:
  ///   - place: among the answers that are being made. It is given up when the answer turns out to be long.
  ///   - connection: the client's; without it nothing more is made.
  /// - Throws: `Refusal` when too many answers are being made, `ClientGone`, and what kept the store from being read.
  func ready(
    _ answer: FoundAnswer, _ place: StreamSlots.Slot, for connection: any Channel
  ) async throws -> ReadyAnswer {
    switch answer {
    case .kept(let answer): return ReadyAnswer(status: 200, headers: answer.headers, contents: .file(answer.file))
    case .opened(let answer, let key):
      guard let rest = answer.rest else { return ReadyAnswer(answer) }
      return try await spooled(answer, rest, key, place, for: connection)
    }
  }

  /// Makes the rest of a long answer, and keeps it for `key` if there is one.
  private func spooled(
    _ answer: OpenedAnswer, _ rest: BodySource, _ key: AnswerKey?, _ place: StreamSlots.Slot,
    for connection: any Channel
  ) async throws -> ReadyAnswer {
    let isWanted = { connection.isActive }
    var place = place
    let file = makeFile()
    var isLong = false
    var piece: [UInt8]? = answer.start
    while let bytes = piece {
      guard isWanted() else { throw ClientGone() }
      let hasRoom = try await inPool { file?.append(bytes) ?? false }
      if !isLong, !hasRoom || (file?.byteCount ?? 0) > ServerLimits.shortAnswerByteCount {
        place.free()
        place = try await longPlaces.take(within: ServerLimits.queueTime, isWanted: isWanted)
        isLong = true
      }
      guard hasRoom else {
        return ReadyAnswer(
          status: answer.status, headers: answer.headers, contents: .stream(file, bytes, rest, place))
      }
      piece = try await inPool { try rest.next(atLeast: ServerLimits.madeByteCount) }
    }
    place.free()
    guard let file else { throw Refusal.failed }
    if let key, answer.status == 200 { spool.keep(SpooledAnswer(headers: answer.headers, file: file), key) }
    return ReadyAnswer(status: answer.status, headers: answer.headers, contents: .file(file))
  }

  private func makeFile() -> SpoolFile? {
    do { return try spool.makeFile() } catch {
      logger.warning(
        "a long answer comes without its length, because it can't be kept in a file", metadata: ["error": "\(error)"])
      return nil
    }
  }
}

/// Does something that may wait for the disk, or takes long, on a thread for such work.
func inPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await NIOThreadPool.singleton.runIfActive(body)
}
