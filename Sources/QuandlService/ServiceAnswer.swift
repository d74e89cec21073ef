/// The answer to a request.
public struct ServiceAnswer {
  /// The HTTP status.
  public var status: Int
  /// The headers that belong to the answer, `content-type` among them, by lower-case names.
  public var headers: [(name: String, value: String)]
  /// The bytes, which are made as they are read.
  public var body: AnswerBody
  /// The generation of the store that the answer shows; nil for an error.
  public var generation: UInt64?
  /// The failure behind a status of 500, for a log. The body says less.
  public var failure: (any Error)?

  /// An answer of these parts, without a generation or a failure.
  public init(status: Int = 200, headers: [(name: String, value: String)], body: AnswerBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// An answer's bytes, made piece by piece as they are asked for. So memory stays bounded, and the sender sets the pace.
public struct AnswerBody {
  /// The number of bytes, if it is known before they are made.
  public let byteCount: Int?
  private var nextPiece: () throws -> [UInt8]?

  /// A body whose bytes are known.
  public init(_ bytes: [UInt8]) {
    byteCount = bytes.count
    var rest: [UInt8]? = bytes
    nextPiece = {
      defer { rest = nil }
      return rest
    }
  }

  /// A body that is made piece by piece.
  ///
  /// - Parameter nextPiece: returns the next bytes, about 64 KiB, or nil at the end. An error ends the answer
  ///   unfinished.
  public init(pieces nextPiece: @escaping () throws -> [UInt8]?) {
    byteCount = nil
    self.nextPiece = nextPiece
  }

  /// The next bytes, or nil at the end.
  public mutating func next() throws -> [UInt8]? { try nextPiece() }
}
