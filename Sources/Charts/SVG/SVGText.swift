/// The texts that a picture consists of.
enum SVGText {
  /// A place with at most one digit after the point.
  static func number(_ value: Double) -> String {
    guard value.magnitude < 1e6 else { return value < 0 ? "-1000000" : "1000000" }
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }

  /// The middle of a pixel, so that a line of its width isn't blurred.
  static func crisp(_ value: Double) -> String { number(value.rounded(.down) + 0.5) }

  static func pair(_ x: Double, _ y: Double) -> String { "\(number(x)) \(number(y))" }

  static func pair(_ point: ScenePoint) -> String { pair(point.x, point.y) }

  static func line(_ points: [ScenePoint]) -> String {
    // A single point is a line of no length, which round ends make visible.
    points.count == 1 ? "M\(pair(points[0]))h0" : "M" + points.map(pair).joined(separator: " ")
  }

  static func area(_ points: [ScenePoint], _ base: Double) -> String {
    guard let first = points.first, let last = points.last else { return "" }
    return "\(line(points))L\(pair(last.x, base)) \(pair(first.x, base))Z"
  }

  /// A body, and lines from it to the high and the low.
  static func candle(_ bar: SceneBar) -> String {
    let half = max(1, (min(bar.width * 0.7, 14) / 2).rounded(.down))
    let x = bar.x.rounded(.down) + 0.5
    let (top, bottom) = (min(bar.open, bar.close), max(bar.open, bar.close))
    var text = ""
    if bar.high < top { text += "M\(pair(x, bar.high))V\(number(top))" }
    if bar.low > bottom { text += "M\(pair(x, bottom))V\(number(bar.low))" }
    return text + "M\(pair(x - half, top))h\(number(2 * half))V\(number(max(bottom, top + 0.1)))h-\(number(2 * half))Z"
  }

  /// A line from the high to the low, with the open on its left and the close on its right.
  static func bar(_ bar: SceneBar) -> String {
    let half = max(1.5, min(bar.width * 0.4, 7))
    let x = bar.x.rounded(.down) + 0.5
    return "M\(pair(x, bar.high))V\(number(bar.low))M\(pair(x - half, bar.open))H\(number(x))"
      + "M\(pair(x, bar.close))h\(number(half))"
  }

  static func column(_ column: SceneColumn) -> String {
    let width = max(1, column.width > 3 ? min(column.width * 0.8, column.width - 1) : column.width)
    let height = max(column.bottom - column.top, 0.5)
    return "M\(pair(column.x - width / 2, column.top))h\(number(width))v\(number(height))h-\(number(width))Z"
  }

  /// Text that XML can contain: without characters that it forbids.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += " "
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
