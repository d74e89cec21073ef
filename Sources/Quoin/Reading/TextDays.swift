/// Reads days that texts spell in any form that files may have by itself: `2005-10-14`, `20051014`, `2005/10/14`, `14 Oct 2005`, with a
/// time behind them or without.
package struct TextDays {
  private var parser = DayParser()

  package init() {}

  /// The day; nil for a text that spells none, or that may mean another one, as 1/2/2005.
  ///
  /// - Parameter text: valid memory while this runs.
  package mutating func day(_ text: UnsafeRawBufferPointer) -> TradingDay? {
    // Sound: the view isn't kept.
    let text = unsafe TextView(unsafe: text)
    guard case .value(let day) = parser.parse(text) else { return nil }
    return day
  }

  /// The day of a number such as 20051014; nil for others.
  package static func day(_ number: Int64) -> TradingDay? {
    guard (1000_01_01...9999_12_31).contains(number) else { return nil }
    let (year, rest) = number.quotientAndRemainder(dividingBy: 10_000)
    return TradingDay(year: Int(year), month: Int(rest / 100), day: Int(rest % 100))
  }
}
