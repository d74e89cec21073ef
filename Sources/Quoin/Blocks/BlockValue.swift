/// A value as blocks store it: 64 bits, and the operations that encodings need.
protocol BlockValue: ScalableValue {
  var bits: UInt64 { get }
  init(bits: UInt64)

  /// The value with one bit pattern for every missing cell.
  var canonical: Self { get }

  /// The extremes of a block without values. Any value lowers the minimum and raises the maximum.
  static var emptyMinimum: Self { get }
  static var emptyMaximum: Self { get }

  /// The extremes of values, with zeros widened.
  static func extremes(_ values: UnsafeBufferPointer<Self>) -> Extremes<Self>

  /// The type of a sum of values.
  associatedtype Total: ScaledSum where Total.Value == Self
}

extension Double: BlockValue {
  typealias Total = ExactSum

  var bits: UInt64 { bitPattern }
  init(bits: UInt64) { self.init(bitPattern: bits) }
  var canonical: Double { isNaN ? .nan : self }
  static var emptyMinimum: Double { .infinity }
  static var emptyMaximum: Double { -.infinity }
}

extension Int64: BlockValue {
  typealias Total = Int128

  var bits: UInt64 { UInt64(bitPattern: self) }
  init(bits: UInt64) { self.init(bitPattern: bits) }
  var canonical: Int64 { self }
  static var emptyMinimum: Int64 { .max }
  static var emptyMaximum: Int64 { .min }
}
