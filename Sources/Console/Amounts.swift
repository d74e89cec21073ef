import Quoin

// Amounts for people to read, beside those of the library.

extension Duration {
  /// A time as a stopwatch shows it: `0:14`, `1:02:03`.
  package var asClock: String {
    let seconds = Int(inSeconds.rounded())
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = seconds / 60
    return minutes < 60
      ? "\(minutes):\(padded(seconds % 60))" : "\(minutes / 60):\(padded(minutes % 60)):\(padded(seconds % 60))"
  }
}
