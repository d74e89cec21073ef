extension QuandlClient {
  /// The limits of a client: for a service that is slow, busy or wrong.
  public struct Configuration: Sendable {
    /// How often a failed request is repeated, and after which waits.
    public var retries = RetryPolicy()
    /// How long the client waits for answers.
    public var timeLimits = TimeLimits()
    /// The number of concurrent requests, at least 1. Further ones wait for their turn.
    public var requestsInFlight = 4
    /// The largest number of unpacked bytes of one answer; a longer answer is an error. Downloads have `downloadByteLimit`.
    public var answerByteLimit = 64 << 20
    /// The largest number of bytes of a bulk download.
    public var downloadByteLimit = 16 << 30
    /// The number of rows, of some 130 bytes each, that `saveTable` holds before it commits them.
    public var rowsPerCommit = 1 << 20
    /// The proxies between the client and the service; `QuandlClient.environmentProxies` are those that the environment names.
    public var proxies = ProxySettings()
    /// Called before each repetition with the error and the wait. The error doesn't show the key.
    public var willRetry: (@Sendable (QuandlClientError, Duration) -> Void)?

    /// The defaults.
    public init() {}
  }
}

/// How long a client waits.
public struct TimeLimits: Hashable, Sendable {
  /// For a connection.
  public var connection = Duration.seconds(10)
  /// For the next bytes of an answer.
  public var silence = Duration.seconds(30)
  /// For one whole answer, even if its bytes keep coming. Each repetition has the same time.
  public var answer = Duration.seconds(300)
  /// For the next bytes of a bulk download, which the service may pack before it sends the first one.
  public var downloadSilence = Duration.seconds(180)
  /// For one whole bulk download, with its repetitions.
  public var download = Duration.seconds(6 * 3600)
  /// For the service to prepare an export.
  public var export = Duration.seconds(3600)

  /// The defaults.
  public init() {}
}
