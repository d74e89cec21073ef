import CSQLite

/// What a statement found, as columns.
struct Table {
  enum Column {
    case doubles([Double])
    case integers([Int64])
    case texts([String])
  }

  private(set) var names: [String] = []
  private(set) var columns: [Column] = []
  private(set) var rowCount = 0

  init(_ database: Database, _ sql: String) {
    database.forEachRow(sql) { append($0) }
  }

  private mutating func append(_ row: Row) {
    if columns.isEmpty {
      names = (0..<row.columnCount).map(row.name)
      columns = names.indices.map { column in
        switch row.type(column) {
        case SQLITE_TEXT: .texts([])
        case SQLITE_INTEGER: .integers([])
        default: .doubles([])
        }
      }
    }
    for index in columns.indices { columns[index].append(row, index) }
    rowCount += 1
  }

  /// The numbers that all engines have to agree on: see `Answer.swift`. A count is a table of one cell.
  var answer: [String] {
    if rowCount == 1, columns.count == 1, case .integers(let values) = columns[0] { return ["\(values[0])"] }
    return ["\(rowCount)"] + zip(names, columns).map { $0 == "date" ? $1.daySum : $1.sum }
  }
}

extension Table.Column {
  fileprivate mutating func append(_ row: Row, _ index: Int) {
    switch self {
    case .doubles(var values):
      self = .integers([])  // so that the array isn't shared
      values.append(row.double(index))
      self = .doubles(values)
    case .integers(var values):
      self = .doubles([])
      values.append(row.integer(index))
      self = .integers(values)
    case .texts(var values):
      self = .integers([])
      values.append(row.text(index))
      self = .texts(values)
    }
  }

  var sum: String {
    switch self {
    case .doubles(let values): "\(values.reduce(0) { $1.isNaN ? $0 : $0 + $1 })"
    case .integers(let values): "\(values.reduce(Int128(0)) { $0 + Int128($1) })"
    case .texts(let values): "\(values.reduce(UInt64(0)) { $0 + UInt64(Self.fnv1a($1)) })"
    }
  }

  /// Core Data's dates are seconds since 2001-01-01, day 11,323 since 1970; SQLite keeps whole ones as integers.
  var daySum: String {
    switch self {
    case .integers(let dates): "\(dates.reduce(0) { $0 + Int($1) / 86_400 + 11_323 })"
    case .doubles(let dates): "\(dates.reduce(0) { $0 + Int($1) / 86_400 + 11_323 })"
    case .texts: sum
    }
  }

  private static func fnv1a(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
