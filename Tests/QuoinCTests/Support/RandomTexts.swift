@testable import QuoteGenerator

/// Texts that a function might be given: right ones, damaged ones, and nonsense.
enum RandomTexts {
  private static let texts = [
    "close > 80", "high > 80 and not (low between 1 and 5)", "close > mean(close, 20)", "volume is missing",
    "rank(close by day) <= 3", "ticker in ('A', 'BRK.A')", "date, close, close / prev(close) - 1 as r", "ticker, high",
    "volume desc", "desc", "month", "year, weekday", "week", "count, mean(close) as m", "m > 1", "median(close) / 2",
    "1969-12-31", "close of A within 5 days", "if(close > open, 1, 0) as up", "A", "BRK.A", "🦉\u{301}", "((((", "1e999",
    "x = close * 2; y = x > 100", "x > 1 and y", "2 by close per day", "jump, zero-price", "keep", "replace", "first",
  ]

  /// A text without a zero; nil for NULL.
  static func text(_ dice: inout SeededRandom) -> String? {
    let text = Array(texts[dice.below(texts.count)].utf8)
    switch dice.below(6) {
    case 0: return nil
    case 1:
      let place = dice.below(text.count)
      return String(decoding: text[..<place] + [UInt8(1 + dice.below(255))] + text[place...], as: UTF8.self)
    case 2: return String(decoding: text.dropFirst(dice.below(text.count)), as: UTF8.self)
    case 3: return String(decoding: (0..<dice.below(40)).map { _ in UInt8(1 + dice.below(255)) }, as: UTF8.self)
    default: return String(decoding: text, as: UTF8.self)
    }
  }
}
