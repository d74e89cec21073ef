/// What is known of a block's values without decoding them (a zone map): enough to say that no row, or every row, lies
/// in a range.
///
/// The extremes are over the values that are not missing, with zeros widened (a minimum of 0 is -0.0, a maximum +0.0).
/// A block without values has the empty extremes, which lie in no range.
struct BlockStatistics<Value: BlockValue>: Equatable, Sendable {
  var minimum = Value.emptyMinimum
  var maximum = Value.emptyMaximum
  var missingCount = 0

  init(_ values: UnsafeBufferPointer<Value>) {
    for row in values.indices {
      let value = unsafe values[row]
      if value.isMissing {
        missingCount += 1
      } else {
        if value < minimum { minimum = value }
        if value > maximum { maximum = value }
      }
    }
    widenZeros()
  }

  private mutating func widenZeros() {
    if let zero = minimum as? Double, zero == 0 { minimum = Value(bits: (-0.0).bitPattern) }
    if let zero = maximum as? Double, zero == 0 { maximum = Value(bits: (0.0).bitPattern) }
  }
}
