import Quoin

/// A computation on the values of a series.
enum Transform: String, CaseIterable {
  case none
  /// c - p, of a value and its predecessor.
  case diff
  /// (c - p) / p.
  case rdiff
  /// (latest - c) / c.
  case changeToLatest = "rdiff_from"
  /// The sum of the values so far.
  case cumul
  /// c / first * 100, of the first value that is not zero.
  case normalize

  /// Whether the first row is dropped, because it has no predecessor.
  var dropsFirst: Bool { self == .diff || self == .rdiff }

  /// The computed values, before they are rounded. NaN is a missing value; a result is missing if it is computed from a
  /// missing value or can't be computed.
  func applied(to values: [Double]) -> [Double] {
    switch self {
    case .none: values
    case .diff: zip(values.dropFirst(), values).map { $0 - $1 }
    case .rdiff: zip(values.dropFirst(), values).map { Self.quotient($0 - $1, $1) }
    case .changeToLatest: Self.changes(of: values)
    case .cumul: Self.sums(of: values)
    case .normalize: Self.normalized(values)
    }
  }

  private static func quotient(_ a: Double, _ b: Double) -> Double { b == 0 ? .nan : a / b }

  /// The change of the latest value from itself is zero, even if the value is zero.
  private static func changes(of values: [Double]) -> [Double] {
    guard let latest = values.last else { return [] }
    return values.dropLast().map { quotient(latest - $0, $0) } + [latest - latest]
  }

  /// A missing value adds nothing, and its sum is missing.
  private static func sums(of values: [Double]) -> [Double] {
    var sum = 0.0
    return values.map { value in
      if !value.isNaN { sum += value }
      return value.isNaN ? .nan : sum
    }
  }

  private static func normalized(_ values: [Double]) -> [Double] {
    let base = values.first { !$0.isNaN && $0 != 0 } ?? .nan
    return values.map { $0 / base * 100 }
  }
}

extension Series {
  private static let computedDigits = SignificantDigits(digits: 14)

  /// The series with computed values, rounded to 14 significant digits. Its days must be ascending.
  func transformed(_ transform: Transform) -> Series {
    guard transform != .none else { return self }
    return Series(
      days: transform.dropsFirst ? Array(days.dropFirst()) : days.array,
      columns: columns.map { column in
        switch column {
        case .doubles(let values), .shares(let values): .doubles(Self.computed(transform, values.array))
        case .integers(let values): .doubles(Self.computed(transform, values.map { $0.isMissing ? .nan : Double($0) }))
        default: column
        }
      })
  }

  private static func computed(_ transform: Transform, _ values: [Double]) -> ColumnBuffer<Double> {
    ColumnBuffer(transform.applied(to: values).map { computedDigits.nearest(to: $0) })
  }
}
