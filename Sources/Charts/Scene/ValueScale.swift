#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where values have their places on a line.
struct ValueScale {
  let lowest: Double
  let highest: Double
  let isLogarithmic: Bool
  /// The places of the lowest and the highest value.
  private let start: Double
  private let end: Double
  private let offset: Double
  private let span: Double

  /// - Parameter values: the smallest and the largest value that has to have a place; above zero if the scale is logarithmic.
  init(_ values: ClosedRange<Double>, isLogarithmic: Bool = false, from start: Double, to end: Double) {
    (lowest, highest) = (values.lowerBound, values.upperBound)
    (self.isLogarithmic, self.start, self.end) = (isLogarithmic, start, end)
    offset = isLogarithmic ? log10(lowest) : lowest
    span = (isLogarithmic ? log10(highest) : highest) - offset
  }

  func position(_ value: Double) -> Double {
    let share = ((isLogarithmic ? log10(value) : value) - offset) / span
    return start + share * (end - start)
  }

  var length: Double { (end - start).magnitude }

  /// The range of a scale that has a place for all of these values and doesn't end at them, but at zero if it has to begin
  /// there.
  static func range(
    of values: ClosedRange<Double>, isLogarithmic: Bool, beginsAtZero: Bool
  ) -> ClosedRange<Double> {
    let (lowest, highest) = (values.lowerBound, values.upperBound)
    if isLogarithmic {
      let factor = lowest == highest ? 1.05 : pow(10, (log10(highest) - log10(lowest)) * 0.04)
      return max(lowest / factor, .leastNormalMagnitude)...min(highest * factor, 1e301)
    }
    if beginsAtZero {
      let (low, high) = (min(0, lowest), max(0, highest))
      guard low < high else { return 0...1 }
      return (low * 1.05)...(high * 1.05)
    }
    // A space even where the values are so near to each other that float64 hardly tells them apart.
    let least = max(lowest.magnitude, highest.magnitude) * 1e-9
    let space = lowest == highest ? max(lowest.magnitude * 0.02, 1e-300) : max((highest - lowest) * 0.05, least)
    return lowest == 0 && highest == 0 ? -1...1 : (lowest - space)...(highest + space)
  }
}
