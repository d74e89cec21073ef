/// Finds the rows of a document by its shape: arrays of objects, objects of objects, arrays beside each other, wherever in the
/// document they are.
struct JSONTableFinder {
  /// Values further in aren't looked at.
  private static let levelCountMax = 5

  let options: ImportOptions
  let file: String
  /// The arrays of which most elements were left out, by their place.
  private let shortened: [Int: JSONCondenser.Shortened]
  private(set) var tables: [JSONTable] = []
  /// Why the first array or object that looks like rows isn't read.
  private(set) var refusal: ImportError?
  /// Rows that are single objects; they count if there are no others.
  private var single: [JSONTable] = []

  init(_ options: ImportOptions, _ shortened: [Int: JSONCondenser.Shortened] = [:], file: String) {
    (self.options, self.shortened, self.file) = (options, shortened, file)
  }

  /// The tables of a document, in their order; none if it has none.
  mutating func find(in root: JSONNode) throws(ImportError) -> [JSONTable] {
    try search(root, JSONPlace())
    if tables.isEmpty { tables = single }
    for index in tables.indices { tables[index].shortened = tables[index].array.flatMap(shortened(_:)) }
    let patterns = tables.map { $0.place.pattern.joined(separator: ".") }
    if let first = patterns.first, patterns.contains(where: { $0 != first }) { throw severalTables }
    return tables
  }

  /// What an array has lost; nil if nothing.
  private func shortened(_ array: JSONNode) -> JSONCondenser.Shortened? {
    shortened.isEmpty ? nil : shortened[array.isSequence ? JSONCondenser.whole : array.start]
  }

  /// How many elements an array has in the document.
  func count(of array: JSONNode) -> Int { shortened(array)?.count ?? array.count }

  private var severalTables: ImportError {
    var paths: [String] = []
    for table in tables where !paths.contains(table.place.shown) { paths.append(table.place.shown) }
    let names = paths.prefix(5).map { $0.isEmpty ? "the whole" : "'\($0)'" }.joined(separator: ", ")
    let more = paths.count > 5 ? " and \(paths.count - 5) more" : ""
    return .unknownShape(
      file: file, path: "",
      detail: "quotes could be in \(names)\(more); save the one that holds them as a document of its own")
  }

  /// Notes the error of a table that would be read if it weren't for that.
  mutating func refuse(_ error: ImportError) { if refusal == nil { refusal = error } }

  mutating func add(_ table: JSONTable) { tables.append(table) }

  /// A table with these rows; nil if these names are no quotes'.
  func table(_ rows: JSONTable.Rows, _ names: [String], _ place: JSONPlace) -> JSONTable? {
    do throws(ImportError) { return try JSONTable(rows, names, at: place, options, file: file) } catch { return nil }
  }

  mutating func search(_ node: JSONNode, _ place: JSONPlace) throws(ImportError) {
    guard place.level <= Self.levelCountMax else { return }
    switch node.kind {
    case .array: try searchArray(node, place)
    case .object: try searchObject(node, place)
    case .text, .number, .truth, .null: break
    }
  }

  private mutating func searchArray(_ array: JSONNode, _ place: JSONPlace) throws(ImportError) {
    switch array.firstElement?.kind {
    case .array: try addUnnamedRows(array, place)
    case .object: try searchObjects(array, place)
    default: break
    }
  }

  private mutating func searchObjects(_ array: JSONNode, _ place: JSONPlace) throws(ImportError) {
    var names = JSONNames()
    for element in array.elements { names.insert(element) }
    do throws(ImportError) {
      add(try JSONTable(.objects(array), names, at: place, options, file: file))
    } catch {
      let countBefore = tables.count + single.count
      if names.hasNested { try searchElements(array, place) }
      if tables.count + single.count == countBefore { refuse(error) }
    }
  }

  private mutating func searchElements(_ array: JSONNode, _ place: JSONPlace) throws(ImportError) {
    for (index, element) in array.elements.enumerated() { try search(element, place.element(index + 1)) }
  }

  private mutating func searchObject(_ object: JSONNode, _ place: JSONPlace) throws(ImportError) {
    if let (body, name) = QuandlJSON.body(of: object) {
      return add(try QuandlJSON(body, name).table(place, options, file: file))
    }
    var place = place
    place.take(object)
    if let table = namedRows(object, place) { return add(table) }
    if let table = try columns(object, place) { return add(table) }
    if let table = objects(object, place) { return add(table) }
    let countBefore = tables.count + single.count
    for (key, value) in object.members where value.isContainer { try search(value, place.member(key.string)) }
    if tables.count + single.count > countBefore { return }
    var names = JSONNames()
    names.insert(object)
    do throws(ImportError) {
      single.append(try JSONTable(.object(object), names, at: place, options, file: file))
    } catch { return }
  }
}
