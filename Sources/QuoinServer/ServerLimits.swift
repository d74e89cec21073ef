import QuandlService

/// Every limit of the server, in one place; each is a guard against a client that is broken, slow or hostile.
///
/// Times are in `Deadlines`.
public enum ServerLimits {
  /// Connections at a time; further ones wait in the operating system's queue until one ends.
  public static let connections = 1024

  /// Answers at a time that are longer than `bufferedByteCount`; further ones are refused with 503 and come again.
  public static let streams = 12

  /// Bytes of a request's target, the path and the query; beyond them 414. The clients that exist send questions of more
  /// than 6,300 as POST; the links to exports are the longest.
  public static let targetByteCount = ServiceLimits.linkByteCount

  /// Bytes of a request's target, header names and values; beyond them 431.
  public static let headByteCount = 16_384

  /// The same, beyond which nothing is read any more: 400, and the end of the connection.
  public static let parsedHeadByteCount = 2 * headByteCount

  /// Headers of a request; beyond them 400, and the end of the connection.
  public static let headerCount = 100

  /// Bytes of a request's body; beyond them 413.
  public static let bodyByteCount = 1 << 20

  /// Bytes of an answer that are made before its head is sent, so that what goes wrong in them is still told by the
  /// status, and so that most answers go out at once with their length.
  public static let bufferedByteCount = 128 << 10

  /// Answers of fewer bytes are not compressed.
  public static let compressedByteCount = 512

  /// Rows of a scan's answer; beyond them 422.
  public static let scanRowCount = 1_000_000

  /// Bytes of a request's target in the log.
  public static let loggedByteCount = 1024

  /// Characters of an access token, at least.
  public static let tokenByteCount = 16
}

/// How long a client may take. Tests have shorter ones.
public struct Deadlines: Sendable {
  /// From the first byte of a request, or of the connection, to the end of its headers.
  public var head = Duration.seconds(10)
  /// From the end of the headers to the end of the body.
  public var body = Duration.seconds(30)
  /// From an answer to the next request.
  public var idle = Duration.seconds(60)
  /// For taking the bytes that wait in memory, about 64 KiB, once they are so many.
  public var stall = Duration.seconds(30)
  /// For closing the connection on its side, when the server has.
  public var linger = Duration.seconds(2)
  /// For taking a whole answer.
  public var answer = Duration.seconds(3600)
  /// For the answers under way when the server is told to stop.
  public var shutdown = Duration.seconds(30)

  /// The deadlines that the server has by default.
  public init() {}
}
