/// The rows from which a function computes the value of a row: that row and those before it.
struct RowWindow: Hashable, Sendable {
  /// How many rows at most; nil for all from the first one on.
  let rows: Int?
  /// The value is missing until so many rows exist. They are counted whether their cells are missing or not.
  let minimum: Int

  /// The last `rows` rows. Traps unless 1 <= `minimum` <= `rows`.
  init(rows: Int, minimum: Int? = nil) {
    let minimum = minimum ?? rows
    precondition(1 <= minimum && minimum <= rows, "a window of \(rows) rows, at least \(minimum)")
    self.rows = rows
    self.minimum = minimum
  }

  private init() { (rows, minimum) = (nil, 1) }

  /// All rows from the first one on.
  static let all = RowWindow()

  /// On how many rows before it a row's value depends; nil for all.
  var lookback: Int? { rows.map { $0 - 1 } }
}
