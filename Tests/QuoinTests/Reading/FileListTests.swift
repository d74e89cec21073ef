import Testing

@testable import Quoin

/// The lists of the documentation are those that the importer uses. `QUOIN_WRITE_DOCS=1` writes them.
@Suite struct FileListTests {
  @Test func the_documentation_lists_what_an_import_knows() throws {
    try WrittenPage("docs/files.md").expect(Self.lists)
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
}
