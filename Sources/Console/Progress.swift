/// A line on standard error that shows how far a long command has come, its rate, and the time left.
///
/// It appears only on a terminal and after half a second, and it disappears when the command is done.
package final class Progress {
  package enum Unit {
    case rows, bytes
  }

  private let activity: String
  private let unit: Unit
  private let start = ContinuousClock.now
  private let isWanted = Terminal.showsProgress
  private var nextUpdate: ContinuousClock.Instant
  private var isShown = false
  private var lastLine = ""

  /// - Parameter activity: what is being done: `generating`.
  package init(_ activity: String, in unit: Unit) {
    self.activity = activity
    self.unit = unit
    nextUpdate = start + .milliseconds(500)
  }

  deinit { erase() }

  /// Shows how many rows or bytes are done, and the part of all that this is, if known.
  ///
  /// - Parameter places: what else is counted: `12 of 80 files`.
  package func update(_ count: Int, part: Double? = nil, places: String? = nil) {
    let now = ContinuousClock.now
    guard isWanted, now >= nextUpdate else { return }
    nextUpdate = now + .milliseconds(100)
    lastLine = line(count, part, places, elapsed: now - start)
    write(lastLine)
  }

  /// Shows what is waited for, after what was shown last.
  package func showWait(_ sentence: String) {
    if isWanted { write(lastLine.isEmpty ? sentence : "\(lastLine); \(sentence)") }
  }

  private func write(_ line: String) {
    isShown = true
    StandardStreams.writeError("\r\(line.prefix(max(1, Terminal.errorWidth - 1)))\u{1b}[K")
  }

  package func update(_ count: Int, of total: Int) {
    update(count, part: total > 0 ? Double(count) / Double(total) : nil)
  }

  /// Erases the line.
  package func erase() {
    if isShown { StandardStreams.writeError("\r\u{1b}[K") }
    isShown = false
  }

  private func line(_ count: Int, _ part: Double?, _ places: String?, elapsed: Duration) -> String {
    let rate = Int(Double(count) / max(elapsed.inSeconds, 0.001))
    let amounts =
      (places.map { "\($0), " } ?? "")
      + (unit == .rows ? "\(count.of("row")), \(rate.grouped)/s" : "\(count.asBytes), \(rate.asBytes)/s")
    guard let part, part > 0 else { return "\(activity): \(amounts), \(elapsed.asClock) so far" }
    let part1 = min(part, 1)
    return "\(activity): \(Int(part1 * 100))%, \(amounts), \((elapsed * ((1 - part1) / part1)).asClock) left"
  }
}
