/// Walks over the rows of a table, and finds the cells of each.
struct JSONRowCursor {
  /// What is wrong with a row as a whole.
  struct BadRow: Error {
    let reason: String
    var value = ""
  }

  private enum Source {
    case objects(JSONElements)
    case keyed(JSONMembers, isLabelled: Bool)
    case arrays(JSONElements, labels: JSONElements?)
    case columns([List], isLabelled: Bool)
  }

  /// The cells of a column.
  private enum List {
    case array(JSONElements)
    case object(JSONMembers)
  }

  private var source: Source
  private let names: [[UInt8]]
  private let places: [[UInt8]: Int]
  /// Which columns say how many rows there are.
  private let isRead: [Bool]
  /// The cells of the row, by column; nil where it has none.
  private(set) var cells: [JSONNode?]

  init(_ table: JSONTable) {
    cells = Array(repeating: nil, count: table.plan.roles.count)
    isRead = table.plan.roles.map { $0 != .ignored }
    names = table.rawNames.map { Array($0.utf8) }
    places = Dictionary(zip(names, names.indices)) { first, _ in first }
    switch table.rows {
    case .objects(let array): source = .objects(array.elements)
    case .object(let object): source = .objects(JSONElements(only: object))
    case .keyed(let object, let isLabelled): source = .keyed(object.members, isLabelled: isLabelled)
    case .arrays(let array, let labels): source = .arrays(array.elements, labels: labels?.elements)
    case .columns(let lists, let isLabelled):
      let lists = lists.map { $0.kind == .object ? List.object($0.members) : .array($0.elements) }
      source = .columns(lists, isLabelled: isLabelled)
    }
  }

  /// Goes on with rows of the same array that follow those before.
  mutating func goOn(with rows: JSONNode) {
    for column in cells.indices { cells[column] = nil }
    switch source {
    case .objects: source = .objects(rows.elements)
    case .arrays(_, let labels): source = .arrays(rows.elements, labels: labels)
    case .keyed, .columns: preconditionFailure("the rows of this table aren't an array")
    }
  }

  /// Finds the cells of the next row.
  ///
  /// - Returns: false at the end.
  mutating func next() throws(BadRow) -> Bool {
    switch source {
    case .objects(var elements):
      let row = elements.next()
      source = .objects(elements)
      return try take(row)
    case .keyed(var members, let isLabelled):
      let row = members.next()
      source = .keyed(members, isLabelled: isLabelled)
      return try take(row?.value, label: isLabelled ? row?.key : nil)
    case .arrays(var elements, var labels):
      let (row, label) = (elements.next(), labels?.next())
      source = .arrays(elements, labels: labels)
      return try takeArray(row, label)
    case .columns(var lists, let isLabelled):
      defer { source = .columns(lists, isLabelled: isLabelled) }
      return try takeColumns(&lists, isLabelled)
    }
  }

  private mutating func take(_ row: JSONNode?, label: JSONNode? = nil) throws(BadRow) -> Bool {
    guard let row else { return false }
    guard row.kind == .object else { throw BadRow(reason: "not an object", value: row.string) }
    for column in cells.indices { cells[column] = nil }
    if let label { cells[0] = label }
    // Objects mostly have their members in one order.
    var next = label == nil ? 0 : 1
    for (key, value) in row.members {
      if next >= names.count || !key.hasText(names[next]) {
        guard let column = key.withText({ places[Array($0)] }) else { continue }
        next = column
      }
      cells[next] = value
      next += 1
    }
    return true
  }

  private mutating func takeArray(_ row: JSONNode?, _ label: JSONNode?) throws(BadRow) -> Bool {
    guard let row else { return false }
    guard row.kind == .array else { throw BadRow(reason: "not an array of cells", value: row.string) }
    cells[0] = label
    let first = label == nil ? 0 : 1
    var column = first
    for cell in row.elements {
      if column < names.count { cells[column] = cell }
      column += 1
    }
    guard column == names.count else {
      let count = column - first
      throw BadRow(reason: "\(count) cell\(count == 1 ? "" : "s") where there are \(names.count - first) columns")
    }
    return true
  }

  private mutating func takeColumns(_ lists: inout [List], _ isLabelled: Bool) throws(BadRow) -> Bool {
    let first = isLabelled ? 1 : 0
    var (label, hasAny, isComplete) = (JSONNode?.none, false, true)
    for index in lists.indices {
      let (key, cell) = Self.next(&lists[index])
      cells[first + index] = cell
      if !isRead[first + index] { continue }
      hasAny = hasAny || cell != nil
      label = label ?? key
      if let key, let label, !key.isSame(as: label) { isComplete = false }
      if case .object = lists[index], cell == nil { isComplete = false }
    }
    if !hasAny { return false }
    if isLabelled { cells[0] = label }
    if !isComplete { throw BadRow(reason: "the columns name this row in different ways", value: label?.string ?? "") }
    return true
  }

  private static func next(_ list: inout List) -> (key: JSONNode?, cell: JSONNode?) {
    switch list {
    case .array(var elements):
      defer { list = .array(elements) }
      return (nil, elements.next())
    case .object(var members):
      defer { list = .object(members) }
      let member = members.next()
      return (member?.key, member?.value)
    }
  }
}
