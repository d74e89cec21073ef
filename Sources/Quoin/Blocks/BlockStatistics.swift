/// A zone map: the extremes, the sum and the missing cells of a block. They can prove that no row, or every row, lies in a
/// range, and they are the aggregates of a whole block.
///
/// The extremes are those of the values that are not missing, with zeros widened (a minimum of 0 is -0.0, a maximum +0.0). A
/// block without values has empty extremes, which lie in no range.
struct BlockStatistics<Value: BlockValue>: Equatable, Sendable {
  let extremes: Extremes<Value>
  let sum: BlockSum

  init(_ values: UnsafeBufferPointer<Value>) {
    extremes = unsafe Value.extremes(values)
    sum = unsafe Value.Total(values, within: (extremes.minimum, extremes.maximum)).words
  }

  var minimum: Value { extremes.minimum }
  var maximum: Value { extremes.maximum }
  var missingCount: Int { extremes.missingCount }
}

/// The smallest and the largest of some values, and the number of missing cells among them.
struct Extremes<Value: BlockValue>: Equatable, Sendable {
  var minimum = Value.emptyMinimum
  var maximum = Value.emptyMaximum
  var missingCount = 0

  @inline(__always)
  mutating func include(_ value: Value) {
    // `Int64.min` would be a minimum, and NaN would hide one.
    if value.isMissing { missingCount += 1 } else { include(value, value, missingCount: 0) }
  }

  @inline(__always)
  mutating func include(_ minimum: Value, _ maximum: Value, missingCount: Int) {
    self.minimum = minimum < self.minimum ? minimum : self.minimum
    self.maximum = maximum > self.maximum ? maximum : self.maximum
    self.missingCount += missingCount
  }
}

extension Double {
  static func extremes(_ values: UnsafeBufferPointer<Double>) -> Extremes<Double> {
    var lanes = (SIMD8(repeating: emptyMinimum), SIMD8(repeating: emptyMaximum), SIMD8<Int64>.zero)
    let wholeCount = values.count / 8 * 8
    for row in stride(from: 0, to: wholeCount, by: 8) {
      // Sound: there are 8 values from `row` on. A NaN is neither below nor above anything.
      let value = unsafe UnsafeRawPointer(values.baseAddress! + row).loadUnaligned(as: SIMD8<Double>.self)
      lanes.0.replace(with: value, where: value .< lanes.0)
      lanes.1.replace(with: value, where: value .> lanes.1)
      lanes.2.replace(with: lanes.2 &+ 1, where: value .!= value)
    }
    var result = Extremes<Double>()
    for lane in 0..<8 { result.include(lanes.0[lane], lanes.1[lane], missingCount: Int(lanes.2[lane])) }
    for row in wholeCount..<values.count { unsafe result.include(values[row]) }
    if result.minimum == 0 { result.minimum = -0.0 }
    if result.maximum == 0 { result.maximum = 0.0 }
    return result
  }
}

extension Int64 {
  static func extremes(_ values: UnsafeBufferPointer<Int64>) -> Extremes<Int64> {
    var result = Extremes<Int64>()
    for row in values.indices { unsafe result.include(values[row]) }
    return result
  }
}
