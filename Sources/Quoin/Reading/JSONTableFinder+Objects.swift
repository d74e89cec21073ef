// Tables that are objects of objects.

extension JSONTableFinder {
  /// An object whose members are objects too: one a column, or one a row.
  func objects(_ object: JSONNode, _ place: JSONPlace) -> JSONTable? {
    guard let first = object.members.first(where: { _ in true }), first.value.kind == .object else { return nil }
    if object.members.contains(where: { $0.value.kind != .object }) { return nil }
    return columnObjects(object, place) ?? keyedObjects(object, first.key, place)
  }

  /// A column each, as pandas writes them without being asked: `{"close": {"0": 1.5, "1": 2.5}, "date": {...}}`. If there is
  /// none of days, the names of the cells are the days.
  private func columnObjects(_ object: JSONNode, _ place: JSONPlace) -> JSONTable? {
    let columns = Array(object.members.prefix(Limits.memberNameCount + 1))
    guard columns.count <= Limits.memberNameCount else { return nil }
    let isFlat = columns.allSatisfy { $0.value.members.first { _ in true }?.value.isContainer == false }
    guard isFlat, let label = columns[0].value.members.first(where: { _ in true })?.key else { return nil }
    let (names, lists) = (columns.map(\.key.string), columns.map(\.value))
    if let table = table(.columns(lists, isLabelled: false), names, place) { return table }
    return isDay(label) ? table(.columns(lists, isLabelled: true), ["date"] + names, place) : nil
  }

  /// A row each, named by the day: `{"2024-01-19": {"1. open": "61.59", ...}}`. If the rows have days, they are named by anything,
  /// such as the ticker.
  private func keyedObjects(_ object: JSONNode, _ key: JSONNode, _ place: JSONPlace) -> JSONTable? {
    var names = JSONNames()
    for (_, row) in object.members { names.insert(row) }
    if isDay(key), let table = keyedTable("date", object, names, place) { return table }
    let areTickers = object.members.allSatisfy { JSONColumnName.isTicker($0.key.string) }
    if areTickers, let table = keyedTable("ticker", object, names, place) { return table }
    return keyedTable(nil, object, names, place)
  }

  /// - Parameter key: what the rows are named by; nil for nothing of interest.
  private func keyedTable(_ key: String?, _ object: JSONNode, _ names: JSONNames, _ place: JSONPlace) -> JSONTable? {
    let nested = Set(names.names).subtracting(names.flat)
    // What the rows say themselves isn't needed twice.
    let labels = [key].compactMap(\.self).filter { !names.names.contains($0) }
    let rows = JSONTable.Rows.keyed(object, isLabelled: !labels.isEmpty)
    do throws(ImportError) {
      return try JSONTable(rows, labels + names.names, nested: nested, at: place, options, file: file)
    } catch { return nil }
  }

  /// Whether a name is a day, or a time that says one.
  private func isDay(_ name: JSONNode) -> Bool {
    if name.isTime { return true }
    var days = DayParser(reading: options.dates)
    return name.withText { text in
      switch days.parse(text) {
      case .value: true
      case .bad(let reason): reason == DayParser.unknownOrder
      case .missing: false
      }
    }
  }
}
