import CKernels

/// What the values in a window of rows amount to.
///
/// Missing cells take no part, and a window without any value is missing. A result depends on the values of its window
/// alone: it has the same bits wherever the rows begin that are given. Zero has no sign.
final class WindowFunction: Function {
  let name: String
  let meaning: String
  let example: String
  let synonyms: [String]
  /// How many inputs it takes.
  let inputCounts: ClosedRange<Int>
  /// Whether a share follows the number of rows.
  let takesShare: Bool
  /// What a row costs, about.
  let nanoseconds: Double
  /// What the values can be, from what those of the first input can be: for windows with a value.
  let bounds: @Sendable (ValueBounds, RowWindow) -> (low: Double, high: Double)?
  /// Computes the windows of a tile, row by row.
  let take: @Sendable (_ tile: WindowTile, _ share: Double) -> Void
  /// Whether windows are kept from row to row, so that a tile has all rows.
  let keepsWindows: Bool
  /// Windows of so many rows or fewer are computed row by row, which costs less than what windows of many rows need. The numbers are
  /// measured.
  let fewRowsMax: Int
  /// Computes windows of more rows, all together.
  let fillLong: @Sendable (_ windows: WindowHistory, _ results: inout MutableSpan<Double>, _ share: Double) -> Void

  /// - Parameters:
  ///   - few: the most rows of a window that is computed row by row.
  ///   - long: how longer ones are computed.
  init(
    _ name: String, _ meaning: String, example: String? = nil, synonyms: [String] = [],
    inputCounts: ClosedRange<Int> = 1...1, takesShare: Bool = false, nanoseconds: Double = 15,
    bounds: @escaping @Sendable (ValueBounds, RowWindow) -> (low: Double, high: Double)? = { _, _ in nil },
    keepsWindows: Bool = false, few: Int = Int(QUOIN_FEW_ROWS),
    take: @escaping @Sendable (_ tile: WindowTile, _ share: Double) -> Void,
    long: @escaping @Sendable (_ windows: WindowHistory, _ results: inout MutableSpan<Double>, _ share: Double) -> Void
  ) {
    (self.name, self.meaning, self.synonyms) = (name, meaning, synonyms)
    self.example = example ?? "\(name)(close, 20)"
    (self.inputCounts, self.takesShare, self.nanoseconds) = (inputCounts, takesShare, nanoseconds)
    (self.bounds, self.take, self.keepsWindows) = (bounds, take, keepsWindows)
    (fewRowsMax, fillLong) = (few, long)
  }

  /// A function whose windows are computed row by row however many rows they have.
  convenience init(
    _ name: String, _ meaning: String, example: String? = nil, synonyms: [String] = [],
    bounds: @escaping @Sendable (ValueBounds, RowWindow) -> (low: Double, high: Double)? = { _, _ in nil },
    take: @escaping @Sendable (_ tile: WindowTile) -> Void
  ) {
    self.init(
      name, meaning, example: example, synonyms: synonyms, bounds: bounds, few: .max, take: { tile, _ in take(tile) },
      long: { _, _, _ in preconditionFailure("\(name) has tiles whatever its windows") })
  }

  /// A function of the moments of the values.
  convenience init(
    _ name: String, _ meaning: String, synonyms: [String] = [], _ moment: quoin_deviation,
    bounds: @escaping @Sendable (ValueBounds, RowWindow) -> (low: Double, high: Double)? = { _, _ in nil }
  ) {
    self.init(
      name, meaning, synonyms: synonyms, bounds: bounds, take: { tile, _ in tile.take(moment) },
      long: { windows, results, _ in windows.take(moment, &results) })
  }

  /// A function of the line of least squares: of the values by their place in the window, or of the first input by the second one.
  convenience init(
    _ name: String, _ meaning: String, _ line: quoin_line, _ pair: quoin_pair, long: quoin_merged
  ) {
    self.init(
      name, meaning, inputCounts: 1...2, take: { tile, _ in tile.hasPairs ? tile.take(pair) : tile.take(line) },
      long: { windows, results, _ in windows.take(long, &results) })
  }

  /// A function of two inputs. Rows in which one of them is missing take no part.
  convenience init(
    _ name: String, _ meaning: String, example: String, synonyms: [String], _ pair: quoin_pair, long: quoin_merged
  ) {
    self.init(
      name, meaning, example: example, synonyms: synonyms, inputCounts: 2...2, take: { tile, _ in tile.take(pair) },
      long: { windows, results, _ in windows.take(long, &results) })
  }
}
