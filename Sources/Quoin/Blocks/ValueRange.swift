/// A range of one column's values, prepared for many blocks.
struct ValueRange<Value: BlockValue>: Sendable {
  let lowerBound: Value
  let upperBound: Value
  /// The range in scaled integers, for the two exponents that most blocks have. Not an array: a range is handed to the codec
  /// of every block, and counting references took a twentieth of the time.
  private let known: (KnownExponent, KnownExponent)

  private struct KnownExponent {
    let exponent: Int
    let range: ClosedRange<Int64>?

    init(_ exponent: Int, _ range: ClosedRange<Value>) {
      self.exponent = exponent
      self.range = Value.scaled(range, exponent: exponent)
    }
  }

  init(_ range: ClosedRange<Value>) {
    (lowerBound, upperBound) = (range.lowerBound, range.upperBound)
    let (first, second) = (Value.exponents[0], Value.exponents.dropFirst().first)
    known = (KnownExponent(first, range), KnownExponent(second ?? first, range))
  }

  /// Missing values are in no range: comparisons say so of NaN, and no range reaches down to `Int64.min`.
  @inline(__always)
  func contains(_ value: Value) -> Bool { value >= lowerBound && value <= upperBound }

  /// The integers at an exponent whose values lie in the range; nil when none does.
  func scaled(exponent: Int) -> ClosedRange<Int64>? {
    if known.0.exponent == exponent { return known.0.range }
    if known.1.exponent == exponent { return known.1.range }
    return Value.scaled(lowerBound...upperBound, exponent: exponent)
  }
}
