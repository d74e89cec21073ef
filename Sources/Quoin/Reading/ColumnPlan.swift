/// The role of each column of a file, from the columns' names.
struct ColumnPlan: Hashable, Sendable {
  let names: [String]
  let roles: [ColumnRole]
  /// The attributes that the file has.
  let attributes: AttributeSet

  /// The plan for columns with these names.
  ///
  /// - Parameter uses: what the caller says of some of them, whatever their names mean.
  /// - Throws: `ImportError` if there is no date, if there is no attribute, or if two columns have one role.
  init(
    names: [String], uses: [String: ImportedFile.Column.Use] = [:], header: String, file: String
  ) throws(ImportError) {
    let names = names.map(ImportedFile.Column.shown)
    var roles = names.map { uses[$0].map { use in ColumnRole(use) } ?? ColumnRole(named: $0) }
    // What the caller says goes before what a name means, and a better name before a worse one.
    for column in roles.indices where uses[names[column]] == nil && roles[column] != .ignored {
      let role = roles[column]
      let attribute = role.attribute
      let same = roles.indices.filter { roles[$0] == role || attribute != nil && roles[$0].attribute == attribute }
      let isSaid = same.contains { uses[names[$0]] != nil }
      let isBetter = same.contains { (roles[$0].rank(of: names[$0]) ?? 0) < (role.rank(of: names[column]) ?? 0) }
      if isSaid || isBetter { roles[column] = .ignored }
    }
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
}
