/// What the service says to a question.
public struct ServiceAnswer {
  /// The HTTP status.
  public var status: Int
  /// The headers that belong to the answer, `content-type` among them, by lower-case names.
  public var headers: [(name: String, value: String)]
  /// The body, made as it is read.
  public var body: AnswerBody
  /// The generation of the store that the answer shows; nil for an error, which depends on none.
  public var generation: UInt64?
  /// What went wrong inside, for a log: with a status of 500, whose body says less.
  public var failure: (any Error)?

  /// An answer that depends on no generation; `generation` and `failure` are set afterwards.
  public init(status: Int = 200, headers: [(name: String, value: String)], body: AnswerBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// An answer's bytes, made piece by piece as they are asked for, so that memory stays bounded and whoever sends them sets
/// the pace.
public struct AnswerBody {
  /// How many bytes there are, where that is known before they are made.
  public let byteCount: Int?
  private var nextPiece: () throws -> [UInt8]?

  /// All bytes at once.
  public init(_ bytes: [UInt8]) {
    byteCount = bytes.count
    var rest: [UInt8]? = bytes
    nextPiece = {
      defer { rest = nil }
      return rest
    }
  }

  /// - Parameter nextPiece: the next bytes, some 64 KiB of them, or nil at the end. An error ends the answer unfinished.
  public init(pieces nextPiece: @escaping () throws -> [UInt8]?) {
    byteCount = nil
    self.nextPiece = nextPiece
  }

  /// The next bytes, or nil at the end.
  public mutating func next() throws -> [UInt8]? { try nextPiece() }
}
