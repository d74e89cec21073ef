import Testing

@testable import Quoin

@Suite struct QuoteFormatterTests {
  /// A full row, and one with every cell missing but the extremes.
  private static let batch: QuoteBatch = {
    var columns = QuoteColumns()
    columns.append(
      DailyQuoteSummary(
        ticker: "FDX", date: "2005-10-14", open: 86.9, high: 87.7, low: 85.96, close: 87.6, volume: 1_373_400,
        exDividend: 0, splitRatio: 1, adjustedOpen: 80.950577512303, adjustedHigh: 81.695807224729,
        adjustedLow: 80.074932600202, adjustedClose: 81.602653510676, adjustedVolume: 1_373_400))
    columns.append(
      DailyQuoteSummary(ticker: "FDX", date: "2005-10-17", high: .infinity, low: -.infinity, close: -0.0, volume: .max))
    return QuoteBatch(ticker: "FDX", columns: columns)
  }()

  private static let some: [QuoteFormatter.Column] = [.date, .attribute(.close), .ticker, .attribute(.volume)]

  private func text(
    _ format: OutputFormat, _ columns: [QuoteFormatter.Column] = QuoteFormatter.Column.all, styled: Bool = false,
    batches: [QuoteBatch] = [batch]
  ) throws -> String {
    var bytes: [UInt8] = []
    let formatter = QuoteFormatter(format, columns: columns, styled: styled) { bytes += collected($0) }
    for batch in batches { try formatter.append(batch) }
    try formatter.finish()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A column of whole numbers is written as int64, one that has a fraction cell by cell.
  @Test func a_number_of_shares_is_written_alike_beside_a_fraction_and_alone() throws {
    for value in NastyValues.doubles + [0x1p63, -0x1p63, 0x1p63.nextDown, 0x1p53 + 2] {
      func lines(_ values: [Double]) throws -> [Substring] {
        var columns = QuoteColumns(days: ["2020-01-01", "2020-01-02"].prefix(values.count).map { $0 })
        columns[.adjustedVolume] = values
        let shares = QuoteFormatter.Column.attribute(.adjustedVolume)
        return try text(.csv, [shares], batches: [QuoteBatch(ticker: "A", columns: columns)]).split(
          separator: "\n", omittingEmptySubsequences: false)
      }
      #expect(try lines([value])[1] == lines([value, 0.5])[1], "\(value)")
    }
  }

  @Test func csv_has_the_header_of_a_wiki_bulk_file_and_empty_missing_cells() throws {
    #expect(
      try text(.csv) == """
        ticker,date,open,high,low,close,volume,ex-dividend,split_ratio,adj_open,adj_high,adj_low,adj_close,adj_volume
        FDX,2005-10-14,86.9,87.7,85.96,87.6,1373400,0.0,1.0,80.950577512303,81.695807224729,80.074932600202,\
        81.602653510676,1373400
        FDX,2005-10-17,,inf,-inf,-0.0,9223372036854775807,,,,,,,

        """)
  }

  /// An empty line would be no row for those who read it.
  @Test(arguments: [OutputFormat.csv, .tsv])
  func a_missing_cell_alone_is_in_quotes(_ format: OutputFormat) throws {
    #expect(try text(format, [.attribute(.open)]) == "open\n86.9\n\"\"\n")
    #expect(try !text(format, [.attribute(.open), .attribute(.volume)]).contains("\""))
    var table = RecordTable([.text("note")])
    table.rows = [["a"], [nil], ["b"]]
    var bytes: [UInt8] = []
    var writer = format.makeWriter(table.columns) { bytes += collected($0) }
    try writer.append(table.batch(from: 0), columnCount: 1)
    try writer.finish()
    #expect(String(decoding: bytes, as: UTF8.self) == "note\na\n\"\"\nb\n")
  }

