extension QuoteFormat {
  /// The format of a text that begins with these bytes. If the first line is one flat object, it is NDJSON; any other text
  /// that begins with a brace or bracket is a JSON document; everything else is CSV.
  init(recognizing bytes: [UInt8]) {
    let text = bytes.drop { UInt8(ascii: " ") >= $0 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      self = .csv
      return
    }
    let line = text.prefix { $0 != UInt8(ascii: "\n") }.dropFirst()
    let isFlat = !line.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
    let last = line.last { $0 > UInt8(ascii: " ") }
    self = isFlat && last == UInt8(ascii: "}") && line.contains(UInt8(ascii: ":")) ? .ndjson : .json
  }
}
