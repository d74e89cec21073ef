/// A form with files, as browsers send it (RFC 7578): `multipart/form-data`.
struct FilesForm {
  struct File {
    let name: String
    let bytes: [UInt8]
  }

  /// The names and values of fields that are no files.
  private(set) var fields: [(name: String, value: String)] = []
  private(set) var files: [File] = []

  /// - Parameter type: the `content-type`, with the boundary between the parts.
  /// - Throws: `Refusal` if the body isn't such a form, or has too many files or too large ones.
  init(_ body: [UInt8], type: String) throws(Refusal) {
    guard let boundary = Self.parameter("boundary", of: type), (1...70).contains(boundary.utf8.count) else {
      throw Self.malformed
    }
    let mark = Array("\r\n--\(boundary)".utf8)
    // The first mark has no line before it.
    guard var start = Self.end(of: Array(mark.dropFirst(2)), in: body, from: 0) else { throw Self.malformed }
    while !body[start...].starts(with: [0x2D, 0x2D]) {
      guard let head = Self.end(of: [0x0D, 0x0A], in: body, from: start),
        let end = Self.end(of: mark, in: body, from: head - 2)
      else { throw Self.malformed }
      try add(body[head..<max(head, end - mark.count)])
      start = end
    }
  }

  private static let malformed = Refusal.wrongParameter("the form can't be read; send it as multipart/form-data")

  /// Adds a part: lines of headers, an empty line, and the content.
  private mutating func add(_ part: ArraySlice<UInt8>) throws(Refusal) {
    let all = Array(part)
    guard let content = Self.end(of: [0x0D, 0x0A, 0x0D, 0x0A], in: all, from: 0) else { throw Self.malformed }
    let lines = String(decoding: all[..<content], as: UTF8.self).split(separator: "\r\n")
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
      let name = Self.parameter("name", of: String(line))
    else { throw Self.malformed }
    guard let file = Self.parameter("filename", of: String(line)) else {
      fields.append((name, String(decoding: all[content...], as: UTF8.self)))
      return
    }
    // A field without a choice has a file without a name.
    if file.isEmpty, content == all.count { return }
    guard files.count < ServerLimits.importFiles else {
      throw .importTooLarge("there are more than \(ServerLimits.importFiles) files; import them in parts")
    }
    guard all.count - content <= ServerLimits.importFileByteCount else {
      let limit = ServerLimits.importFileByteCount >> 20
      throw .importTooLarge("'\(file.prefix(60))' has more than \(limit) MB; import it with quoin import")
    }
    files.append(File(name: Self.bareName(file), bytes: Array(all[content...])))
  }

  /// A file's name without folders, which some browsers send, and without signs that no name should have.
  private static func bareName(_ path: String) -> String {
    let last = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    let name = last.unicodeScalars.filter { !($0.value < 0x20 || $0.value == 0x7F) }.prefix(200)
    let text = String(String.UnicodeScalarView(name))
    return text.isEmpty || text == "-" ? "a file without a name" : text
  }

  /// The value of a parameter of a header: `name="files"`. Browsers write a quotation mark in it as `%22`.
  private static func parameter(_ name: String, of header: String) -> String? {
    var rest = header[...]
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == " " }
      guard rest.lowercased().hasPrefix("\(name)=") else { continue }
      rest = rest.dropFirst(name.count + 1)
      guard rest.first == "\"" else { return String(rest.prefix { $0 != ";" && $0 != " " }) }
      return String(rest.dropFirst().prefix { $0 != "\"" })
    }
    return nil
  }

  /// Where the first copy of a text ends that isn't before `start`; nil if there is none.
  private static func end(of text: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    guard start >= 0, text.count <= body.count - start else { return nil }
    var index = start
    while index <= body.count - text.count {
      if body[index] == text[0], body[index..<(index + text.count)].elementsEqual(text) { return index + text.count }
      index += 1
    }
    return nil
  }
}

extension Refusal {
  static func importTooLarge(_ message: String) -> Refusal { Refusal(status: 413, code: "QELx08", message: message) }
}
