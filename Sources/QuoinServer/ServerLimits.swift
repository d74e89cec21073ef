import QuandlService

/// Every limit of the server. Each guards against clients that are broken, slow or hostile.
///
/// The limits of time are in `Deadlines`.
public enum ServerLimits {
  /// Simultaneous connections. Further ones wait in the operating system's queue until one ends.
  public static let connections = 1024

  /// Simultaneous answers that are longer than `bufferedByteCount`. Further ones are refused with 503 and should be
  /// retried.
  public static let streams = 12

  /// Bytes of a request's target, the path and the query; beyond them 414. Existing clients send longer questions than
  /// 6,300 bytes as POST; the links to exports are the longest targets.
  public static let targetByteCount = ServiceLimits.linkByteCount

  /// Bytes of a request's target, header names and values; beyond them 431.
  public static let headByteCount = 16_384

  /// Bytes of a head at which reading stops: 400, and the connection ends.
  public static let parsedHeadByteCount = 2 * headByteCount

  /// Headers of a request; beyond them 400, and the connection ends.
  public static let headerCount = 100

  /// Bytes of a request's body; beyond them 413.
  public static let bodyByteCount = 1 << 20

  /// Bytes of an answer that are made before its head is sent. A failure among them still changes the status, and most
  /// answers are sent whole, with their length.
  public static let bufferedByteCount = 128 << 10

  /// Answers of fewer bytes are not compressed.
  public static let compressedByteCount = 512

  /// Rows of a scan's answer; beyond them 422.
  public static let scanRowCount = 1_000_000

  /// Bytes of a request's target in the log.
  public static let loggedByteCount = 1024

  /// The least number of characters of an access token.
  public static let tokenByteCount = 16
}

/// How long a client may take. Tests use shorter times.
public struct Deadlines: Sendable {
  /// From the first byte of a request, or of the connection, to the end of its headers.
  public var head = Duration.seconds(10)
  /// From the end of the headers to the end of the body.
  public var body = Duration.seconds(30)
  /// From an answer to the next request.
  public var idle = Duration.seconds(60)
  /// For taking the bytes that wait in memory, once they exceed about 64 KiB.
  public var stall = Duration.seconds(30)
  /// For closing the client's side of the connection, once the server has closed its own.
  public var linger = Duration.seconds(2)
  /// For taking a whole answer.
  public var answer = Duration.seconds(3600)
  /// For finishing the answers under way when the server is stopped.
  public var shutdown = Duration.seconds(30)

  /// The times that suit a server on a network.
  public init() {}
}
