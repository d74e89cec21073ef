/// Why arrays aren't the columns of some rows.
public struct QuoteColumnsError: Error, Hashable, Sendable, CustomStringConvertible {
  enum Reason: Hashable, Sendable {
    case kind
    case count(Int, rowCount: Int)
  }

  /// The attribute whose values can't be used.
  public let attribute: Attribute
  let reason: Reason

  init(_ attribute: Attribute, _ reason: Reason) { (self.attribute, self.reason) = (attribute, reason) }

  /// The attribute, and what is wrong with its values.
  public var description: String {
    switch reason {
    case .kind:
      attribute.isInteger
        ? "the values of \(attribute) are given twice" : "the values of \(attribute) are float64, not int64"
    case .count(let count, let rowCount): "there are \(rowCount) days, but \(count) values of \(attribute)"
    }
  }
}
