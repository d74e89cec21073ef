/// What a function of rows reads: a column, or the same number in each row.
enum RowInput {
  case column(ColumnMemory<Double>)
  case number(Double)

  /// A value for each of `count` rows.
  @inline(__always)
  func map(_ count: Int, _ body: (Double) -> Double) -> ColumnMemory<Double> {
    switch self {
    case .number(let number): ColumnMemory(repeating: body(number), count: count)
    case .column(let column): ColumnMemory(mapping: column, body)
    }
  }

  /// A value for each of `count` rows of this input and another one.
  @inline(__always)
  func map(_ other: RowInput, _ count: Int, _ body: (Double, Double) -> Double) -> ColumnMemory<Double> {
    switch (self, other) {
    case (.number(let x), .number(let y)): ColumnMemory(repeating: body(x, y), count: count)
    case (.column(let x), .number(let y)): ColumnMemory(mapping: x) { body($0, y) }
    case (.number(let x), .column(let y)): ColumnMemory(mapping: y) { body(x, $0) }
    case (.column(let x), .column(let y)): ColumnMemory(mapping: x, y, body)
    }
  }
}
