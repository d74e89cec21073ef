/// What a query measures of an attribute's values in each group.
struct Measures: OptionSet, Sendable {
  let rawValue: UInt8

  static let count = Measures(rawValue: 1)
  static let minimum = Measures(rawValue: 2)
  static let maximum = Measures(rawValue: 4)
  static let sum = Measures(rawValue: 8)
  static let first = Measures(rawValue: 16)
  static let last = Measures(rawValue: 32)

  static let ends: Measures = [.first, .last]
}
