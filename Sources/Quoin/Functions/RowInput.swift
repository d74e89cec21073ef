/// What a function of rows reads: a column, or the same number in each row.
enum RowInput {
  case column(ColumnMemory<Double>)
  case number(Double)

  /// A number for each of `count` rows; missing where it isn't finite.
  @inline(__always)
  func compute(_ count: Int, _ body: (Double) -> Double) -> ColumnMemory<Double> { map(count) { body($0).ifFinite } }

  /// A number for each of `count` rows of this input and another one; missing where it isn't finite, as what is divided by 0.
  @inline(__always)
  func compute(_ other: RowInput, _ count: Int, _ body: (Double, Double) -> Double) -> ColumnMemory<Double> {
    map(other, count) { body($0, $1).ifFinite }
  }

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
