/// A number that can be one end of a range in `getStockQuoteSummariesWithAttributeRanges`: a Float, Double, Int or Int64.
///
/// It stands for the decimal that it prints as: a Float of 80.1 is 80.1, and not the 80.0999984741211 that it is nearest
/// to. On a volume it is taken exactly, fractions too.
public protocol MinMaxBound: LosslessStringConvertible, Sendable {}

extension Float: MinMaxBound {}
extension Double: MinMaxBound {}
extension Int: MinMaxBound {}
extension Int64: MinMaxBound {}

extension DataFetcher {
  /// The two ends of a range, each of which may be absent. They are themselves outside it.
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
