// Tables that are arrays of arrays, or arrays beside each other.

extension JSONTableFinder {
  /// Rows that are arrays, with a list of names beside them, as pandas writes them with `split`:
  ///
  ///     {"columns": ["date", "close"], "index": [0, 1], "data": [["2024-01-18", 1.5], ["2024-01-19", 2.5]]}
  func namedRows(_ object: JSONNode, _ place: JSONPlace) -> JSONTable? {
    let arrays = object.members.filter { $0.value.kind == .array }
    guard let rows = arrays.first(where: { $0.value.firstElement?.kind == .array })?.value,
      let first = rows.firstElement
    else { return nil }
    let columnCount = count(of: first)
    if columnCount > Limits.columnNameCount { return nil }
    for (_, list) in arrays where count(of: list) == columnCount {
      guard let names = Self.names(list) else { continue }
      if let table = table(.arrays(rows, labels: nil), names, place) { return table }
      if let index = object["index"], index.kind == .array, count(of: index) == count(of: rows),
        let table = table(.arrays(rows, labels: index), ["date"] + names, place)
      {
        return table
      }
    }
    return nil
  }

  /// The texts of a list, or the names of the objects in it; nil if there is something else.
  private static func names(_ list: JSONNode) -> [String]? {
    var names: [String] = []
    for element in list.elements {
      guard let name = element.kind == .object ? element["name"] : element, name.kind == .text else { return nil }
      names.append(name.string)
    }
    return names
  }

  /// Rows that are arrays without names: those of Binance, or those whose names the options say.
  mutating func addUnnamedRows(_ array: JSONNode, _ place: JSONPlace) throws(ImportError) {
    guard let first = array.firstElement else { return }
    if !options.columnNames.isEmpty {
      add(try JSONTable(.arrays(array, labels: nil), options.columnNames, at: place, options, file: file))
    } else if let names = Self.binanceNames(first) {
      add(try JSONTable(.arrays(array, labels: nil), names, at: place, options, file: file))
    } else {
      refuse(
        .namelessCells(file: file, path: place.shown, count: count(of: first)))
    }
  }

  /// The names of the cells of Binance's candles: `[1704067200000, "9311.5", "9422.1", "9208.7", "9397.5", "7174",
  /// 1704153599999, ...]`. The times around five texts are a sign that no other service has.
  private static func binanceNames(_ row: JSONNode) -> [String]? {
    let cells = Array(row.elements)
    guard (7...12).contains(cells.count), cells[1...5].allSatisfy({ $0.kind == .text && $0.isNumber }),
      let open = EpochUnit.count(Array(cells[0].string.utf8)), let close = EpochUnit.count(Array(cells[6].string.utf8)),
      [cells[0], cells[6]].allSatisfy({ $0.kind == .number && $0.isTime }), open < close
    else { return nil }
    let names = [
      "timestamp", "open", "high", "low", "close", "volume", "close time", "quote asset volume", "number of trades",
      "taker buy base asset volume", "taker buy quote asset volume", "unused",
    ]
    return Array(names.prefix(cells.count))
  }

  /// Arrays beside each other, one a column. If those beside the days hold no values, the arrays further in are taken too, as
  /// Yahoo has them:
  ///
  ///     {"timestamp": [1705588200, ...], "indicators": {"quote": [{"open": [41.07, ...], ...}]}}
  func columns(_ object: JSONNode, _ place: JSONPlace) throws(ImportError) -> JSONTable? {
    var lists = Self.lists(object)
    guard let days = lists.first(where: { isDay($0.name, among: lists.map(\.name)) })?.list else { return nil }
    let rowCount = days.count
    if table(.columns([], isLabelled: false), lists.map(\.name), place) == nil {
      for (_, value) in object.members {
        lists += Self.innerLists(value, levels: 4).filter { $0.list.count == rowCount }
      }
    }
    let events = JSONEvents.all(of: object, days: days, secondsEast: place.secondsEast ?? 0)
    let rows = JSONTable.Rows.columns(lists.map(\.list), isLabelled: false)
    guard var table = table(rows, lists.map(\.name) + events.map(\.name), place) else { return nil }
    for (index, list) in lists.enumerated() where table.plan.roles[index] != .ignored && list.list.count != rowCount {
      let detail = "it has \(list.list.count) values where there are \(rowCount) days"
      throw .unknownShape(file: file, path: place.member(list.name).shown, detail: detail)
    }
    table.events = events.filter(\.isSimple)
    return table
  }

  private func isDay(_ name: String, among names: [String]) -> Bool {
    if let use = options.columnUses[name] { return use == .date }
    let plain = JSONColumnName.plain(names)
    return zip(names, plain).contains { $0 == name && ColumnRole(named: $1) == .date }
  }

  /// The arrays of an object whose first element isn't an array or object itself; no more than a document has names.
  private static func lists(_ object: JSONNode) -> [(name: String, list: JSONNode)] {
    let lists = object.members.lazy.filter { $0.value.firstElement?.isContainer == false }
    return lists.prefix(Limits.memberNameCount).map { (name: $0.key.string, list: $0.value) }
  }

  /// The arrays further in; of an array of objects those of the first.
  private static func innerLists(_ node: JSONNode, levels: Int) -> [(name: String, list: JSONNode)] {
    switch node.kind {
    case .object where levels > 0:
      lists(node) + node.members.flatMap { innerLists($0.value, levels: levels - 1) }
    case .array where levels > 0:
      node.firstElement.map { $0.kind == .object ? innerLists($0, levels: levels - 1) : [] } ?? []
    default: []
    }
  }
}
