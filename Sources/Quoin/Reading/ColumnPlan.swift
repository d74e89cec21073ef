/// The contents of a file's column.
enum ColumnRole: Hashable, Sendable {
  case ticker
  case date
  /// The float64 (or int64) attribute with this slot in `QuoteColumns`.
  case double(slot: Int)
  /// A float64 attribute that counts shares, so none of its values is below zero.
  case shares(slot: Int)
  case integer(slot: Int)
  case ignored

  init(_ attribute: Attribute) {
    switch attribute.key {
    case .double: self = attribute.countsShares ? .shares(slot: attribute.slot) : .double(slot: attribute.slot)
    case .integer: self = .integer(slot: attribute.slot)
    }
  }

  /// The attribute that such a column holds, if any.
  var attribute: Attribute? { Attribute.allCases.first { ColumnRole($0) == self } }

  /// The role of a column with this name, whatever the other columns are.
  init(named name: String) {
    if let attribute = Attribute(named: name) {
      self.init(attribute)
    } else if name.lowercased() == "date" {
      self = .date
    } else {
      self = Self.tickerNames.contains(name.lowercased()) ? .ticker : .ignored
    }
  }

  /// The names of a ticker column. If a file has several, the one that comes first here counts.
  fileprivate static let tickerNames = ["ticker", "symbol", "code", "name"]
}

/// The role of each column of a file, from the columns' names.
struct ColumnPlan: Hashable, Sendable {
  let names: [String]
  let roles: [ColumnRole]
  /// The attributes that the file has.
  let attributes: AttributeSet

  /// The plan for columns with these names.
  ///
  /// - Throws: `ImportError` if there is no date, if there is no attribute, or if two columns have one role.
  init(names: [String], header: String, file: String) throws(ImportError) {
    var roles = names.map { ColumnRole(named: $0) }
    let tickerColumns = roles.indices.filter { roles[$0] == .ticker }
    let ticker = tickerColumns.min { Self.rank(names[$0]) < Self.rank(names[$1]) }
    for column in tickerColumns where column != ticker { roles[column] = .ignored }
    for (column, role) in roles.enumerated() where role != .ignored && roles[..<column].contains(role) {
      throw .repeatedColumn(file: file, column: names[column])
    }
    guard roles.contains(.date) else { throw .noDateColumn(file: file, header: header) }
    attributes = AttributeSet(roles.compactMap(\.attribute))
    guard !attributes.isEmpty else { throw .noValueColumn(file: file, header: header) }
    self.names = names
    self.roles = roles
  }

  var hasTicker: Bool { roles.contains(.ticker) }

  /// What each column was taken for.
  var columns: [ImportedFile.Column] { zip(names, roles).map { ImportedFile.Column($0, $1) } }

  private static func rank(_ name: String) -> Int {
    ColumnRole.tickerNames.firstIndex(of: name.lowercased()) ?? .max
  }
}
