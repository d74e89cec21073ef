/// What the cells of a column look like.
public struct ColumnLook: Hashable, Sendable, CustomStringConvertible {
  /// What kind of cells a column has.
  public enum Kind: String, Hashable, Sendable {
    /// Numbers with fractions.
    case prices
    /// Whole numbers.
    case counts
    /// Days, with or without a time.
    case days
    /// Anything else.
    case texts
    /// No cell has anything in it.
    case nothing
  }

  /// The kind of the cells.
  public let kind: Kind
  /// The first of them, at most three.
  public let examples: [String]

  var isNumber: Bool { kind == .prices || kind == .counts }

  /// `prices such as 3205.48, 3162.5`
  public var description: String {
    kind == .nothing ? "empty" : "\(kind.rawValue) such as \(examples.joined(separator: ", "))"
  }
}

/// A column of whose name nothing is known.
public struct UnknownColumn: Hashable, Sendable, CustomStringConvertible {
  /// The name in the file.
  public let name: String
  /// What its cells look like; nil if nobody looked.
  public let look: ColumnLook?

  /// `'Close/Last' (prices such as 3205.48)`
  public var description: String { look.map { "'\(name)' (\($0))" } ?? "'\(name)'" }
}
