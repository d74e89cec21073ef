// What somebody is told whose answer isn't made, or not now.

extension Refusal {
  /// Others' work is done first, and the wait for its end was too long.
  static func busy(_ reason: String, retryAfter seconds: Int = ServerLimits.retryAfter) -> Refusal {
    Refusal(
      status: 503, code: "QEXx01", message: "\(reason); ask again in \(seconds) seconds",
      headers: ["retry-after": "\(seconds)"])
  }

  /// Too many pages listen for commits.
  static let tooManyListeners = busy("too many pages listen for commits")

  /// Too many forms with files are being received.
  static let tooManyForms = busy("other forms with files are being received")

  /// The system has no thread for the server.
  static let noThread = busy("the machine gives the server no thread to work with")

  /// Threads have worked on the answer for as long as they may.
  static func overTime(_ limit: Duration) -> Refusal {
    Refusal(
      status: 422, code: "QELx09",
      message:
        "the answer takes more than \(limit.inSeconds) s, which is what one question may take (question-seconds); "
        + "ask about fewer tickers or days, or in several parts")
  }

  /// The answer holds more than it may while it is made.
  static func overMemory(_ byteCount: Int, of byteCountMax: Int) -> Refusal {
    Refusal(
      status: 422, code: "QELx09",
      message: "the answer needs \((byteCount - 1) >> 20 + 1) MB of memory at once, and one question may hold "
        + "\(byteCountMax >> 20) MB (question-megabytes); ask about fewer tickers, days or columns, or in several parts"
    )
  }

  /// The server has been told to end.
  static let serverEnds = Refusal(
    status: 503, code: "QEXx01", message: "the server is ending; ask again in a moment",
    headers: ["retry-after": "\(ServerLimits.retryAfter)"], endsConnection: true)
}

extension Duration {
  /// Seconds, without a decimal point if they are whole.
  fileprivate var inSeconds: String {
    let seconds = self / .seconds(1)
    return Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
  }
}
