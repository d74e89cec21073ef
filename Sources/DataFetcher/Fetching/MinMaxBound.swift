/// A number that can be one end of a range in `getStockQuoteSummariesWithAttributeRanges`: a Float, Double, Int or Int64.
///
/// It means the decimal that it prints as: a Float of 80.1 means 80.1, not 80.0999984741211, its exact value. For a volume it
/// is taken exactly, including fractions.
public protocol MinMaxBound: LosslessStringConvertible, Sendable {}

extension Float: MinMaxBound {}
extension Double: MinMaxBound {}
extension Int: MinMaxBound {}
extension Int64: MinMaxBound {}

extension DataFetcher {
  /// The two ends of a range, both excluded. Each may be absent.
  public typealias MinMax = ((any MinMaxBound)?, (any MinMaxBound)?)

  /// A range whose ends are Floats.
  public typealias MinMaxFloat = (Float?, Float?)
  /// A range whose ends are Doubles.
  public typealias MinMaxDouble = (Double?, Double?)
  /// A range whose ends are Ints.
  public typealias MinMaxInt = (Int?, Int?)
  /// A range whose ends are Int64s.
  public typealias MinMaxInt64 = (Int64?, Int64?)
}