  @Test func tsv_has_the_chosen_columns_in_their_order() throws {
    #expect(
      try text(.tsv, Self.some) == """
        date\tclose\tticker\tvolume
        2005-10-14\t87.6\tFDX\t1373400
        2005-10-17\t-0.0\tFDX\t9223372036854775807

        """)
  }

  @Test func ndjson_has_an_object_a_line_with_null_for_missing_and_infinities() throws {
    #expect(
      try text(.ndjson) == """
        {"ticker":"FDX","date":"2005-10-14","open":86.9,"high":87.7,"low":85.96,"close":87.6,"volume":1373400,\
        "ex-dividend":0.0,"split_ratio":1.0,"adj_open":80.950577512303,"adj_high":81.695807224729,\
        "adj_low":80.074932600202,"adj_close":81.602653510676,"adj_volume":1373400}
        {"ticker":"FDX","date":"2005-10-17","open":null,"high":null,"low":null,"close":-0.0,\
        "volume":9223372036854775807,"ex-dividend":null,"split_ratio":null,"adj_open":null,"adj_high":null,\
        "adj_low":null,"adj_close":null,"adj_volume":null}

        """)
  }

  @Test func json_is_an_array_over_all_batches() throws {
    #expect(
      try text(.json, Self.some, batches: [Self.batch, QuoteBatch(), Self.batch]) == """
        [
        {"date":"2005-10-14","close":87.6,"ticker":"FDX","volume":1373400},
        {"date":"2005-10-17","close":-0.0,"ticker":"FDX","volume":9223372036854775807},
        {"date":"2005-10-14","close":87.6,"ticker":"FDX","volume":1373400},
        {"date":"2005-10-17","close":-0.0,"ticker":"FDX","volume":9223372036854775807}
        ]

        """)
  }

  @Test func a_text_at_the_end_of_an_object_is_closed() throws {
    #expect(
      try text(.ndjson, [.attribute(.open), .date, .ticker]).hasPrefix(
        #"{"open":86.9,"date":"2005-10-14","ticker":"FDX"}"# + "\n" + #"{"open":null,"#))
  }

  @Test func markdown_is_a_table_with_numbers_to_the_right() throws {
    #expect(
      try text(.markdown, [.ticker, .attribute(.open), .date]) == """
        | ticker | open | date |
        | --- | ---: | --- |
        | FDX | 86.9 | 2005-10-14 |
        | FDX |  | 2005-10-17 |

        """)
  }

  @Test func a_table_aligns_the_points_of_numbers() throws {
    let columns: [QuoteFormatter.Column] = [.ticker, .date, .attribute(.low), .attribute(.high), .attribute(.volume)]
    #expect(
      try text(.table, columns + [.attribute(.adjustedOpen)]) == """
        ticker  date            low   high               volume         adj_open
        ------  ----------  -------  -----  -------------------  ---------------
        FDX     2005-10-14    85.96   87.7              1373400  80.950577512303
        FDX     2005-10-17  -inf     inf    9223372036854775807

        """)
  }

  @Test func a_table_names_the_columns_that_do_not_fit() throws {
    var layout = TableLayout()
    layout.width = 20
    let headings = ["date", "close", "volume", "ratio"].map { ColumnHeading.number($0) }
    let row = ["2005-10-14", "87.6", "1373400", "1.0"]
    #expect(
      try table(headings, layout, row) == """
              date  close
        ----------  -----
        2005-10-14   87.6
        2 more columns: volume, ratio

        """)
    layout.width = 26
    #expect(try table(headings, layout, row).hasSuffix("1 more column: ratio\n"))
    layout.width = 33
    #expect(try table(headings, layout, row).hasSuffix("87.6  1373400    1.0\n"))
    // One column is better than none.
    layout.width = 3
    #expect(try table(headings, layout, row).hasSuffix("2005-10-14\n3 more columns: close, volume, ratio\n"))
  }

  @Test func numbers_of_a_table_have_the_digits_that_are_asked_for() throws {
    var layout = TableLayout()
    layout.digitCount = 2
    let columns: [CellColumn] = [
      .doubles(ColumnBuffer([1234.5678, .nan, -0.001, .infinity, 1e300])),
      .integers(ColumnBuffer([1_234_567, .missing, 0, -5, 7])),
      .texts(["1234567", nil, "12.005", "inf", "2018-01-02"]), .shares(ColumnBuffer([3.14159, 2, 0, -1, 1e6])),
    ]
    func cells(_ layout: TableLayout) -> [[String]] {
      columns.map { column in
        guard case .texts(let texts) = layout.formatted(column, .number("x")) else { return [] }
        return texts.map { $0 ?? "nil" }
      }
    }
    #expect(
      cells(layout) == [
        ["1234.57", "", "-0.001", "inf", "1e+300"], ["1234567", "", "0", "-5", "7"],
        ["1234567", "", "12.01", "inf", "2018-01-02"], ["3.14", "2.00", "0.00", "-1.00", "1000000.00"],
      ])
    layout.groupsThousands = true
    #expect(
      cells(layout)[0][0] == "1,234.57" && cells(layout)[1][0] == "1,234,567" && cells(layout)[3][4] == "1,000,000.00")
    layout.digitCount = nil
    #expect(cells(layout)[0] == ["1,234.5678", "", "-0.001", "inf", "1e+300"])
    guard case .texts = layout.formatted(.texts(["1234567"]), .text("x")) else { return }
    #expect(TableLayout().digitCount == nil)
  }

  /// A table of one row.
  private func table(_ headings: [ColumnHeading], _ layout: TableLayout, _ row: [String]) throws -> String {
    var bytes: [UInt8] = []
    var writer = OutputFormat.table.makeWriter(headings, layout: layout) { bytes.append($0) }
    try writer.append([row], columnCount: headings.count)
    try writer.finish()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func a_styled_table_has_a_bold_header() throws {
    #expect(try text(.table, [.date], styled: true).hasPrefix("\u{1b}[1mdate\u{1b}[0m\n----------\n2005-10-14\n"))
  }

  @Test func a_table_keeps_the_widths_of_its_first_rows() throws {
    var columns = QuoteColumns()
    let count = Limits.tableMeasuredRowCount + 1
    for index in 0..<count {
      let day = TradingDay(daysSince1970: index) ?? .latest
      columns.append(DailyQuoteSummary(ticker: "A", date: day, close: index == count - 1 ? 1234567.25 : 1.5))
    }
    let lines = try text(
      .table, [.attribute(.close), .ticker], batches: [QuoteBatch(ticker: "A", columns: columns)]
    ).split(separator: "\n")
    #expect(lines.count == count + 2)
    #expect(lines[0] == "close  ticker" && lines[2] == "  1.5  A" && lines.last == "1234567.25  A")
  }

  @Test(arguments: [
    (OutputFormat.csv, "ticker,open\n"), (.tsv, "ticker\topen\n"), (.json, "[]\n"), (.ndjson, ""),
    (.markdown, "| ticker | open |\n| --- | ---: |\n"), (.table, "ticker  open\n------  ----\n"),
  ])
  func no_rows_leave_header_and_footer(_ format: OutputFormat, _ expected: String) throws {
    #expect(try text(format, [.ticker, .attribute(.open)], batches: []) == expected)
    #expect(try text(format, [.ticker, .attribute(.open)], batches: [QuoteBatch()]) == expected)
  }

  @Test(arguments: OutputFormat.allCases)
  func no_columns_are_no_crash(_ format: OutputFormat) throws {
    _ = try text(format, [])
  }

  @Test func an_attribute_that_the_batch_lacks_is_missing() throws {
    var columns = QuoteColumns(attributes: [.close])
    columns.append(DailyQuoteSummary(ticker: "A", date: "2001-01-05", open: 1, close: 2))
    let batch = QuoteBatch(ticker: "A", columns: columns)
    #expect(try text(.csv, [.attribute(.open), .attribute(.close)], batches: [batch]) == "open,close\n,2.0\n")
  }

  @Test(arguments: OutputFormat.allCases.filter(\.isText))
  func many_rows_pass_in_parts_and_stay_whole(_ format: OutputFormat) throws {
    var partCount = 0
    var partByteCountMax = 0
    let formatter = QuoteFormatter(format) {
      partCount += 1
      partByteCountMax = max(partByteCountMax, $0.byteCount)
    }
    for _ in 0..<2000 { try formatter.append(Self.batch) }
    try formatter.finish()
    #expect(partCount > 3 && partByteCountMax <= 1 << 16)
    func lines(_ count: Int) throws -> [Substring] {
      try text(format, batches: Array(repeating: Self.batch, count: count)).split(separator: "\n")
        .map { $0.trimmingSuffix(",") }
    }
    #expect(try lines(2000).count { $0.contains("81.602653510676") } == 2000)
    #expect(try Set(lines(2000)) == Set(lines(1)))
  }

  @Test func an_error_of_the_sink_comes_through() {
    struct Full: Error {}
    let formatter = QuoteFormatter(.csv) { _ in throw Full() }
    #expect(throws: Full.self) {
      try formatter.append(Self.batch)
      try formatter.finish()
    }
  }

  @Test func columns_are_found_by_name() {
    #expect(QuoteFormatter.Column.all.map { QuoteFormatter.Column(named: $0.name) } == QuoteFormatter.Column.all)
    #expect(QuoteFormatter.Column(named: "EX_DIVIDEND") == .attribute(.exDividend))
    #expect(QuoteFormatter.Column(named: "price") == nil)
  }
}

