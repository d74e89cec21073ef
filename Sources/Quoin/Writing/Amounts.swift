// Amounts for people to read.

extension BinaryInteger {
  /// The number with its thousands separated: `15,400,000`.
  package var grouped: String {
    let digits = Array(String(magnitude))
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The number and its noun: `1 row`, `2,000 rows`.
  package func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// The number of bytes in a unit that keeps it short: `412.3 MB`.
  package var asBytes: String {
    var (value, unit) = (Double(self), 0)
    while value >= 999.95, unit < 4 { (value, unit) = (value / 1000, unit + 1) }
    return unit == 0 ? of("byte") : "\(value.rounded(toDigits: 1)) \(["kB", "MB", "GB", "TB"][unit - 1])"
  }
}

extension Double {
  /// The decimal with `count` digits after the point. Traps for numbers near 2^63.
  package func rounded(toDigits count: Int) -> String {
    let scale = (0..<count).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((magnitude * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard count > 0 else { return "\(sign)\(scaled)" }
    return "\(sign)\(scaled / scale).\(String(repeating: "0", count: count - fraction.count))\(fraction)"
  }
}

extension Double {
  /// The number with `digitCount` digits after the point, and on demand with its thousands separated: `1,234.50`. A number that
  /// isn't finite, or is too large or too small for that, has the shortest form that reads back as it.
  package func fixed(_ digitCount: Int, grouped: Bool) -> String {
    let scale = (0..<digitCount).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (magnitude * scale).rounded()
    // False for NaN.
    guard scaled < 1e15, scaled > 0 || self == 0 else { return "\(self)" }
    let text = rounded(toDigits: digitCount)
    return grouped ? text.groupingThousands : text
  }
}

extension String {
  /// A decimal without an exponent with its thousands separated: `1,234.5`. Other texts stay as they are.
  var groupingThousands: String {
    let end = firstIndex(of: ".") ?? endIndex
    guard let whole = Int(self[..<end]) else { return self }
    return (hasPrefix("-") && whole == 0 ? "-" : "") + whole.grouped + self[end...]
  }
}

extension Duration {
  package var inSeconds: Double { self / .seconds(1) }

  /// A time in a unit that keeps it short: `12.3 ms`, `4.2 s`.
  package var asShortTime: String {
    inSeconds < 1
      ? "\((inSeconds * 1000).rounded(toDigits: inSeconds < 0.1 ? 2 : 0)) ms" : "\(inSeconds.rounded(toDigits: 1)) s"
  }
}
