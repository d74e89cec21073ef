import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A column to be computed: an expression in the query language, and its name.
struct Feature {
  let name: String
  let expression: QuoteExpression

  /// - Parameter text: `change(close) as r`.
  init(_ text: String) throws {
    let parts = text.split(separator: " as ")
    name = String(parts[1])
    expression = try QuoteExpression(parsing: String(parts[0]))
  }

  /// Qlib's Alpha158.
  static func alpha158() throws -> [Feature] {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try String(contentsOfFile: "\(root)/Examples/alpha158.txt", encoding: .utf8)
    return try text.split(separator: "\n").map { try Feature(String($0)) }
  }

  /// A few of their kind, for as many tickers as Qlib's own benchmark has.
  static func fourteen() throws -> [Feature] {
    try [
      "change(close) as return", "(close - open) / open as body", "(high - low) / open as length",
      "open / close as open_close", "high / close as high_close", "low / close as low_close",
      "prev(close, 5) / close as ago5", "mean(close, 5 min 1) / close as mean5",
      "mean(close, 20 min 1) / close as mean20", "std(close, 5 min 1) / close as std5",
      "std(close, 20 min 1) / close as std20",
      "max(high, 20 min 1) / close as max20", "min(low, 20 min 1) / close as min20",
      "mean(volume, 5 min 1) as volume5",
    ].map { try Feature($0) }
  }

  /// TA-Lib has no MACD before its signal, so both are told by the signal and what the MACD is above it.
  static func indicators() throws -> [Feature] {
    try [
      "rsi(close, 14) as rsi", "atr(14) as atr", "macd_signal(close) as macd_signal",
      "macd(close) - macd_signal(close) as macd_above", "mean(close, 20) + 2 * std_p(close, 20) as upper_band",
      "mean(close, 20) - 2 * std_p(close, 20) as lower_band",
    ].map { try Feature($0) }
  }
}
