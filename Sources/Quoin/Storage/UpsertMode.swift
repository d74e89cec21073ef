/// What an upsert does to the rows that the store has already.
public enum UpsertMode: String, CaseIterable, Hashable, Sendable {
  /// The attributes that the new rows have replace the stored cells of the same ticker and day. Attributes that they don't have
  /// keep their stored values.
  case update
  /// The same, but a cell that is missing in a new row keeps its stored value: what a source doesn't know it doesn't delete.
  case fill
  /// A new row replaces the whole stored row. Attributes that it doesn't have become missing.
  case replace
  /// A stored row stays as it is. Only days that the store doesn't have are added.
  case keep
}

/// How many rows of an import were new, changed, already stored, or left out.
public struct UpsertCounts: Hashable, Sendable {
  /// Rows of days that the store didn't have.
  public var inserted = 0
  /// Rows that changed a stored row of the same day.
  public var replaced = 0
  /// Rows that the store had with the same values.
  public var unchanged = 0
  /// Rows that `UpsertMode.keep` left out, because the store had their days.
  public var kept = 0
  /// Rows without any value, which are left out.
  public var empty = 0
  /// The number of stored cells that changed, by the attribute's raw value; empty if none did.
  private var cells: [Int] = []

  /// These counts; none by default.
  public init(inserted: Int = 0, replaced: Int = 0, unchanged: Int = 0, kept: Int = 0, empty: Int = 0) {
    self.inserted = inserted
    self.replaced = replaced
    self.unchanged = unchanged
    self.kept = kept
    self.empty = empty
  }

  /// How many stored cells changed, by attribute. Cells of new rows don't count. An attribute without changes is absent.
  public var changedCells: [Attribute: Int] {
    var result: [Attribute: Int] = [:]
    for (attribute, count) in zip(Attribute.allCases, cells) where count > 0 { result[attribute] = count }
    return result
  }

  /// The number of rows.
  package var rowCount: Int { inserted + replaced + unchanged + kept + empty }

  /// Counts a stored cell that changed.
  mutating func countChange(of attribute: Attribute) {
    if cells.isEmpty { cells = Array(repeating: 0, count: Attribute.allCases.count) }
    cells[Int(attribute.rawValue)] += 1
  }

  /// Adds each count of `b` to that of `a`.
  package static func += (a: inout Self, b: Self) {
    a.inserted += b.inserted
    a.replaced += b.replaced
    a.unchanged += b.unchanged
    a.kept += b.kept
    a.empty += b.empty
    if a.cells.isEmpty {
      a.cells = b.cells
    } else {
      for index in b.cells.indices { a.cells[index] += b.cells[index] }
    }
  }

  /// What was counted since `earlier`, which is one of the sums before this one.
  static func - (later: Self, earlier: Self) -> Self {
    var result = later
    result.inserted -= earlier.inserted
    result.replaced -= earlier.replaced
    result.unchanged -= earlier.unchanged
    result.kept -= earlier.kept
    result.empty -= earlier.empty
    for index in earlier.cells.indices { result.cells[index] -= earlier.cells[index] }
    if result.cells.allSatisfy({ $0 == 0 }) { result.cells = [] }
    return result
  }
}
