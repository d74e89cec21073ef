import Testing

struct ExportCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  /// Every cell of a store, as text that reads back as the same value.
  private func content(_ store: String) throws -> String { try workspace.run("export --store \(store)").out }

  @Test(arguments: ["csv", "ndjson"])
  func an_exported_market_imports_as_an_equal_store(format: String) throws {
    let (file, copy) = ("\(workspace.path)/all.\(format)", "\(workspace.path)/copy")
    #expect(try workspace.run("export --output \(file)").status == 0)
    #expect(try workspace.run("import \(file) --store \(copy)").status == 0)
    let exported = try content(copy)
    #expect(exported.split(separator: "\n").count == 4225)
    #expect(try exported == content(workspace.store))
  }

  @Test func datasets_in_a_directory_import_as_an_equal_store() throws {
    let copy = "\(workspace.path)/copy"
    #expect(try workspace.run("export --format json --output \(workspace.path)/datasets").status == 0)
    #expect(try workspace.shell("$quoin import datasets/*.json --store copy").status == 0)
    #expect(try content(copy) == content(workspace.store))
  }

  /// Tickers that look like paths, options, markup or the vendor's prefix, each in a file of its own name.
  @Test func tickers_of_every_spelling_are_datasets_in_a_directory() throws {
    let tickers = NastyTexts.sixTickers + NastyTexts.tickers + ["WIKI-X", "WIKI_X", "X"]
    let rows = tickers.enumerated().map { "\($1),2005-10-14,\($0)" }.joined(separator: "\n")
    let (file, store) = (try workspace.write("ticker,date,close\n" + rows, to: "all.csv"), "\(workspace.path)/nasty")
    #expect(try workspace.run("import \(file) --store \(store)").out.contains("of \(tickers.count) tickers"))
    #expect(try workspace.run("export --format json --output \(workspace.path)/out/ --store \(store)").status == 0)
    #expect(try workspace.shell("ls -A out | wc -l").out.filter(\.isNumber) == "\(tickers.count)")
    #expect(try workspace.shell("cd out && find . -type f -exec $quoin import --store ../copy {} +").status == 0)
    #expect(try content("\(workspace.path)/copy") == content(store))
  }

  @Test func a_ticker_may_begin_like_an_option() throws {
    let file = try workspace.write("ticker,date,close\n-A,2005-10-14,1\n--all,2005-10-14,2\n", to: "all.csv")
    #expect(try workspace.run("import \(file)").status == 0)
    let columns = ["--columns", "ticker,close", "--format", "csv"]
    #expect(try workspace.run(["scan"] + columns + ["--", "-A", "--all"]).out == "ticker,close\n-A,1.0\n--ALL,2.0\n")
    #expect(try workspace.run(["delete", "--", "--all"]).out.hasPrefix("Removed 1 row;"))
    #expect(try workspace.run(["scan", "--count", "--", "-A"]).out == "1\n")
  }

  @Test func one_ticker_goes_to_standard_output_as_a_dataset() throws {
    let result = try workspace.run("export FDX --from 2005-10-14 --format json")
    #expect(result.out.hasPrefix(#"{"dataset_data":{"limit":null,"#))
    #expect(result.out.contains(#""data":[["2005-10-14",86.9,87.7,85.96,87.6,1373400.0,"#))
  }

  @Test func several_tickers_as_datasets_need_a_directory() throws {
    let result = try workspace.run("export FDX BA --format json")
    #expect(result.status == 64 && result.out.isEmpty)
    #expect(
      result.err == """
        quoin: a JSON dataset holds one ticker, but 2 are selected; name one, or write a file for each with --output DIR

        """)
  }

  @Test func rows_and_tickers_are_chosen() throws {
    let result = try workspace.run(["export", "BA", "MSFT", "--where", "date < 2016-03-31"])
    #expect(result.lines.count == 5)
    #expect(result.line(1).hasPrefix("BA,2016-03-29,") && result.line(3).hasPrefix("MSFT,2016-03-29,"))
  }

  /// A file of another format would be taken for what its name says.
  @Test func a_name_that_says_an_unwritten_format_is_refused_and_no_file_is_made() throws {
    for command in ["scan", "export", "tickers", "info"] {
      for name in ["rows.csv.gz", "rows.xlsx", "rows.2018", "a.csv/rows.CSV1"] {
        let refused = try workspace.run("\(command) --output \(workspace.path)/\(name)")
        #expect(refused.status == 64 && refused.err.contains("rows."), "\(command) \(name)")
        #expect(refused.err.contains("says a format that isn't written here; there are .csv,"), "\(refused.err)")
      }
    }
    #expect(try workspace.shell("ls rows* a.csv 2>/dev/null").out.isEmpty)
    // A name without an extension says nothing, and the format that is given counts.
    let csv = try workspace.run("export FDX").out
    for file in ["rows", ".rows", "rows.", "rows.dat --format csv", "rows.CSV"] {
      #expect(try workspace.run("export FDX --output \(workspace.path)/\(file)").status == 0, "\(file)")
      #expect(try workspace.shell("cat '\(workspace.path)/\(file.prefix { $0 != " " })'").out == csv, "\(file)")
    }
  }

  @Test func unknown_names_are_refused_with_the_nearest() throws {
    #expect(
      try workspace.run("export FXD").err == "quoin: '\(workspace.store)' has no quotes of FXD; did you mean FDX?\n")
    #expect(
      try workspace.run("export brk.a").err
        == "quoin: '\(workspace.store)' has no quotes of BRK.A; did you mean BRK_A?\n")
    #expect(
      try workspace.run("export --format ndjsn").err
        == "quoin: there is no export format 'ndjsn'; did you mean 'ndjson'?\n")
  }
}
