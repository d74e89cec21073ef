import Testing

@testable import Quoin

/// What is often meant otherwise than it is written is answered as written, and told.
@Suite struct NoteTests {
  private static func notes(_ text: String) throws -> [String] {
    try Predicate.parsing(text, Definitions()).notes
  }

  @Test(arguments: [
    ("close > open + 3%", "write open * (1 + 3%) for 3 % more"),
    ("close > mean(close, 20) + 3%", "write mean(close, 20) * (1 + 3%) for"),
    ("close > open + low - 2.5%", "write (open + low) * (1 - 2.5%) for"),
    ("change(close) > 2.5", "2.5 is 250 %; write 2.5%"),
    ("change(close) > 1.1", "1.1 is 110 %; write 1.1%"), ("change(close) > 2.305", "2.305 is 230.5 %"),
    ("change(close) < -2.3", "-2.3 is -230 %; write -2.3%"), ("change(close) > 2K", "2K is 200000 %; write 2000% for"),
    ("change(close) > 1.", "1. is 100 %; write 1%"), ("change(close) > 1e3", "1e3 is 100000 %"),
    ("change(close) > 2*1.5", "2*1.5 is 300 %; write 2*1.5% for"), ("change(close) > 1.1*1", "1.1*1 is 110 %"),
    ("low < prev(low) - 1%", "for 1 % less"),
    ("close - open > 3%", "is compared with is money"), ("close > 5%", "5% is 0.05"), ("3% < high - low", "is money"),
    ("mean(close, 20) > 10%", "is money"), ("(close - prev(close)) / prev(close) * 100 > 3%", "write 3"),
    ("100 * change(close) > 3%", "write 3"), ("change(close) > 5", "5 is 500 %; write 5%"),
    ("(close - open) / open <= -2", "write -2%"), ("close = nan", "nothing equals nan"),
    ("nan != volume", "nothing equals nan"),
    ("ticker like 'B*'", "% stands for any letters"), ("close in (80, 83)", "means one of the two values"),
  ]) func what_is_rarely_meant_is_told(_ text: String, _ note: String) throws {
    let notes = try Self.notes(text)
    #expect(notes.count == 1 && notes[0].contains(note), "\(notes)")
  }

  @Test(arguments: [
    "close > open * 103%", "change(close) > 5%", "change(close) > 0.05", "(high - low) / close > 5%", "close > 5",
    "close / open > 2", "volume > 3 * mean(volume, 20)", "change(close) + 1% > 0", "close > open + 3",
    "close / 10% > 20",
    "100 * change(close) > 3", "rsi(close, 14) < 30", "split_ratio > 200%", "ticker like 'B%'", "close < inf",
    "adj_close / max(adj_close) - 1 < -50%", "std(change(close), 20) * sqrt(252) > 30%",
  ]) func what_is_meant_is_not(_ text: String) throws { #expect(try Self.notes(text).isEmpty) }
}
