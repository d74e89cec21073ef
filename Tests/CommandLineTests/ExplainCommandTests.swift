import Foundation
import Testing

/// `quoin import --explain`: what a file is taken for, before anything is stored.
struct ExplainCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test func a_file_is_explained_with_the_options_that_change_it() throws {
    _ = try workspace.write("Date;Close;Volume;Foo\n19.01.2024;1.234,50;1.200;7\n", to: "KO.csv")
    let result = try workspace.run("import KO.csv --explain")
    #expect(result.status == 0 && result.err.isEmpty)
    #expect(
      result.out == """
        KO.csv: 1 good row of KO, 2024-01-19 to 2024-01-19

        what       taken for                    because                                            to change it
        ---------  ---------------------------  -------------------------------------------------  ----------------------------------
        form       CSV                          it begins neither with { nor with [                --format
        encoding   UTF-8                        nothing says otherwise
        separator  semicolon                    it cuts the line above the rows into 4 cells       --delimiter
        header     line 1, rows from line 2 on  it is the first line that names a day and a value  --skip-lines --comment --no-header
        days       day, month, year             19.01.2024 can't be read otherwise                 --date-format
        zone       any                          the day that is written counts                     --time-zone
        decimal    comma                        '1.234,50' in column 'Close' has no other reading  --decimal
        thousands  point                        '1.234,50' in column 'Close' has it                --thousands
        ticker     KO                           the file's name says so                            --ticker --ticker-from --map

        column  meaning  first cells   first is read as  because
        ------  -------  ------------  ----------------  --------------------
        Date    date     '19.01.2024'  2024-01-19        its name says so
        Close   close    '1.234,50'    1234.5            its name says so
        Volume  volume   '1.200'       1200              its name says so
        Foo     ignored  '7'                             its name isn't known

        To change what a column means: --map COLUMN=MEANING, or --ignore COLUMN, such as --map Foo=close

        """)
    #expect(try workspace.shell("ls").out == "KO.csv\n")
  }

  @Test func a_file_that_would_be_refused_is_explained_and_the_status_says_so() throws {
    _ = try workspace.write("Date,Open,Fixing\n2024-01-19,1.5,2\n", to: "KO.csv")
    _ = try workspace.write("date,close\n2024-01-19,1.5\n", to: "PEP.csv")
    let result = try workspace.run("import KO.csv PEP.csv --explain")
    #expect(result.status == 2 && result.err == "quoin: an import would refuse 1 of 2 files\n")
    #expect(
      result.out.contains("Fixing  ignored  '2'") && result.out.contains("\nRefused: KO.csv has open but no close"))
    #expect(result.out.contains("--map Fixing=close") && result.out.contains("\nPEP.csv: 1 good row of PEP"))
    let mapped = try workspace.run("import KO.csv --explain --map Fixing=close")
    #expect(
      mapped.status == 0 && mapped.out.contains("Fixing  close    '2'           2.0               the options say so"))
    #expect(try workspace.run("import none.csv --explain").status == 2)
    let stream = try workspace.shell("$quoin import - --ticker KO --explain < PEP.csv")
    #expect(stream.status == 0 && stream.out.hasPrefix("standard input: 1 good row of KO"), "\(stream)")
  }

  @Test func the_same_is_written_as_json() throws {
    _ = try workspace.write("Date;Close\n19.01.2024;\"1,5\"\n22.01.2024;~\n", to: "KO.csv")
    let result = try workspace.run("import KO.csv --explain --json")
    #expect(result.status == 2)
    let files = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [[String: Any]])
    let file = try #require(files.first)
    #expect(
      file["file"] as? String == "KO.csv" && file["rows"] as? Int == 1 && file["lastDay"] as? String == "2024-01-19")
    #expect((file["refusal"] as? String)?.contains("line 3, column Close, '~': not a number") == true)
    let found = try #require(file["found"] as? [[String: String]])
    #expect(found.first { $0["what"] == "decimal" }?["setting"] == ",")
    #expect(found.first { $0["what"] == "days" }?["setting"] == "%d.%m.%Y")
    let columns = try #require(file["columns"] as? [[String: Any]])
    let cells = try #require(columns[1]["cells"] as? [[String: String]])
    #expect(
      columns.map { $0["meaning"] as? String } == ["date", "close"] && cells == [["text": "1,5", "value": "1.5"]])
  }

  @Test func explain_and_dry_run_exclude_each_other_and_json_needs_explain() throws {
    _ = try workspace.write("date,close\n2024-01-19,1.5\n", to: "KO.csv")
    #expect(try workspace.run("import KO.csv --explain --dry-run").status == 64)
    #expect(try workspace.run("import KO.csv --json").status == 64)
  }

  @Test func a_dry_run_cuts_long_lists_of_columns_and_repeats_none() throws {
    let names = (1...12).map { "x\($0)" }.joined(separator: ",")
    let cells = (1...12).map { "\($0)" }.joined(separator: ",")
    for ticker in ["AA", "BB"] {
      _ = try workspace.write("date,close,\(names)\n2024-01-19,1.5,\(cells)\n", to: "\(ticker).csv")
    }
    let lines = try workspace.run("import AA.csv BB.csv --dry-run").lines
    #expect(lines[0] == "AA.csv: 1 row of AA, 2024-01-19: 1 new, csv" && lines[3] == "  date    date     2024-01-19")
    #expect(lines[12] == "  x8      ignored  8" && lines[13] == "  and 4 more columns")
    #expect(lines[14] == "BB.csv: 1 row of BB, 2024-01-19: 1 new, csv" && lines[15].hasPrefix("Would import 2 rows"))
  }
}
