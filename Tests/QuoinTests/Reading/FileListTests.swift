import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lists of the documentation are those that the importer uses. `QUOIN_WRITE_DOCS=1` writes them.
@Suite struct FileListTests {
  private static let path = #filePath.components(upTo: "/Tests/") + "/docs/files.md"

  @Test func the_documentation_lists_what_an_import_knows() throws {
    var text = try #require(Self.contents(Self.path))
    for (name, list) in Self.lists { text = try #require(Self.replacing(name, by: list, in: text), "\(name)") }
    if TestSettings.variable("QUOIN_WRITE_DOCS") != nil { try Self.write(text) }
    #expect(text == Self.contents(Self.path), "QUOIN_WRITE_DOCS=1 swift test --filter FileListTests writes it")
  }

  private static var lists: [(String, String)] {
    let attributes = ColumnNames.attributes.map { attribute, names in
      "| \(attribute.wikiName) | `\(([attribute.datasetName] + names).joined(separator: "` `"))` |"
    }
    let keys = [("ticker", ColumnNames.tickers), ("date", ColumnNames.dates)].map {
      "| \($0) | `\($1.joined(separator: "` `"))` |"
    }
    let columns = ["| column | names |", "| --- | --- |"] + keys + attributes
    let suffixes = NumberSigns.suffixes.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
      "`\($0.key)` (10^\($0.value))"
    }
    let months = MonthNames.names.enumerated().map { "\($0 + 1). \($1.split(separator: " ").joined(separator: ", "))" }
    return [
      ("columns", "\n\(columns.joined(separator: "\n"))\n"),
      ("nothings", "\n`\(ColumnNames.nothings.sorted().joined(separator: "` `"))`\n"),
      ("currencies", "\n`\(NumberSigns.currencies.joined(separator: "` `"))`\n"),
      ("suffixes", "\n\(suffixes.joined(separator: ", "))\n"),
      ("missing", "\n`\(DecimalParser.missingTexts.joined(separator: "` `"))`\n"),
      ("months", "\n\(months.joined(separator: "\n"))\n"),
    ]
  }

  /// The text with other lines between a mark and the next end; nil if the mark is missing.
  private static func replacing(_ name: String, by list: String, in text: String) -> String? {
    let mark = "<!-- \(name) -->"
    guard let start = text.firstRange(of: mark)?.upperBound,
      let end = text[start...].firstRange(of: "<!-- end -->")?.lowerBound
    else { return nil }
    return text[..<start] + list + text[end...]
  }

  private static func contents(_ path: String) -> String? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func write(_ text: String) throws {
    let file = try unsafe #require(fopen(path, "wb"))
    defer { unsafe fclose(file) }
    let bytes = Array(text.utf8)
    #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}

extension String {
  fileprivate func components(upTo mark: String) -> String {
    firstRange(of: mark).map { String(self[..<$0.lowerBound]) } ?? self
  }
}
