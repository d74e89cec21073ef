// Volumes are int64 as long as all are whole. One with a fraction makes float64s of all that it shares a column with. An int64
// beyond 2^53 that no float64 is can't become one: it becomes infinite, and no store takes an infinite volume.

extension Double {
  /// A whole volume as a float64: NaN if it is missing, infinity if no float64 is that number.
  static func besideFractions(_ number: Int64) -> Double {
    if number.isMissing { return .missing }
    return Int64(exactly: Double(number)) == number ? Double(number) : .infinity
  }
}

extension Column {
  var isDouble: Bool { if case .doubles = self { true } else { false } }

  /// The column as float64s.
  var asDoubles: Column {
    guard case .integers(let numbers) = self else { return self }
    return .doubles(ColumnBuffer(numbers.map(Double.besideFractions)))
  }

  /// The bits of value `row` as a float64, if it is one: the same in columns of both types.
  func plainBits(_ row: Int) -> UInt64 {
    guard case .integers(let numbers) = self else { return bits(row) }
    let value = Double.besideFractions(numbers[row])
    return value.isInfinite ? bits(row) : Column.doubles([value]).bits(0)
  }

  mutating func becomeDoubles() {
    if !isDouble { self = asDoubles }
  }

  /// The column as int64s, unless a value isn't one; -0 counts as 0.
  var asIntegersIfWhole: Column {
    guard case .doubles(let values) = self else { return self }
    let plain = ColumnBuffer(values.map { $0 == 0 ? 0 : $0 })
    return plain.wholeNumbers.map(Column.integers) ?? .doubles(plain)
  }
}

extension QuoteColumns {
  /// Whether the volumes are float64s, because there may be fractions.
  package var hasFractions: Bool { self[column: .volume].isDouble }

  /// The same rows with volumes in the type that stores want: int64s if all are whole.
  var withPlainVolumes: QuoteColumns {
    guard hasFractions else { return self }
    var result = self
    result[column: .volume] = self[column: .volume].asIntegersIfWhole
    return result
  }

  /// The rows `range` with volumes as float64s.
  func withFractions(_ range: Range<Int>) -> QuoteColumns {
    var result = sliced(range)
    result[column: .volume].becomeDoubles()
    return result
  }

  /// The first row whose volume no store holds: an infinite one, or one that no float64 is.
  func firstInfiniteVolume(_ range: Range<Int>) -> Int? {
    guard case .doubles(let values) = self[column: .volume] else { return nil }
    return values.withSpan { values in range.first { values[$0].isInfinite } }
  }
}
