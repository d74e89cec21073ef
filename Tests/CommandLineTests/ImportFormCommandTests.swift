import Testing

/// Files as people have them, as somebody new meets them: without an option, or with the one that the first error named.
struct ImportFormCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace() }

  /// A file, its text, what the error of a plain import says, and the options that it names.
  private static let advised: [(text: String, error: String, options: String)] = [
    ("Date,Open,High,Low,Fixing\n2024-01-19,1,2,0.5,1.5\n", "--map Fixing=close", "--map Fixing=close"),
    ("Date,Open,High,Low,My Fixing\n2024-01-19,1,2,0.5,1.5\n", "--ignore 'My Fixing'", "--ignore 'My Fixing'"),
    ("Session,Open,Close\n2024-01-19,1,1.5\n", "--map Session=date", "--map Session=date"),
    ("Date;Open;Close\n2024-01-19;1,234;1,244\n", "--decimal . or --decimal ,", "--decimal ."),
    ("Date,Close\n1/2/2024,1.5\n", "--date-format %m/%d/%Y or --date-format %d/%m/%Y", "--date-format %d/%m/%Y"),
    ("Date,Close\n24-01-02,1.5\n", "--date-format %y-%m-%d", "--date-format %y-%m-%d"),
    ("Date,Close\n2024-01-21T15:00:00Z,1.5\n", "--time-zone Asia/Tokyo", "--time-zone Asia/Tokyo"),
    (
      "Date,Close,Volume\n2024-01-18,1.5,9007199254740993\n2024-01-19,1.5,10.25\n", "--round-volumes", "--round-volumes"
    ),
    ("Date,Close,Volume\n2024-01-19,1.5,-1\n", "--missing=-1", "--missing=-1"),
    ("Symbol,Date,Close\nBTC/USD,2024-01-19,1.5\n", "--ticker-sign /=-", "--ticker-sign /=-"),
    ("ISIN,Date,Close\nA1,2024-01-18,1.5\nA2,2024-01-19,1.5\n", "--map ISIN=ticker", "--map ISIN=ticker"),
    ("Date,AAA,BBB\n2024-01-19,1.5,2.5\n", "--wide close", "--wide close"),
    ("FDX,1.5,01/19/2024\n", "--no-header --columns ticker,close,date", "--no-header --columns ticker,close,date"),
  ]

  @Test(arguments: advised.indices) func the_option_that_an_error_names_helps(_ index: Int) throws {
    let (text, error, options) = Self.advised[index]
    let file = try workspace.write(text, to: "FDX.csv")
    let refused = try workspace.run(["import", file])
    #expect(refused.status == 2 && refused.out.isEmpty && refused.err.contains(error), "\(refused)")
    let read = try workspace.shell("$quoin import FDX.csv \(options)")
    #expect(read.status == 0 && read.err.isEmpty && read.out.hasPrefix("Imported "), "\(read)")
  }

  @Test func volumes_with_fractions_go_out_and_come_in_again_exactly() throws {
    let volumes = ["7174.29903", "98811715.138055", "0.1", "5e-324", "1e+308", "12", ""]
    let rows = volumes.enumerated().map { "BTC,2024-01-0\($0 + 1),1.5,\($1)\nAAA,2024-01-0\($0 + 1),1.5,\($0)\n" }
    _ = try workspace.write("ticker,date,close,volume\n" + rows.joined(), to: "coins.csv")
    let read = try workspace.shell("$quoin import coins.csv")
    #expect(read.out.contains("5 volumes have fractions, stored exactly"), "\(read)")
    let found = try workspace.shell("$quoin scan BTC --columns volume | tail -n +2")
    #expect(found.out == "7174.29903\n98811715.138055\n0.1\n5e-324\n1e+308\n12\n\"\"\n", "\(found)")
    for form in ["csv", "ndjson"] {
      let again = try workspace.shell(
        "$quoin export --output all.\(form) && $quoin import --store \(form) all.\(form) && $quoin diff store \(form)")
      #expect(again.status == 0 && again.err.contains("no differences"), "\(form): \(again)")
    }
    #expect(try workspace.shell("$quoin scan --count --where 'volume > 0.05 and volume < 0.15'").out == "1\n")
    #expect(
      try workspace.shell("$quoin compact && $quoin verify && $quoin diff store csv").err.contains("no differences"))
    let rounded = try workspace.shell("$quoin import --store rounded --round-volumes coins.csv")
    #expect(rounded.status == 2 && rounded.err.contains("'1e+308': more than 9223372036854775807 shares"), "\(rounded)")
  }

  /// An order of prices that was guessed would be copied, and open and low would change places.
  @Test(arguments: [
    ("FDX.csv", "2024-01-19,9,12,10,11,100\n", "--columns date,x2,x3,x4,x5,x6, with"),
    ("FDX.json", "[[1705622400,9,12,10,11,100]]", "--columns x1,x2,x3,x4,x5,x6, with"),
  ])
  func the_order_of_prices_is_not_guessed(_ name: String, _ text: String, _ words: String) throws {
    let file = try workspace.write(text, to: name)
    let refused = try workspace.run(["import", file])
    #expect(refused.status == 2 && refused.err.contains(words), "\(refused)")
    let read = try workspace.shell("$quoin import \(name) --no-header --columns date,low,high,open,close,volume")
    #expect(read.status == 0, "\(read)")
    #expect(try workspace.run("scan FDX --columns open,low --format csv").out == "open,low\n10.0,9.0\n")
  }

  @Test func a_name_that_says_no_ticker_asks_for_one() throws {
    let file = try workspace.write("date,close\n2024-01-19,1\n", to: "HistoricalData_1700000000000.csv")
    #expect(try workspace.run(["import", file]).err.contains("name the ticker: --ticker FDX"))
    let read = try workspace.run(["import", file, "--ticker", "fdx"])
    #expect(read.out.hasPrefix("Imported 1 row of FDX from "), "\(read)")
  }

  /// Whoever skips the rows above a thousand loses just these.
  @Test func skipping_is_no_advice_where_all_bad_cells_have_one_form() throws {
    let file = try workspace.write("date,close\n2024-01-18,1.5\n2024-01-19,~1\n2024-01-22,~2\n", to: "FDX.csv")
    let refused = try workspace.run(["import", file])
    #expect(refused.status == 2 && !refused.err.contains("--skip-bad-rows"), "\(refused)")
    let series = "date,close,series\n2024-01-18,1.5,EQ\n2024-01-18,1.6,BE\n"
    let told = try workspace.run(["import", try workspace.write(series, to: "FDX.csv")])
    #expect(told.err.contains("perhaps another 'series'") && !told.err.contains("--last-wins"), "\(told)")
  }

  @Test func splits_that_the_prices_have_are_told_and_can_be_left_out() throws {
    let text = """
      Date,Open,High,Low,Close,Volume,Dividends,Stock Splits
      2024-06-06,63.8,64.8,62.9,64.4,100,0.0,0.0
      2024-06-07,64.1,65.6,62.3,64.9,100,0.0,10.0

      """
    let file = try workspace.write(text, to: "NV.csv")
    let told = try workspace.run(["import", file])
    #expect(
      told.out.contains("don't move by the split of 2024-06-07") && told.out.contains("--splits-in-prices"), "\(told)")
    _ = try workspace.run(["import", file, "--splits-in-prices"])
    #expect(
      try workspace.run("scan NV --columns date,split_ratio").out
        == "date,split_ratio\n2024-06-06,1.0\n2024-06-07,1.0\n")
  }

  @Test func an_archives_readme_and_an_excel_workbook_are_told() throws {
    let made = try workspace.shell(
      """
      mkdir d '[x]' && printf 'date,close\\n2024-01-19,1\\n' > d/AAA.csv && echo 'Data by X' > d/README.txt && python3 - <<'END'
      import zipfile
      with zipfile.ZipFile('a.zip', 'w') as z:
          z.write('d/README.txt'); z.write('d/AAA.csv')
      with zipfile.ZipFile('b.xlsx', 'w') as z:
          z.writestr('[Content_Types].xml', '<?xml version="1.0"?>'); z.writestr('xl/workbook.xml', '<?xml?>')
      END
      """)
    guard made.status == 0 else { return print("SKIPPED: python3 is missing") }
    let archive = try workspace.run("import a.zip")
    #expect(archive.status == 0 && archive.out.contains("'d/README.txt' in the archive isn't a table"), "\(archive)")
    #expect(try workspace.run("import b.xlsx").err.contains("b.xlsx is an Excel workbook"))
  }

  @Test func wrong_forms_are_refused_with_a_sentence() throws {
    _ = try workspace.write("date,close\n2024-01-19,1\n", to: "FDX.csv")
    for options in [
      "--decimal x", "--thousands 1", "--decimal . --thousands .", "--delimiter ab", "--delimiter 1",
      "--time-zone Tokio", "--wide opn",
      "--ticker-sign /", "--skip-lines -1", "--date-format '%d.%m.%Q'",
    ] {
      let refused = try workspace.shell("$quoin import FDX.csv \(options)")
      #expect(refused.status == 64 && refused.out.isEmpty && !refused.err.isEmpty, "\(options): \(refused)")
    }
    #expect(try workspace.shell("$quoin import FDX.csv --date-format '%d.%m.%Q'").err.contains("%Q isn't known"))
  }
}
