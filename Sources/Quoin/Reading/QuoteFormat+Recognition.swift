extension QuoteFormat {
  /// The format of a text that begins with these bytes. If the first line is one object that is a row, it is NDJSON; any other
  /// text that begins with a brace or bracket is JSON; everything else is CSV.
  init(recognizing bytes: [UInt8]) {
    let text = bytes.drop { UInt8(ascii: " ") >= $0 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      self = .csv
      return
    }
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    self = first == UInt8(ascii: "{") && Self.isRow(line) ? .ndjson : .json
  }

  /// Whether a line is a flat object, or one with the day and a value of a quote beside other things.
  private static func isRow(_ line: ArraySlice<UInt8>) -> Bool {
    let inside = line.dropFirst()
    guard inside.last(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "}") else { return false }
    if !inside.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) {
      return inside.contains(UInt8(ascii: ":"))
    }
    return TextView.with(String(decoding: line, as: UTF8.self)) { text in
      var (checker, names) = (JSONChecker(text), JSONNames())
      do throws(JSONFault) { try checker.checkValue() } catch { return false }
      names.insert(JSONNode(text, at: 0))
      let flat = names.names.filter(names.flat.contains)
      let roles = JSONColumnName.plain(flat).map { ColumnRole(named: $0) }
      return roles.contains(.date) && roles.contains { $0.attribute != nil }
    }
  }
}
