/// The cells of one column of rows that go out.
package enum CellColumn: Sendable {
  case tickers([TickerSymbol])
  case days([TradingDay])
  case doubles([Double])
  case integers([Int64])
  /// Every cell is missing.
  case absent
}

extension QuoteColumns {
  /// The cells of these columns. An attribute that is not among `attributes` is absent, and so is the ticker when
  /// `tickers` is empty.
  package func cells(of columns: [OutputColumn], tickers: [TickerSymbol] = []) -> [CellColumn] {
    columns.map { column in
      switch column {
      case .ticker: tickers.isEmpty ? .absent : .tickers(tickers)
      case .date: .days(days)
      case .attribute(let name) where !attributes.contains(name): .absent
      case .attribute(let name): name.isInteger ? .integers(integers[name.slot]) : .doubles(doubles[name.slot])
      }
    }
  }
}

extension [CellColumn] {
  /// Calls `body` with the sources of the cells, each valid for rows `0..<rowCount` during the call. Traps when a column
  /// has fewer cells.
  func withSources<Result>(rowCount: Int, _ body: ([CellSource]) throws -> Result) rethrows -> Result {
    try unsafe withSources([], rowCount, body)
  }

  /// Holds one array open and calls itself for the rest, as a pointer into an array is valid only inside its closure.
  private func withSources<Result>(
    _ found: [CellSource], _ rowCount: Int, _ body: ([CellSource]) throws -> Result
  ) rethrows -> Result {
    guard unsafe found.count < count else { return try unsafe body(found) }
    switch unsafe self[found.count] {
    case .tickers(let cells): return try unsafe with(cells, CellSource.tickers, found, rowCount, body)
    case .days(let cells): return try unsafe with(cells, CellSource.days, found, rowCount, body)
    case .doubles(let cells): return try unsafe with(cells, CellSource.doubles, found, rowCount, body)
    case .integers(let cells): return try unsafe with(cells, CellSource.integers, found, rowCount, body)
    case .absent: return try unsafe withSources(found + [.absent], rowCount, body)
    }
  }

  private func with<Cell, Result>(
    _ cells: [Cell], _ source: (UnsafePointer<Cell>) -> CellSource, _ found: [CellSource], _ rowCount: Int,
    _ body: ([CellSource]) throws -> Result
  ) rethrows -> Result {
    precondition(cells.count >= rowCount, "\(cells.count) cells of \(rowCount) rows")
    return try unsafe cells.withUnsafeBufferPointer { cells in
      let source = unsafe cells.baseAddress.map { unsafe source($0) } ?? .absent
      return try unsafe withSources(found + [source], rowCount, body)
    }
  }
}
