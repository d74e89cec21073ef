/// One thing to know of each group of quotes: a function of an attribute's values, or the number of quotes.
///
///     let table = try store.allQuotes.aggregate([.first(.open), .max(.high), .sum(.volume)], by: .month)
public struct Aggregation: Hashable, Sendable {
  /// A function of the values that a group has of an attribute; missing cells take no part.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// The function that the command line calls so; `first` and `last` are by day.
    case count, min, max, sum, mean, first, last
  }

  /// What is computed.
  public let function: Function
  /// Whose values; nil for the number of quotes.
  public let attribute: AttributeName?

  /// A function of one attribute's values.
  public init(_ function: Function, of attribute: AttributeName) {
    self.function = function
    self.attribute = attribute
  }

  private init() { (function, attribute) = (.count, nil) }

  /// How many quotes there are, whatever is missing of them.
  public static let count = Aggregation()

  /// How many cells are there.
  public static func count(_ attribute: AttributeName) -> Self { Self(.count, of: attribute) }
  /// The smallest value.
  public static func min(_ attribute: AttributeName) -> Self { Self(.min, of: attribute) }
  /// The largest value.
  public static func max(_ attribute: AttributeName) -> Self { Self(.max, of: attribute) }
  /// The sum: of int64 values exactly, in 128 bits; of float64 values rounded once.
  public static func sum(_ attribute: AttributeName) -> Self { Self(.sum, of: attribute) }
  /// The arithmetic mean.
  public static func mean(_ attribute: AttributeName) -> Self { Self(.mean, of: attribute) }
  /// The value of the earliest day that has one.
  public static func first(_ attribute: AttributeName) -> Self { Self(.first, of: attribute) }
  /// The value of the latest day that has one.
  public static func last(_ attribute: AttributeName) -> Self { Self(.last, of: attribute) }
}

extension Aggregation: CustomStringConvertible {
  /// As the command line writes it: `mean(close)`, `count`.
  public var description: String { attribute.map { "\(function.rawValue)(\($0.wikiName))" } ?? function.rawValue }
}

extension Measures {
  /// What has to be measured for a function.
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

/// A question for aggregates: what has to be measured of which attribute, each attribute once.
struct AggregateRequest: Sendable {
  let grouping: Grouping?
  private(set) var countsRows = false
  private(set) var measures: [AttributeName: Measures] = [:]

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
