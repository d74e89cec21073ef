/// The body of one of Quandl's documents:
///
///     {"dataset_data":{"column_names":["Date","Open",...],"data":[["2005-10-14",86.9,...],...],...}}
///     {"dataset":{"dataset_code":"FDX","column_names":[...],"data":[...],...}}
///     {"datatable":{"data":[["FDX","2005-10-14",86.9,...],...],"columns":[{"name":"ticker",...},...]},"meta":{...}}
///
/// They say of themselves what they are, so that an error can say what is missing.
struct QuandlJSON {
  static let names = ["dataset_data", "dataset", "datatable"]

  private let body: JSONNode
  private let name: String

  init(_ body: JSONNode, _ name: String) { (self.body, self.name) = (body, name) }

  /// The body of a document, and its name; nil if it is none of Quandl's.
  static func body(of document: JSONNode) -> (body: JSONNode, name: String)? {
    for name in names {
      guard let body = document[name] else { continue }
      let isBody =
        body.kind == .object
        ? ["column_names", "columns", "data"].contains { body[$0] != nil } : !body.isContainer && document.count == 1
      if isBody { return (body, name) }
    }
    return nil
  }

  func table(_ place: JSONPlace, _ options: ImportOptions, file: String) throws(ImportError) -> JSONTable {
    guard body.kind == .object else { throw wrong(file, [], "it is \(body.kind.rawValue), not an object") }
    var place = place
    place.ticker = body["dataset_code"].flatMap(\.scalar)
    let names = try columnNames(file)
    let data = body["data"]
    let rows = JSONTable.Rows.arrays(data ?? body, labels: nil)
    var table = try JSONTable(rows, names, at: place, options, file: file)
    table.isQuandls = true
    guard let data else { throw wrong(file, nil, "it has no 'data', only a description") }
    guard data.kind == .array else { throw wrong(file, ["data"], "it is \(data.kind.rawValue), not an array") }
    return table
  }

  private func columnNames(_ file: String) throws(ImportError) -> [String] {
    let key = name == "datatable" ? "columns" : "column_names"
    guard let list = body[key] else { throw wrong(file, [], "'\(key)' is missing") }
    guard list.kind == .array else { throw wrong(file, [key], "it is \(list.kind.rawValue), not an array") }
    var names: [String] = []
    for (index, node) in list.elements.enumerated() {
      guard index < Limits.columnNameCount else {
        throw wrong(file, [key], "it names more than \(Limits.columnNameCount) columns")
      }
      let name = node.kind == .object ? node["name"] ?? node : node
      guard name.kind == .text || name.kind == .null else {
        throw wrong(file, [key, "\(index + 1)"], "it is \(name.kind.rawValue), not a name")
      }
      names.append(name.kind == .null ? "" : name.string)
    }
    return names
  }

  /// - Parameter path: where in the body it is; nil if it isn't said.
  private func wrong(_ file: String, _ path: [String]?, _ detail: String) -> ImportError {
    .unknownShape(file: file, path: path.map { ([name] + $0).joined(separator: ".") } ?? "", detail: detail)
  }
}
