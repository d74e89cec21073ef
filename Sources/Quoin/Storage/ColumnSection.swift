/// A column that this version knows: the days, or an attribute. Its name, kind and source are part of the file format.
enum ColumnSection: Hashable, Sendable {
  case date
  case attribute(Attribute)

  static let volume = ColumnSection.attribute(.volume)
  static let count = Attribute.allCases.count + 1
  static let all: [ColumnSection] = [.date] + Attribute.allCases.map(ColumnSection.attribute)

  var index: Int {
    switch self {
    case .date: 0
    case .attribute(let name): Int(name.rawValue) + 1
    }
  }

  /// The section that this one's blocks may be computed from.
  var derivationSource: ColumnSection? {
    switch self {
    case .date: nil
    case .attribute(let name): name.derivationSource.map(ColumnSection.attribute)
    }
  }

  /// How a column file names the kind of the values.
  var kind: UInt32 {
    switch self {
    case .date: 0
    case .attribute(let name):
      switch name.layout.kind {
      case .float64: 1
      case .int64: 2
      }
    }
  }

  /// The kind of a column whose whole numbers have fractions in some file; no other kind than `kind` for other columns.
  var fractionKind: UInt32 { self == .volume ? 1 : kind }

  /// Whether the statistics have sums.
  var hasSums: Bool { self != .date }
}

extension ColumnSection: CustomStringConvertible {
  /// The name in the header of a WIKI bulk file.
  var description: String {
    switch self {
    case .date: "date"
    case .attribute(let name): name.wikiName
    }
  }
}
