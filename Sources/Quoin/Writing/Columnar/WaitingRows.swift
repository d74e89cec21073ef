/// Rows that wait in columns until there are as many as a format writes together.
struct WaitingRows {
  private let headings: [ColumnHeading]
  private let capacity: Int
  private(set) var columns: [WaitingColumn] = []
  private(set) var count = 0
  /// Whether the columns have their types, which the first rows say.
  private(set) var hasTypes = false

  var isFull: Bool { count == capacity }

  init(_ headings: [ColumnHeading], capacity: Int) { (self.headings, self.capacity) = (headings, capacity) }

  /// Gives the columns the types of these cells, or those of the headings if there are no rows.
  mutating func setTypes(of cells: [CellColumn]? = nil) {
    columns = headings.indices.map { index in
      let heading = headings[index]
      return WaitingColumn(heading.name, cells.map { WaitingColumn.Kind($0[index], heading) } ?? .init(heading))
    }
    hasTypes = true
  }

  /// Appends as many rows as there is room for. Returns the others. Traps when there are fewer cells.
  mutating func append(_ cells: [CellColumn], rows: Range<Int>) throws(ColumnTypeError) -> Range<Int> {
    precondition(cells.count == headings.count, "\(cells.count) columns for \(headings.count) cells")
    let part = rows.prefix(capacity - count)
    for index in cells.indices { try columns[index].append(cells[index], rows: part) }
    count += part.count
    return part.upperBound..<rows.upperBound
  }

  mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll() }
    count = 0
  }
}
