// Bars in cells. A body that rose is hollow (║) and one that fell filled (┃), so that it needs no colors.
extension CellGrid {
  mutating func candle(_ bar: SceneBar) {
    let column = Int(bar.x / 2)
    let color = TerminalColor(bar.isRising ? .rising : .falling)
    wick(bar, column, color)
    // The body's rows: those whose middle it covers, and at least one.
    let (top, bottom) = (min(bar.open, bar.close) / 4, max(bar.open, bar.close) / 4)
    let first = Int((top - 0.5).rounded(.up))
    let last = Int((bottom - 0.5).rounded(.down))
    let body = first <= last ? first...last : Int((top + bottom) / 2)...Int((top + bottom) / 2)
    for row in body { put(bar.isRising ? "║" : "┃", column, row, color) }
  }

  /// A line from high to low, whose ends are halves of cells.
  private mutating func wick(_ bar: SceneBar, _ column: Int, _ color: TerminalColor) {
    let (high, low) = (Int(bar.high / 2), max(Int(bar.high / 2), Int((bar.low - 0.01) / 2)))
    for row in (high / 2)...(low / 2) {
      let (upper, lower) = (high <= row * 2, low > row * 2)
      put(upper && lower ? "│" : lower ? "╷" : "╵", column, row, color)
    }
  }

  /// A line from high to low, with the open on its left and the close on its right.
  mutating func bar(_ bar: SceneBar) {
    let column = Int(bar.x / 2)
    let color = TerminalColor(bar.isRising ? .rising : .falling)
    wick(bar, column, color)
    let (open, close) = (Int(bar.open / 4), Int(bar.close / 4))
    if open == close { return put("┼", column, open, color) }
    put("┤", column, open, color)
    put("├", column, close, color)
  }

  private static let eighths: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A column of eighths of cells, and at least one.
  mutating func column(_ column: SceneColumn) {
    let color = TerminalColor(column.paint)
    let left = Int((column.x - column.width / 2) / 2 + 0.001)
    let right = max(left, Int((column.x + column.width / 2) / 2 - 0.999))
    let eighthCount = max(1, Int(((column.bottom - column.top) * 2).rounded()))
    // From the bottom of a cell upwards.
    let base = Int((column.bottom / 4).rounded()) - 1
    for cell in 0..<((eighthCount + 7) / 8) {
      let eighths = min(8, eighthCount - cell * 8)
      for place in left...right { put(Self.eighths[eighths - 1], place, base - cell, color) }
    }
  }
}
