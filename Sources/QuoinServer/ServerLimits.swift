import QuandlService

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Every limit of the server. Each guards against clients that are broken, slow or hostile.
///
/// The limits of time are in `Deadlines`.
public enum ServerLimits {
  /// Simultaneous connections. Further ones wait in the operating system's queue until one ends.
  public static let connections = 1024

  /// Threads that make short answers, and as many that make long ones. Further answers wait for `queueTime`, and are then refused
  /// with 503. One client has half of them at most.
  public static let questionThreads = max(4, ProcessInfo.processInfo.activeProcessorCount)

  /// Browsers that listen for commits. A page without a place doesn't say that there is newer data.
  public static let listeners = 128

  /// Those of them at one client's address.
  public static let listenersOfClient = 32

  /// Bytes of an answer that doesn't count as long. A page of a table with the default number of rows has fewer.
  public static let shortAnswerByteCount = 2 << 20

  /// How long an answer waits for its turn to be made.
  public static let queueTime = Duration.seconds(15)

  /// Seconds after which a client that was refused should ask again.
  public static let retryAfter = 5

  /// Bytes that a client has to have taken for each time that it may be silent for `Deadlines.stall`. A machine whose client
  /// reads nothing takes fewer by itself; `curl --limit-rate 10k` takes ten times as many at once, which last it for 100 s.
  public static let patientByteCount = 100 << 10

  /// The most times that a client may be silent for `Deadlines.stall`: 5 minutes altogether.
  public static let longestPatience = 10

  /// How long after it was opened a store with a file that can't be read is opened again.
  static let retryTime = Duration.seconds(1)

  /// Bytes of a long answer that are made at a time.
  static let madeByteCount = 256 << 10

  /// Bytes of a long answer that are read and sent at a time. Each client that doesn't take them holds about twice as many.
  static let sentByteCount = 64 << 10

  /// Answers that are kept for clients that want more of them.
  public static let keptAnswers = 128

  /// How long an answer is kept after a client asked for it.
  public static let keptFor = Duration.seconds(300)

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

  /// Bytes of a form with files to be imported; beyond them 413.
  public static let importByteCount = 32 << 20

  /// Bytes of one of its files; beyond them 413.
  public static let importFileByteCount = 16 << 20

  /// Files of such a form; beyond them 413.
  public static let importFiles = 50

  /// Bytes of text in a packed file that is imported from a form.
  public static let importTextByteCount = 256 << 20

  /// Forms that are received and looked at at the same time. Further ones wait for `queueTime`, and are then refused with 503.
  public static let imports = 2

  /// Forms with files that are kept, in memory, until their readers say whether to import them. One more ends the oldest.
  public static let keptImports = 4

  /// How long they are kept after they were looked at.
  public static let keptImportTime = Duration.seconds(600)

  /// Bytes of an answer that are made before its head is sent. A failure among them still changes the status, and most
  /// answers are sent whole, with their length.
  public static let bufferedByteCount = 128 << 10

  /// Rows of a scan in the order of their values, which are in memory at once.
  public static let sortedRows = 100_000

  /// Columns of a scan.
  public static let columns = 64

  /// Answers of fewer bytes are not compressed.
  public static let compressedByteCount = 512

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
  /// For acknowledging some bytes, however few, while others wait. So a client is cut off only if it takes nothing. One that
  /// reads in bursts, and has taken much, may pause for several times as long (`ServerLimits.patientByteCount`).
  public var stall = Duration.seconds(30)
  /// For closing the client's side of the connection, once the server has closed its own.
  public var linger = Duration.seconds(2)
  /// For finishing the answers under way when the server is stopped. Those that aren't made after a third of it are refused.
  public var shutdown = Duration.seconds(30)

  /// The times that suit a server on a network.
  public init() {}
}
