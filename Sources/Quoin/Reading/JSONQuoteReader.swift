/// Finds the quotes in a text of one JSON document, or of several that follow each other.
///
///     check the whole text
///     find what looks like rows, by its shape
///     if nothing does: say what the document says in place of quotes, or what it is
///
/// The text isn't copied: a value is read where it stands, and again if it is needed twice. So a document takes little more
/// memory than its bytes, and less time than a decoder that makes values of everything. Of a long document there is a condensed text.
enum JSONQuoteReader {
  private static let forms = """
    what is read are arrays of objects with a day and values, objects that hold one, arrays beside each other, objects named \
    by their day, and Quandl's 'dataset_data', 'dataset' and 'datatable'
    """

  /// The tables of a text, in their order. There is at least one.
  static func tables(
    _ text: TextView, _ options: ImportOptions, file: String
  ) throws(ImportError) -> [JSONTable] {
    try tables(in: try root(text, file: file), options, file: file)
  }

  /// The tables of a long document.
  static func tables(
    _ document: CondensedJSON, _ text: TextView, _ options: ImportOptions, file: String
  ) throws(ImportError) -> [JSONTable] {
    let all = JSONNode(sequence: text)
    let root = document.valueCount == 1 ? all.firstElement ?? all : all
    return try tables(in: root, shortened: document.shortened, options, file: file)
  }

  private static func tables(
    in root: JSONNode, shortened: [Int: JSONCondenser.Shortened] = [:], _ options: ImportOptions, file: String
  ) throws(ImportError) -> [JSONTable] {
    var finder = JSONTableFinder(options, shortened, file: file)
    let tables = try finder.find(in: root)
    if !tables.isEmpty { return tables }
    if let message = JSONMessage(in: root) { throw message.error(file: file) }
    throw finder.refusal
      ?? .unknownShape(file: file, path: "", detail: "it is \(description(of: root)); \(forms)")
  }

  /// The whole of a text, which is JSON.
  private static func root(_ text: TextView, file: String) throws(ImportError) -> JSONNode {
    var checker = JSONChecker(text)
    let all = JSONNode(sequence: text)
    do throws(JSONFault) {
      guard try checker.checkAll() == 1, let only = all.firstElement else { return all }
      return only
    } catch { throw .notJSON(file: file, detail: error.description(in: text)) }
  }

  /// What a document looks like.
  private static func description(of node: JSONNode) -> String {
    switch node.kind {
    case .object:
      let names = node.members.prefix(8).map { "'\(ShownText.sanitized($0.key.string.utf8))'" }
      let more = node.count > names.count ? " and \(node.count - names.count) more" : ""
      return names.isEmpty ? "an empty object" : "an object with \(names.joined(separator: ", "))\(more)"
    case .array:
      guard let first = node.firstElement else { return "an empty array" }
      let name = node.isSequence ? "values one after another" : "an array"
      return first.kind == .array
        ? "\(name) that begins with an array" : "\(name) that begins with \(description(of: first))"
    case .text, .number, .truth, .null: return node.kind.rawValue
    }
  }
}
