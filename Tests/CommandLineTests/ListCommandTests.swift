import Testing

struct ListCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  @Test func tickers_are_listed_with_rows_and_days() throws {
    let csv = try workspace.run("tickers")
    #expect(csv.lines.count == 8)
    #expect(csv.line(0) == "ticker,rows,first_day,last_day,bytes")
    #expect(csv.line(4).hasPrefix("FDX,1200,2001-01-05,2005-10-14,"))
    let table = try workspace.run("tickers --format table")
    #expect(table.line(5).hasPrefix("FDX     1200  2001-01-05  2005-10-14  "))
    #expect(try workspace.run("tickers --format json").line(4).hasPrefix(#"{"ticker":"FDX","rows":1200,"#))
    #expect(try workspace.run("tickers --format markdown").line(1) == "| --- | ---: | --- | --- | ---: |")
  }

  @Test func info_tells_of_the_store() throws {
    let text = try workspace.run("info").out
    #expect(
      text.hasPrefix("store    \(workspace.store)\ntickers  7\nrows     4,224\ndays     2001-01-05 to 2018-03-27\n"))
    let csv = try workspace.run("info --format csv")
    #expect(csv.line(0) == "store,tickers,rows,first_day,last_day,files,blocks,bytes,bytes_per_row,generation,packing")
    #expect(csv.line(1).hasPrefix("\(workspace.store),7,4224,2001-01-05,2018-03-27,1,8,"))
    #expect(csv.line(1).hasSuffix(",1,balanced"))
  }

  @Test func info_tells_of_a_ticker_and_its_imports() throws {
    let text = try workspace.run("info fdx").out
    #expect(text.hasPrefix("ticker   FDX\nrows     1,200\ndays     2001-01-05 to 2005-10-14\n"))
    #expect(text.contains(Workspace.data("FDX.json")))
    let unknown = try workspace.run("info fxd")
    #expect(unknown.status == 2)
    #expect(unknown.err == "quoin: '\(workspace.store)' has no quotes of FXD; did you mean FDX?\n")
  }

  @Test func a_report_has_the_shape_of_the_store_and_no_quotes() throws {
    let workspace = try Workspace()
    _ = try workspace.run("generate --ticker SECRET --days 40")
    _ = try workspace.run("snapshot create mine")
    let report = try workspace.run("info --report")
    let version = try workspace.run("--version").line(0)
    #expect(report.status == 0 && report.out.hasPrefix("quoin      \(version)\nsystem     "))
    #expect(report.out.contains("store      1 ticker, 40 rows in 1 block\n"))
    #expect(report.out.contains("\ncommits    2\nsnapshots  1\n"), "\(report.out)")
    for word in ["SECRET", "mine", workspace.path] { #expect(!report.out.contains(word), "\(word)") }
    for other in ["SECRET", "--encodings", "--format csv"] {
      #expect(try workspace.run("info --report \(other)").status == 64, "\(other)")
    }
  }

  @Test func info_tells_of_the_encodings_of_each_column() throws {
    let csv = try workspace.run("info --encodings --format csv")
    #expect(csv.line(0) == "column,encoding,storage,blocks,rows,bytes,bytes_per_row")
    let cells = csv.lines.dropFirst().map { $0.split(separator: ",") }.filter { $0.count == 7 }
    for column in ["date", "close", "ex-dividend", "adj_close"] {
      let rows = cells.filter { $0[0] == column }
      #expect(rows.compactMap { Int($0[3]) }.reduce(0, +) == 8, "blocks of \(column)")
      #expect(rows.compactMap { Int($0[4]) }.reduce(0, +) == 4224, "rows of \(column)")
    }
    #expect(cells.contains { $0[0] == "adj_close" && $0[1] == "derived" })
    #expect(try workspace.run("info FDX --encodings").status == 64)
  }

  @Test func periods_are_the_imports() throws {
    #expect(try workspace.run("periods").lines.count == 8)
    let csv = try workspace.run("periods FDX")
    #expect(csv.line(0) == "ticker,first_day,last_day,rows,imported_at,generation,source")
    #expect(csv.line(1).hasPrefix("FDX,2001-01-05,2005-10-14,1200,"))
    #expect(csv.line(1).hasSuffix(",1," + Workspace.data("FDX.json")))
  }

  @Test func a_source_with_any_character_stays_one_cell() throws {
    let source = "a,\"b\"\t|\n\u{1b}[31m\\"
    let result = try workspace.run(
      ["import", "-", "--ticker", "NEW", "--source", source], stdin: "date,close\n2005-10-14,1\n")
    #expect(result.status == 0)
    func last(_ format: String) throws -> String { try workspace.run("periods NEW --format \(format)").out }
    #expect(try last("csv").hasSuffix(",\"a,\"\"b\"\"\t|\n\u{1b}[31m\\\"\n"))
    #expect(try last("tsv").hasSuffix("\ta,\"b\" |  [31m\\\n"))
    #expect(try last("ndjson").hasSuffix(#""source":"a,\"b\"\t|\n\u001b[31m\\"}"# + "\n"))
    #expect(try last("markdown").hasSuffix(#"| a,"b" \|  \[31m\\ |"# + "\n"))
    #expect(try last("table").hasSuffix("a,\"b\"?|??[31m\\\n"))
  }
}
