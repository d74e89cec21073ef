/// The contents of a file's column.
package enum ColumnRole: Hashable, Sendable {
  case ticker
  case date
  /// The year, the month or the day of the month, which have a column each.
  case datePart(DatePart)
  /// The float64 (or int64) attribute with this slot in `QuoteColumns`.
  case double(slot: Int)
  /// A float64 attribute that counts shares, so none of its values is below zero.
  case shares(slot: Int)
  /// Split ratios in a file that has 0 where there was no split.
  case splits(slot: Int)
  case integer(slot: Int)
  case ignored

  init(_ attribute: Attribute) {
    switch attribute.key {
    case .double: self = attribute.countsShares ? .shares(slot: attribute.slot) : .double(slot: attribute.slot)
    case .integer: self = .integer(slot: attribute.slot)
    }
  }

  init(_ use: ImportedFile.Column.Use) {
    switch use {
    case .ticker: self = .ticker
    case .date: self = .date
    case .attribute(let attribute): self.init(attribute)
    case .ignored: self = .ignored
    }
  }

  /// The role of a column with this name, whatever the other columns are.
  package init(named name: String) {
    if case .role(let role, _)? = ColumnNames.meaning(of: name) { self = role } else { self = .ignored }
  }

  /// The attribute that such a column holds, if any.
  package var attribute: Attribute? {
    if case .splits = self { return .splitRatio }
    return Attribute.allCases.first { ColumnRole($0) == self }
  }

  /// Whether the column holds numbers.
  var isNumber: Bool {
    switch self {
    case .double, .shares, .splits, .integer: true
    case .ticker, .date, .datePart, .ignored: false
    }
  }

  /// The ratio in a column of the role `splits`.
  package static func splitRatio(_ value: Double) -> Double { value == 0 ? 1 : value }

  /// What the column is taken for.
  var use: ImportedFile.Column.Use {
    switch self {
    case .ticker: .ticker
    case .date, .datePart: .date
    case .ignored: .ignored
    case .double, .shares, .splits, .integer: attribute.map { .attribute($0) } ?? .ignored
    }
  }
}
