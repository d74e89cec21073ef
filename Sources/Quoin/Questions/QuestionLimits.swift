/// What a question may take before it is given up: time, and memory that it holds at once.
///
///     let query = store.allQuotes.within(QuestionLimits(seconds: 30, megabytes: 512))
///
/// What its answer takes counts as long as the question holds it: a cursor's batches one by one, all rows of `fetchColumns`.
public struct QuestionLimits: Hashable, Sendable {
  /// Seconds of work, without the time that a consumer takes for batches; nil for any time.
  public var seconds: Double?
  /// Megabytes (2^20 bytes) that are held at once; nil for any memory.
  public var megabytes: Int?

  /// - Parameters:
  ///   - seconds: of work; nil for any time.
  ///   - megabytes: held at once, of 2^20 bytes; nil for any memory.
  public init(seconds: Double? = nil, megabytes: Int? = nil) {
    self.seconds = seconds.map { max(0, $0) }
    self.megabytes = megabytes.map { max(0, $0) }
  }

  /// Those of a query that is given no others: an hour, and three quarters of the memory that the process may use.
  public static let standard = QuestionLimits(
    seconds: 3600, megabytes: max(256, (ProcessMemory.byteCount / 4 * 3) >> 20))

  /// Bytes that are held at once.
  var byteCount: Int? { megabytes.map { $0 > Int.max >> 20 ? .max : $0 << 20 } }
}
