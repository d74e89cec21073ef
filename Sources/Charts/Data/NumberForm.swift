#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How the numbers of a panel are written.
package enum NumberForm: Sendable, Equatable {
  /// With as many digits after the point as the ticker's prices have.
  case price(decimals: Int)
  /// With as many digits as it takes: what is computed.
  case plain
  /// Short: 2.5M.
  case amount

  /// The form of prices like these: the fewest decimals, from 2 to 6, that say nine in ten of them exactly. Where none do, as
  /// with most adjusted prices, two.
  package static func prices(_ values: [Double]) -> NumberForm {
    var counts = [Int](repeating: 0, count: 7)
    var total = 0
    for value in values where value.isDrawable {
      total += 1
      var (decimals, scale) = (2, 100.0)
      while decimals <= 6, (value * scale).rounded() / scale != value { (decimals, scale) = (decimals + 1, scale * 10) }
      if decimals <= 6 { counts[decimals] += 1 }
    }
    var known = 0
    for decimals in 2...6 {
      known += counts[decimals]
      if known * 10 >= total * 9 { return .price(decimals: decimals) }
    }
    return .price(decimals: 2)
  }

  /// A number by itself.
  package func text(_ value: Double) -> String {
    guard value.isDrawable else { return "-" }
    let magnitude = value.magnitude
    guard let decimals, magnitude < (self == .plain ? 1e6 : 1e9) else { return Self.amount(value, step: nil) }
    guard magnitude > 0 else { return Self.fixed(0, decimals) }
    // Three digits of what is small.
    let needed = (self == .plain ? 3 : 2) - Self.exponent(of: magnitude)
    if needed > 12 { return Self.scientific(value, 3) }
    return Self.fixed(value, max(decimals, magnitude < 1 || self == .plain ? needed : 0))
  }

  /// A number of a scale whose numbers are `step` apart and at most `largest`.
  func text(_ value: Double, step: Double, largest: Double) -> String {
    let needed = max(0, -Self.exponent(of: step * (1 + 1e-9)))
    if needed > 12 { return Self.scientific(value, max(1, Self.exponent(of: largest) + needed + 1)) }
    guard let decimals, largest < 1e6 else { return Self.amount(value, step: step) }
    return Self.fixed(value, largest >= 1000 && needed == 0 ? 0 : max(min(decimals, 2), needed))
  }

  /// The least number of digits after the point; nil for amounts.
  private var decimals: Int? {
    switch self {
    case .price(let decimals): decimals
    case .plain: 0
    case .amount: nil
    }
  }

  /// The number of digits before the point, less one: 2 for 100, -1 for 0.5.
  static func exponent(of magnitude: Double) -> Int { magnitude > 0 ? Int(log10(magnitude).rounded(.down)) : 0 }

  /// `1.5M`, with the digits that tell values `step` apart, or three.
  private static func amount(_ value: Double, step: Double?) -> String {
    let magnitude = value.magnitude
    guard magnitude < 1e15 else { return scientific(value, 3) }
    let units = [("T", 1e12), ("B", 1e9), ("M", 1e6), ("k", 1e3), ("", 1)]
    let (unit, scale) = units.first { magnitude >= $0.1 * 0.9995 } ?? ("", 1)
    let scaled = value / scale
    let digits = step.map { -exponent(of: $0 / scale * (1 + 1e-9)) } ?? 2 - exponent(of: scaled.magnitude)
    let text = fixed(scaled, min(max(0, digits), 9))
    return (text.contains(".") ? text.droppingZeros : text) + unit
  }

  /// Exactly `decimals` digits after the point.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * Double(scale)).rounded()
    guard scaled < 9e15 else { return scientific(value, 6) }
    let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: scale)
    let sign = value < 0 && scaled > 0 ? "\u{2212}" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let fraction = "\(rest)"
    return "\(sign)\(whole)." + String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
  }

  /// `1.25e-14`
  private static func scientific(_ value: Double, _ digits: Int) -> String {
    guard value != 0 else { return "0" }
    let exponent = exponent(of: value.magnitude)
    // In two steps, because neither 10^-320 nor 10^320 is a float64.
    let mantissa = value / pow(10, Double(exponent / 2)) / pow(10, Double(exponent - exponent / 2))
    return fixed(mantissa, min(max(0, digits - 1), 12)).droppingZeros + "e\(exponent)"
  }
}

extension String {
  /// Without zeros at the end of a fraction.
  fileprivate var droppingZeros: String {
    guard contains(".") else { return self }
    var text = self
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}

extension Double {
  /// The nearest number of so many digits.
  package func rounded(toSignificant digits: Int) -> Double {
    guard self != 0, isFinite else { return self }
    let exponent = Int(log10(magnitude).rounded(.down)) - digits + 1
    // Dividing by a power of ten is exact to the last digit, multiplying with one below 1 isn't.
    return exponent < 0
      ? (self * pow(10, Double(-exponent))).rounded() / pow(10, Double(-exponent))
      : (self / pow(10, Double(exponent))).rounded() * pow(10, Double(exponent))
  }
}
