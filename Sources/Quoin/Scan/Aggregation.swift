/// An aggregate of each group of quotes: a function of an attribute's values, or the number of quotes.
///
///     let table = try store.allQuotes.aggregate([.first(.open), .max(.high), .sum(.volume)], by: .month)
public struct Aggregation: Hashable, Sendable {
  /// A function of a group's values of one attribute. It ignores missing cells.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// The function of this name on the command line. `first` and `last` are by day.
    case count, min, max, sum, mean, first, last
  }

  /// The function.
  public let function: Function
  /// The attribute; nil for the number of quotes.
  public let attribute: Attribute?

  /// A function of one attribute's values.
  public init(_ function: Function, of attribute: Attribute) {
    self.function = function
    self.attribute = attribute
  }

  private init() { (function, attribute) = (.count, nil) }

  /// The number of quotes, whatever cells they lack.
  public static let count = Aggregation()

  /// The number of cells with a value.
  public static func count(_ attribute: Attribute) -> Self { Self(.count, of: attribute) }
  /// The smallest value.
  public static func min(_ attribute: Attribute) -> Self { Self(.min, of: attribute) }
  /// The largest value.
  public static func max(_ attribute: Attribute) -> Self { Self(.max, of: attribute) }
  /// The sum: exact, in 128 bits, for int64; rounded once for float64.
  public static func sum(_ attribute: Attribute) -> Self { Self(.sum, of: attribute) }
  /// The arithmetic mean.
  public static func mean(_ attribute: Attribute) -> Self { Self(.mean, of: attribute) }
  /// The value of the first day that has one.
  public static func first(_ attribute: Attribute) -> Self { Self(.first, of: attribute) }
  /// The value of the last day that has one.
  public static func last(_ attribute: Attribute) -> Self { Self(.last, of: attribute) }
}

extension Aggregation: CustomStringConvertible {
  /// The aggregation as the command line writes it: `mean(close)`, `count`.
  public var description: String { attribute.map { "\(function.rawValue)(\($0.wikiName))" } ?? function.rawValue }
}

extension Measures {
  /// The measures that a function needs.
  init(_ function: Aggregation.Function) {
    switch function {
    case .count: self = .count
    case .min: self = .minimum
    case .max: self = .maximum
    case .sum: self = .sum
    case .mean: self = [.sum, .count]
    case .first: self = .first
    case .last: self = .last
    }
  }
}

/// What a query has to measure for its aggregates, with each attribute once.
struct AggregateRequest: Sendable {
  let grouping: Grouping?
  private(set) var countsRows = false
  private(set) var measures: [Attribute: Measures] = [:]

  init(_ aggregations: some Sequence<Aggregation>, by grouping: Grouping?) {
    self.grouping = grouping
    for aggregation in aggregations {
      if let name = aggregation.attribute {
        measures[name, default: []].formUnion(Measures(aggregation.function))
      } else {
        countsRows = true
      }
    }
  }
}
