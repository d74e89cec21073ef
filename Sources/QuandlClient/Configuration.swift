extension QuandlClient {
  /// How a client gets along with a service that is slow, busy or wrong.
  public struct Configuration: Sendable {
    /// How often a failed request is repeated, and after what time.
    public var retries = RetryPolicy()
    /// How long the client waits for each thing.
    public var timeLimits = TimeLimits()
    /// How many requests may be under way at a time; others wait for their turn. At least 1.
    public var requestsInFlight = 4
    /// Bytes, unpacked, that one answer may have; a longer one is an error. Downloads have `downloadByteLimit`.
    public var answerByteLimit = 64 << 20
    /// Bytes that a file of a bulk download may have.
    public var downloadByteLimit = 16 << 30
    /// Rows that `saveTable` holds, some 130 bytes each, before it commits them.
    public var rowsPerCommit = 1 << 20
    /// Called before each repetition with what went wrong and how long the client waits now. The error has no key in it.
    public var willRetry: (@Sendable (QuandlClientError, Duration) -> Void)?

    /// The defaults.
    public init() {}
  }
}

/// How long a client waits for what.
public struct TimeLimits: Hashable, Sendable {
  /// For a connection.
  public var connection = Duration.seconds(10)
  /// For the next bytes of an answer.
  public var silence = Duration.seconds(60)
  /// For one whole answer, however steadily it trickles; each repetition has as long again.
  public var answer = Duration.seconds(300)
  /// For one whole bulk download.
  public var download = Duration.seconds(6 * 3600)
  /// For the service to prepare an export.
  public var export = Duration.seconds(3600)

  /// The defaults.
  public init() {}
}
