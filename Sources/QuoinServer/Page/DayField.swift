import Quoin

/// A field for a day.
struct DayField {
  let value: String
  /// A field for dates would show nothing of 'last'.
  let type: String

  init(_ name: String, _ address: PageAddress) {
    value = address[name] ?? ""
    type = Self.isDay(value) ? "date" : "text"
  }

  /// Whether a field for dates shows it.
  static func isDay(_ text: String) -> Bool { text.isEmpty || TradingDay(text) != nil }
}
