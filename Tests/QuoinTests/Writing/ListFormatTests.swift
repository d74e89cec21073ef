import Testing

@testable import Quoin

/// Lists, whose cells are any texts, in every format.
@Suite struct ListFormatTests {
  private static let headings = [
    ColumnHeading("source", .text), ColumnHeading("rows", .number), ColumnHeading("day", .word),
  ]
  private static let nasty = "a,\"b\"\t|\n\u{1b}[31m\\"
  private static let columns: [CellColumn] = [
    .texts([nasty, nil, "Zürich"]), .texts(["12.5", nil, "-inf"]), .days(["2005-10-14", "2005-10-17", "2005-10-18"]),
  ]

  private func text(_ format: OutputFormat, rows: Range<Int> = 0..<3) throws -> String {
    var text: [UInt8] = []
    var writer = format.makeWriter(Self.headings, layout: .list(isStyled: false)) { text += bytes(of: $0) }
    for row in rows { try writer.append(Self.columns, rows: row..<(row + 1)) }
    try writer.finish()
    return String(decoding: text, as: UTF8.self)
  }

  private static let expected: [OutputFormat: String] = [
    .csv: "\"a,\"\"b\"\"\t|\n\u{1b}[31m\\\",12.5,2005-10-14\n,,2005-10-17\nZürich,-inf,2005-10-18\n",
    .tsv: "a,\"b\" |  [31m\\\t12.5\t2005-10-14\n\t\t2005-10-17\nZürich\t-inf\t2005-10-18\n",
    .json: objects.joined(separator: ",\n") + "\n]\n",
    .ndjson: objects.joined(separator: "\n") + "\n",
    .markdown:
      "| a,\"b\" \\|  \\[31m\\\\ | 12.5 | 2005-10-14 |\n|  |  | 2005-10-17 |\n| Zürich | -inf | 2005-10-18 |\n",
    .table: """
    a,\"b\"?|??[31m\\  12.5  2005-10-14
                          2005-10-17
    Zürich          -inf  2005-10-18

    """,
  ]
  private static let objects: [String] = [
    #"{"source":"a,\"b\"\t|\n\u001b[31m\\","rows":12.5,"day":"2005-10-14"}"#,
    #"{"source":null,"rows":null,"day":"2005-10-17"}"#,
    #"{"source":"Zürich","rows":"-inf","day":"2005-10-18"}"#,
  ]

  @Test(arguments: OutputFormat.allCases.filter(\.isText))
  func a_text_with_any_character_stays_one_cell(_ format: OutputFormat) throws {
    let text = try text(format)
    let rows = try #require(Self.expected[format])
    #expect(text.hasSuffix(rows), "\(text)")
  }

  @Test(arguments: OutputFormat.allCases.filter(\.isText))
  func a_text_longer_than_the_buffer_is_written_whole(_ format: OutputFormat) throws {
    let long = String(repeating: "x", count: 200_000)
    var text: [UInt8] = []
    var writer = format.makeWriter([ColumnHeading("a", .text), ColumnHeading("b", .text)]) { text += bytes(of: $0) }
    try writer.append([.texts(["1", long, "3"]), .texts(["2", long, "4"])], rows: 0..<3)
    try writer.finish()
    #expect(text.count { $0 == UInt8(ascii: "x") } == 400_000)
    #expect(String(decoding: text, as: UTF8.self).split(separator: long).count == 3)
  }

  @Test func every_row_of_a_list_counts_for_the_widths_of_its_table() throws {
    let count = Limits.tableMeasuredRowCount + 2
    let texts = (0..<count).map { String?.some($0 == count - 1 ? "wider" : "a") }
    var text: [UInt8] = []
    var writer = OutputFormat.table.makeWriter(
      [ColumnHeading("t", .text), ColumnHeading("n", .number)], layout: .list(isStyled: true)
    ) { text += bytes(of: $0) }
    try writer.append([.texts(texts), .texts(texts.map { $0 == "wider" ? "1.25" : "10" })], rows: 0..<count)
    try writer.finish()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "\u{1b}[1mt         n\u{1b}[0m")
    #expect(lines[2] == "a        10" && lines.last == "wider  1.25")
  }

  @Test func a_format_is_found_by_the_extension_of_a_file() {
    for (name, format) in [
      ("a.csv", OutputFormat.csv), ("a.b.TSV", .tsv), ("a.tab", .tsv), ("/x/a.json", .json), ("a.jsonl", .ndjson),
      ("a.ndjson", .ndjson), ("a.md", .markdown), ("a.markdown", .markdown), ("a.table", nil), ("a.txt", nil),
      ("", nil),
    ] as [(String, OutputFormat?)] {
      #expect(OutputFormat(fileName: name) == format, "\(name)")
    }
  }

  @Test func formats_have_the_media_types_that_clients_ask_for() {
    #expect(OutputFormat.csv.mediaType == "text/csv")
    #expect(OutputFormat.json.mediaType == "application/json; charset=utf-8")
    #expect(OutputFormat.ndjson.mediaType == "application/x-ndjson")
  }

  @Test(arguments: [
    ("", #""""#), ("FDX", #""FDX""#), ("\"\\/", #""\"\\/""#), ("\n\r\t\u{0}\u{1f}", #""\n\r\t\u0000\u001f""#),
    ("Zürich 🙂\u{7f}", "\"Zürich 🙂\u{7f}\""),
  ])
  func a_json_string_escapes_what_it_must(_ text: String, _ json: String) {
    #expect(text.asJSONString == json)
  }
}