@Suite struct DatasetFormatterTests {
  private func text(_ columns: QuoteColumns) throws -> String {
    var bytes: [UInt8] = []
    try DatasetFormatter.write(columns) { bytes += collected($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func a_dataset_is_newest_first_with_volumes_as_floats() throws {
    var columns = QuoteColumns()
    columns.append(
      DailyQuoteSummary(ticker: "FDX", date: "2005-10-13", open: .infinity, volume: 1 << 53, adjustedVolume: 0x1p62))
    columns.append(
      DailyQuoteSummary(
        ticker: "FDX", date: "2005-10-14", open: 86.9, high: 87.7, low: 85.96, close: 87.6, volume: (1 << 53) + 1,
        exDividend: 0, splitRatio: 1, adjustedOpen: 80.950577512303, adjustedHigh: 81.695807224729,
        adjustedLow: 80.074932600202, adjustedClose: 81.602653510676, adjustedVolume: 1_373_400))
    #expect(
      try text(columns) == """
        {"dataset_data":{"limit":null,"transform":null,"column_index":null,"column_names":["Date","Open","High","Low",\
        "Close","Volume","Ex-Dividend","Split Ratio","Adj. Open","Adj. High","Adj. Low","Adj. Close","Adj. Volume"],\
        "start_date":"2005-10-13","end_date":"2005-10-14","frequency":"daily","data":[\
        ["2005-10-14",86.9,87.7,85.96,87.6,9007199254740993,0.0,1.0,80.950577512303,81.695807224729,80.074932600202,\
        81.602653510676,1373400.0],\
        ["2005-10-13",null,null,null,null,9007199254740992.0,null,null,null,null,null,null,4611686018427387904]],\
        "collapse":null,"order":"desc"}}

        """)
  }

  @Test func a_dataset_has_the_columns_of_its_attributes() throws {
    var columns = QuoteColumns(attributes: [])
    columns.append(DailyQuoteSummary(ticker: "A", date: "2001-01-05"))
    #expect(try text(columns).contains(#""column_names":["Date"]"#))
    #expect(try text(columns).contains(#""data":[["2001-01-05"]]"#))
    #expect(try text(QuoteColumns()).contains(#""start_date":null,"end_date":null,"frequency":"daily","data":[]"#))
  }
}

func collected(_ bytes: RawSpan) -> [UInt8] { unsafe bytes.withUnsafeBytes { unsafe Array($0) } }

extension Substring {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    last == character ? dropLast() : self
  }
}
