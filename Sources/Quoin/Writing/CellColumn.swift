/// The cells of one column of rows that go out.
package enum CellColumn: Sendable {
  case tickers(ColumnBuffer<TickerSymbol>)
  case days(ColumnBuffer<TradingDay>)
  case doubles(ColumnBuffer<Double>)
  case integers(ColumnBuffer<Int64>)
  /// Every cell is missing.
  case absent
}

extension QuoteColumns {
  /// The cells of these columns. An attribute that is not among `attributes` is absent, and so is the ticker when
  /// `tickers` is empty.
  package func cells(of columns: [OutputColumn], tickers: ColumnBuffer<TickerSymbol> = []) -> [CellColumn] {
    columns.map { column in
      switch column {
      case .ticker: tickers.isEmpty ? .absent : .tickers(tickers)
      case .date: .days(dayValues)
      case .attribute(let name): attributes.contains(name) ? CellColumn(self[column: name]) : .absent
      }
    }
  }
}

extension CellColumn {
  fileprivate init(_ column: Column) {
    switch column {
    case .doubles(let values): self = .doubles(values)
    case .integers(let values): self = .integers(values)
    }
  }
}

extension [CellColumn] {
  /// Calls `body` with the sources of the cells, each valid for rows `0..<rowCount` during the call. Traps when a column
  /// has fewer cells.
  ///
  /// Sound: the memory that the sources point into is held until `body` has returned.
  func withSources<Result>(rowCount: Int, _ body: ([CellSource]) throws -> Result) rethrows -> Result {
    var held: [AnyObject] = []
    func memory<Cell>(of cells: ColumnBuffer<Cell>) -> UnsafePointer<Cell> {
      precondition(cells.count >= rowCount, "\(cells.count) cells of \(rowCount) rows")
      let memory = cells.shared
      held.append(memory)
      return unsafe UnsafePointer(memory.base)
    }
    defer { withExtendedLifetime(held) {} }
    let sources = unsafe map { column -> CellSource in
      switch column {
      case .tickers(let cells): unsafe .tickers(memory(of: cells))
      case .days(let cells): unsafe .days(memory(of: cells))
      case .doubles(let cells): unsafe .doubles(memory(of: cells))
      case .integers(let cells): unsafe .integers(memory(of: cells))
      case .absent: unsafe .absent
      }
    }
    return try unsafe body(sources)
  }
}
