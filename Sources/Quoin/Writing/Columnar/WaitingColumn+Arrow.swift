extension WaitingColumn {
  /// Calls `body` with each buffer in Arrow's order: which rows have a value, or nothing if all have one; where texts begin; values.
  func forEachArrowBuffer(_ body: ([UInt8]) throws -> Void) rethrows {
    try body(missing.isEmpty ? [] : bitmap)
    var values: [UInt8] = []
    switch kind {
    case .text:
      values.append(littleEndian: [0] + ends)
      try body(values)
      try body(letters)
      return
    case .day: values.append(littleEndian: days)
    case .double: values.append(littleEndian: doubles.map(\.bitPattern))
    case .integer: values.append(littleEndian: integers)
    }
    try body(values)
  }
}

extension WaitingColumn.Kind {
  /// The number and the table of the type in Arrow's schemas (Schema.fbs).
  var arrowType: (number: UInt8, table: FlatTable) {
    var table = FlatTable()
    switch self {
    case .text: return (5, table)
    case .day:
      table.set(0, Int16(0))
      return (8, table)
    case .double:
      table.set(0, Int16(2))
      return (3, table)
    case .integer:
      table.set(0, Int32(64))
      table.set(1, UInt8(1))
      return (2, table)
    }
  }
}
