import NIOCore
import Quoin

/// An answer whose status and headers are settled, and where its bytes are.
struct ReadyAnswer: Sendable {
  enum Contents: Sendable {
    case bytes([UInt8])
    case file(any AnswerFile)
    /// The file has the beginning; then come the bytes of the source, which are made by work.
    case stream(SpoolFile?, BodySource, QuestionWork)
    /// The numbers of commits, for as long as the client listens.
    case commits(any Channel, ListenerPlaces.Place)
  }

  let status: Int
  var headers: [(name: String, value: String)]
  let contents: Contents
  /// Whether somebody asked without the right token.
  var isUnauthorized = false

  init(status: Int, headers: [(name: String, value: String)], contents: Contents) {
    (self.status, self.headers, self.contents) = (status, headers, contents)
    isUnauthorized = status == 401
  }

  /// All of an answer, made now.
  ///
  /// - Throws: what the body throws.
  init(_ answer: OpenedAnswer) throws {
    let bytes =
      switch answer.contents {
      case .whole(let bytes): bytes
      case .begun(let source): try source.next(atLeast: .max) ?? []
      }
    self.init(status: answer.status, headers: answer.headers, contents: .bytes(bytes))
  }

  init(_ refusal: Refusal) {
    let (headers, bytes) = refusal.answer
    self.init(status: refusal.status, headers: headers, contents: .bytes(bytes))
  }

  /// Whether there is work to do while it is sent.
  var isBeingMade: Bool { if case .stream = contents { true } else { false } }

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
  /// - Throws: `Refusal`, `ClientGone`, and what kept the store from being read.
  func ready(_ answer: FoundAnswer, _ work: QuestionWork) async throws -> ReadyAnswer {
    switch answer {
    case .kept(let answer): return ReadyAnswer(status: 200, headers: answer.headers, contents: .file(answer.file))
    case .opened(let answer, let key):
      switch answer.contents {
      case .whole: return try ReadyAnswer(answer)
      case .begun(let source): return try await spooled(answer, source, key, work)
      }
    }
  }

  /// Makes the rest of a long answer, and keeps it for `key` if there is one.
  private func spooled(
    _ answer: OpenedAnswer, _ source: BodySource, _ key: AnswerKey?, _ work: QuestionWork
  ) async throws -> ReadyAnswer {
    let file = await makeFile()
    // What has been made of an answer that waits for its next turn is in the file, and nowhere else.
    var isKept = try await keep(source.takeBack() ?? [], of: source, in: file)
    while isKept, let bytes = try await questions.run(work, { try source.next(atLeast: ServerLimits.madeByteCount) }) {
      isKept = try await keep(bytes, of: source, in: file)
    }
    guard isKept, let file else {
      return ReadyAnswer(status: answer.status, headers: answer.headers, contents: .stream(file, source, work))
    }
    if let key, answer.status == 200 { spool.keep(SpooledAnswer(headers: answer.headers, file: file), key) }
    return ReadyAnswer(status: answer.status, headers: answer.headers, contents: .file(file))
  }

  /// Adds bytes of an answer to its file, or puts them back if there is no room.
  private func keep(_ bytes: [UInt8], of source: BodySource, in file: SpoolFile?) async throws -> Bool {
    let isKept = try await onFileThread { file?.append(bytes) ?? false }
    if !isKept { source.putBack(bytes) }
    return isKept
  }

  private func makeFile() async -> SpoolFile? {
    do { return try await onFileThread { try spool.makeFile() } } catch {
      logger.warning(
        "a long answer comes without its length, because it can't be kept in a file",
        metadata: ["error": "\("\(error)".printable)"])
      return nil
    }
  }
}

/// Threads that wait for the disk on which long answers are kept.
private let fileThreads = ThreadPool(threadCount: 8, givesWay: false)

/// Does something that may wait for a disk, but for nobody's turn.
func onFileThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    fileThreads.run { continuation.resume(with: Swift.Result { try body() }) }
  }
}
