import Testing

struct ImportCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private static let dirty = """
    date,open,high,low,close,volume
    2005-10-13,1,2,1,2,3
    2005-10-14,x1,2,1,2,3
    2005-10-15,1,2,1,2,-3

    """

  @Test func files_are_imported_and_again_change_nothing() throws {
    let files = ["FDX.json", "wiki-sample.csv"].map(Workspace.data)
    let first = try workspace.run(["import"] + files)
    #expect(first.status == 0 && first.err.isEmpty)
    #expect(
      first.lines.last
        == "Imported 4,224 rows of 7 tickers from 2 files into the new store '\(workspace.store)': 4,224 new."
    )
    #expect(first.lines.first == "\(files[0]): 1,200 rows of FDX, 2001-01-05 to 2005-10-14: 1,200 new")
    let second = try workspace.run(["import", files[0]])
    #expect(second.out == "Nothing changed: the 1,200 rows of FDX from \(files[0]) were there already.\n")
    #expect(try workspace.run("info --format ndjson").out.contains("\"generation\":1"))
  }

  @Test func rows_without_values_are_told_of() throws {
    let file = try workspace.write("date,open,close\n2020-01-02,1,2\n2020-01-03,,\n", to: "KO.csv")
    let first = try workspace.run("import \(file)").out
    #expect(first.hasSuffix(": 1 new, 1 without values.\n"), "\(first)")
    #expect(
      try workspace.run("import \(file)").out
        == "Nothing changed: of the 2 rows of KO from \(file), 1 was there already, and 1 has no values.\n")
    let empty = try workspace.write("date,open,close\n2020-01-06,,\n2020-01-07,,\n", to: "empty.csv")
    #expect(
      try workspace.run("import --ticker KO \(empty)").out
        == "Nothing changed: the 2 rows of \(empty) have no values.\n")
  }

  @Test func a_bad_row_rejects_everything() throws {
    let file = try workspace.write(Self.dirty, to: "FDX.csv")
    let result = try workspace.run(["import", file])
    #expect(result.status == 2 && result.out.isEmpty)
    #expect(
      result.err == """
        quoin: 2 rows are bad, so nothing was imported; fix the file, or import the rest with --skip-bad-rows
        \(file), line 3, column open, 'x1': not a number
        \(file), line 4, column volume, '-3': a volume below zero

        """)
    #expect(try workspace.run("tickers").status == 2)
  }

  @Test func bad_rows_can_be_left_out() throws {
    let file = try workspace.write(Self.dirty, to: "FDX.csv")
    let result = try workspace.run(["import", file, "--skip-bad-rows", "--source", "the mail"])
    #expect(result.status == 0 && result.err.isEmpty)
    #expect(
      result.lines.prefix(2) == [
        "Imported 1 row of FDX from \(file) into the new store '\(workspace.store)': 1 new.",
        "Left out 2 bad rows:",
      ])
    #expect(result.lines.count == 4)
    #expect(try workspace.run("periods FDX --format csv").lines.last?.hasSuffix(",1,the mail") == true)
  }

  @Test func a_packed_stream_is_unpacked() throws {
    _ = try workspace.write("date,close\n2005-10-14,81.5\n", to: "FDX.csv")
    let result = try workspace.shell("gzip -c FDX.csv | $quoin import - --ticker FDX")
    #expect(
      result.out == "Imported 1 row of FDX from standard input into the new store '\(workspace.store)': 1 new.\n")
    let cut = try workspace.shell("gzip -c FDX.csv | head -c 30 | $quoin import - --ticker FDX")
    #expect(cut.status == 2)
    #expect(
      cut.err == "quoin: cannot unpack standard input, byte 30: the archive ends too early; it may be truncated\n")
  }

  @Test func suspicious_rows_and_foreign_columns_are_told() throws {
    let text = "date,open,high,low,close,volume,mood\n2005-10-13,1,2,3,0,0,fine\n"
    let result = try workspace.run(["import", "-", "--ticker", "fdx"], stdin: text)
    #expect(
      result.out == """
        Imported 1 row of FDX from standard input into the new store '\(workspace.store)': 1 new.
        Imported, but suspicious: 1 row with low above high, 1 row with close outside low and high, \
        1 row with a volume of 0, 1 row with a price of 0.
        Ignored columns: mood.

        """)
  }

  @Test func a_file_that_is_not_there_is_an_error() throws {
    let result = try workspace.run("import nowhere.csv")
    #expect(result.status == 2)
    #expect(result.err == "quoin: cannot open nowhere.csv: No such file or directory\n")
  }

  @Test func no_file_and_an_unknown_format_are_wrong_usage() throws {
    #expect(try workspace.run("import").status == 64)
    let result = try workspace.run("import x.csv --format cvs")
    #expect(result.status == 64)
    #expect(result.err == "quoin: --format 'cvs': there is no import format 'cvs'; did you mean 'csv'?\n")
  }

  @Test func a_second_writer_is_told_who_holds_the_store() throws {
    let holder = try workspace.start(["import", "-", "--ticker", "FDX"])
    // It holds the store from before its first read to its end.
    holder.write("date,close\n")
    while try workspace.shell("test -s store/LOCK").status != 0 {}
    let refused = try workspace.run("generate")
    #expect(refused.status == 2)
    #expect(refused.err.hasPrefix("quoin: another writer holds '\(workspace.store)': process "))
    let patient = try workspace.start(["generate", "--tickers", "1", "--rows", "5", "--wait", "30"])
    holder.write("2005-10-13,1\n")
    #expect(holder.finish().status == 0)
    #expect(patient.finish().status == 0)
    #expect(try workspace.run("scan --count").out == "6\n")
  }
}

/// Nothing is lost that the user didn't ask to lose.
struct ImportSafetyTests {
  let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    _ = try workspace.write(
      "date,open,close,volume,ex-dividend\n2020-01-02,1,2,3,0.5\n2020-01-03,4,5,6,\n", to: "FDX.csv")
    #expect(try workspace.run("import FDX.csv").status == 0)
    #expect(try workspace.shell("mkdir new").status == 0)
    _ = try workspace.write("Date,Close,Volume\n2020-01-03,5.5,\n2020-01-06,7,8\n", to: "new/FDX.csv")
  }

  private func rows() throws -> [String] {
    try workspace.run("scan --columns date,open,close,volume,ex-dividend").lines.dropFirst().map { String($0) }
  }

  @Test func a_file_changes_only_what_it_has_and_says_which_cells() throws {
    let dry = try workspace.run("import new/FDX.csv --dry-run")
    #expect(dry.status == 0 && dry.err.isEmpty)
    #expect(
      dry.out == """
        new/FDX.csv: 2 rows of FDX, 2020-01-03 to 2020-01-06: 1 new, 1 changed (1 close, 1 volume), csv
          column  meaning  first cell
          ------  -------  ----------
          Date    date     2020-01-03
          Close   close    5.5
          Volume  volume   8
        Would import 2 rows of FDX from new/FDX.csv into '\(workspace.store)': 1 new, 1 changed (1 close, 1 volume).

        """)
    #expect(try rows() == ["2020-01-02,1.0,2.0,3,0.5", "2020-01-03,4.0,5.0,6,"])
    #expect(try workspace.run("import new/FDX.csv").out.hasSuffix(": 1 new, 1 changed (1 close, 1 volume).\n"))
    #expect(try rows() == ["2020-01-02,1.0,2.0,3,0.5", "2020-01-03,4.0,5.5,,", "2020-01-06,,7.0,8,"])
  }

  @Test func whole_rows_are_replaced_or_kept_if_that_is_wanted() throws {
    #expect(try workspace.run("import new/FDX.csv --keep").out.hasSuffix(": 1 new, 1 left out.\n"))
    #expect(try rows() == ["2020-01-02,1.0,2.0,3,0.5", "2020-01-03,4.0,5.0,6,", "2020-01-06,,7.0,8,"])
    #expect(
      try workspace.run("import new/FDX.csv --replace").out
        .hasSuffix(": 1 changed (1 open, 1 close, 1 volume), 1 unchanged.\n"))
    #expect(try rows() == ["2020-01-02,1.0,2.0,3,0.5", "2020-01-03,,5.5,,", "2020-01-06,,7.0,8,"])
    #expect(try workspace.run("import new/FDX.csv --replace --keep").status == 64)
  }

  @Test func with_fill_a_missing_cell_changes_nothing() throws {
    let workspace = try Workspace()
    _ = try workspace.write("ticker,date,open,close\nKO,2018-03-26,1,2\nKO,2018-03-27,3,4\n", to: "a.csv")
    _ = try workspace.write(
      "ticker,date,open,close\nKO,2018-03-26,,5\nKO,2018-03-27,,\nKO,2018-03-28,,6\n", to: "b.csv")
    #expect(try workspace.shell("$quoin import a.csv && $quoin import b.csv --fill").status == 0)
    #expect(
      try workspace.run(["scan", "--columns", "open,close"]).lines == ["open,close", "1.0,5.0", "3.0,4.0", ",6.0"])
    let both = try workspace.run(["import", "b.csv", "--fill", "--keep"])
    #expect(both.status == 64 && both.err.contains("--keep and --fill contradict each other; choose one"))
  }

  @Test func two_files_that_contradict_each_other_are_refused_and_both_are_named() throws {
    let refused = try workspace.run("import FDX.csv new/FDX.csv")
    #expect(refused.status == 2 && refused.out.isEmpty)
    #expect(
      refused.err == """
        quoin: 1 row is bad, so nothing was imported; fix the file, or import the rest with --skip-bad-rows, or let later rows count with --last-wins
        new/FDX.csv, line 2, column date, '2020-01-03': FDX has this day twice, with different values; the first is FDX.csv, line 3

        """)
    let last = try workspace.run("import FDX.csv new/FDX.csv --last-wins")
    #expect(
      last.out == """
        FDX.csv: 2 rows of FDX, 2020-01-02 to 2020-01-03: nothing changed
        new/FDX.csv: 2 rows of FDX, 2020-01-03 to 2020-01-06: 1 new, 1 changed (1 close, 1 volume)
        Imported 4 rows of FDX from 2 files into '\(workspace.store)': 1 new, 1 changed (1 close, 1 volume), 2 unchanged.

        """)
    #expect(try rows().last == "2020-01-06,,7.0,8,")
  }

  @Test func a_ticker_that_contradicts_the_file_is_refused() throws {
    _ = try workspace.write("ticker,date,close\nKO,2020-01-02,1\n", to: "all.csv")
    let column = try workspace.run("import all.csv --ticker IBM")
    #expect(column.status == 2)
    #expect(column.err == "quoin: all.csv says that it holds quotes of KO, not of IBM; leave --ticker out\n")
    let text = #"{"dataset":{"dataset_code":"KO","column_names":["Date","Close"],"data":[["2020-01-02",1]]}}"#
    _ = try workspace.write(text, to: "quotes.json")
    let document = try workspace.run("import quotes.json --ticker IBM")
    #expect(document.status == 2 && document.err.hasSuffix("quotes of KO, not of IBM; leave --ticker out\n"))
    #expect(try workspace.run("import all.csv --ticker ko").status == 0)
  }

  @Test func made_up_quotes_do_not_replace_imported_ones() throws {
    let refused = try workspace.run("generate --ticker FDX --days 3")
    #expect(refused.status == 64 && refused.err.contains("has imported quotes of FDX, which made-up ones would change"))
    #expect(try rows().count == 2)
    #expect(try workspace.run("generate --ticker MADE --days 3").status == 0)
    #expect(try workspace.run("generate --ticker MADE --days 5").status == 0)
    #expect(try workspace.run("generate --ticker FDX --days 3 --force").status == 0)
    #expect(try rows().count > 2)
  }

  @Test func everything_is_removed_only_on_purpose() throws {
    let refused = try workspace.run("delete --all")
    #expect(refused.status == 64 && refused.err.contains("--all removes 2 rows of 1 ticker in '"))
    #expect(try rows().count == 2)
    #expect(try workspace.run("delete FDX --yes").status == 64)
    #expect(try workspace.run("delete --all --yes").status == 0)
  }

  @Test func no_output_goes_into_a_store() throws {
    #expect(try workspace.shell("mkdir -p store/old/older").status == 0)
    for name in ["MANIFEST", "quotes.csv", "LOCK", "old/quotes.csv", "old/older/quotes.csv"] {
      for command in ["export --output", "scan --output"] {
        let refused = try workspace.run("\(command) \(workspace.store)/\(name)")
        #expect(refused.status == 2 && refused.err.contains("it lies in a store"), "\(command) \(name)")
      }
    }
    for place in ["", "new/", "old/new/", "old/"] {
      #expect(try workspace.run("export --format json --output \(workspace.store)/\(place)").status == 2, "\(place)")
    }
    #expect(try workspace.shell("cd store/old && $quoin export --output quotes.csv").status == 2)
    #expect(try workspace.shell("find store/old | wc -l; rm -r store/old").out.filter(\.isNumber) == "2")
    #expect(try workspace.run("verify").status == 0 && rows().count == 2)
  }

  @Test func an_import_without_a_good_row_fails_even_if_bad_rows_are_skipped() throws {
    _ = try workspace.write("date,close\n2020-01-07,x\n2020-01-08,y\n", to: "KO.csv")
    let result = try workspace.run("import KO.csv --skip-bad-rows")
    #expect(result.status == 2 && result.out.isEmpty)
    #expect(result.err.hasPrefix("quoin: no row is good (2 bad), so nothing was imported\nKO.csv, line 2"))
  }

  @Test func an_interrupted_import_says_that_nothing_was_changed() throws {
    let result = try workspace.shell(
      """
      mkfifo pipe; $quoin import pipe --ticker KO & import=$!
      exec 3> pipe; echo 'date,close' >&3; sleep 0.5; kill -INT $import; wait $import; echo $?
      """)
    #expect(result.err.hasSuffix("quoin: interrupted; nothing was changed\n"))
    #expect(result.out == "130\n")
    #expect(try rows().count == 2)
  }
}

/// Files as they lie about: directories, lists, other names and forms.
struct ImportFormsTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test func a_directory_and_a_list_are_read_and_empty_files_skipped() throws {
    #expect(try workspace.shell("mkdir -p d/e && : > d/EMPTY.csv").status == 0)
    _ = try workspace.write("Date,Close\n20180102,1\n", to: "d/ko.us.txt")
    _ = try workspace.write("Date;Close\n2018-01-02;1,5\n", to: "d/e/FDX.csv")
    let result = try workspace.run("import d")
    #expect(result.status == 0 && result.err.isEmpty)
    #expect(
      result.out == """
        d/EMPTY.csv is empty; it was skipped
        d/e/FDX.csv: 1 row of FDX, 2018-01-02: 1 new
        d/ko.us.txt: 1 row of KO, 2018-01-02: 1 new
        Imported 2 rows of FDX, KO from 2 files into the new store '\(workspace.store)': 2 new.

        """)
    let listed = try workspace.shell("find d -name '*.txt' | $quoin import --files-from -")
    #expect(listed.out.hasPrefix("Nothing changed: the 1 row of KO from d/ko.us.txt"))
    // A directory without a file of quotes is a mistake.
    #expect(try workspace.shell("mkdir none && : > none/quotes.xls").status == 0)
    let none = try workspace.run("import none")
    #expect(none.status == 2 && none.out.isEmpty)
    #expect(
      none.err
        == "quoin: none has no file that ends in .csv, .tsv, .txt, .json, .ndjson, .jsonl, .gz or .zip\n")
    #expect(try workspace.run("import none d/ko.us.txt").out.hasPrefix("Nothing changed: the 1 row of KO"))
    #expect(
      try workspace.run("import --files-from nothing").err
        == "quoin: cannot read 'nothing': No such file or directory\n")
    for list in ["import --files-from /dev/zero", "import --files-from - < /dev/zero"] {
      let result = try workspace.shell("$quoin \(list)")
      #expect(
        result.status == 2 && result.err.contains(" is no list of files: a line of it has more than 1048576 bytes"))
    }
    #expect(try workspace.run("import").status == 64)
  }

  @Test func columns_days_and_tickers_can_be_told() throws {
    _ = try workspace.write("1.2.2018,5,6\n", to: "AAPL-2018.csv")
    let result = try workspace.run(
      "import AAPL-2018.csv --no-header --columns day,first,close --map first=open --date-format %d.%m.%Y "
        + "--ticker-from {ticker}-{year}")
    #expect(result.status == 0, "\(result)")
    #expect(try workspace.run("scan --columns ticker,date,open,close").line(1) == "AAPL,2018-02-01,5.0,6.0")
    let wrong = [
      "--no-header", "--columns a,b", "--map first", "--map first=opn", "--date-format %Y", "--ticker-from {year}",
    ]
    for arguments in wrong {
      let refused = try workspace.run("import AAPL-2018.csv \(arguments)")
      #expect(refused.status == 64 && refused.out.isEmpty, "\(arguments): \(refused)")
    }
    #expect(try workspace.run("import AAPL-2018.csv --map first=opn").err.contains("did you mean 'open'?"))
  }

  @Test func bad_files_can_be_skipped_and_each_is_told() throws {
    #expect(try workspace.shell("mkdir d && printf 'PAR1xxxx' > d/a.csv").status == 0)
    _ = try workspace.write("date,close\n2018-01-02,1\n2018-01-03,x\n", to: "d/b.csv")
    _ = try workspace.write("date,close\n2018-01-02,1\n", to: "d/c.csv")
    let refused = try workspace.run("import d")
    #expect(refused.status == 2 && refused.out.isEmpty)
    let result = try workspace.run("import d none.csv --skip-bad-files")
    #expect(result.status == 0 && result.err.isEmpty)
    #expect(
      result.out == """
        d/a.csv was skipped: d/a.csv is a Parquet file, which isn't read here; convert it to CSV or JSON in UTF-8
        d/b.csv was skipped: 1 bad row, the first: d/b.csv, line 3, column close, 'x': not a number
        none.csv was skipped: cannot open none.csv: No such file or directory
        Imported 1 row of C from d/c.csv into the new store '\(workspace.store)': 1 new.

        """)
    #expect(try workspace.run("scan --columns ticker,date,close").out == "ticker,date,close\nC,2018-01-02,1.0\n")
    // Nothing is left to import, or the file can't be read twice.
    #expect(try workspace.run("import d/a.csv d/b.csv --skip-bad-files").status == 2)
    #expect(try workspace.shell("$quoin import - --ticker A --skip-bad-files < d/c.csv").status == 64)
    #expect(try workspace.shell("$quoin import $(seq 100) - $(seq 100) --skip-bad-files < d/c.csv").status == 64)
    #expect(try workspace.run("import d/b.csv --skip-bad-files --skip-bad-rows").out.contains("Imported 1 row"))
  }

  @Test func names_that_are_no_text_are_read_and_shown_without_harm() throws {
    let made = try workspace.shell(
      #"""
      mkdir d && cd d && for name in "$(printf 'K\377\303O')" "$(printf 'A\033[31mB')" "$(printf 'E\314\201')" \
        "$(printf '\364\217\277\277')"; do printf 'ticker,date,close\nFDX,2018-01-02,1\n' > "$name.csv"; done
      """#)
    #expect(made.status == 0, "\(made)")
    let all = try workspace.run("import d")
    #expect(all.status == 0 && all.out.contains("from 4 files"), "\(all)")
    #expect(!all.out.contains("\u{1b}") && all.out.contains("d/A?[31mB.csv: ") && all.out.contains("d/K??O.csv: "))
    let listed = try workspace.shell("ls d/* | $quoin import --files-from - && $quoin import d/*")
    #expect(listed.status == 0 && listed.out.split(separator: "\n").count == 10, "\(listed)")
    let absent = try workspace.shell("$quoin import \"$(printf 'd/\\377')\"")
    #expect(absent.err == "quoin: cannot open d/?: No such file or directory\n")
  }

  @Test func a_hundred_thousand_names_of_files_take_no_time() throws {
    let count = TestSettings.isDebug ? 20_000 : 100_000
    let names = "$(seq -f f%.0f.csv \(count))"
    let start = ContinuousClock.now
    let result = try workspace.shell("$quoin import --threads 1 \(names)")
    #expect(result.status == 2 && result.err == "quoin: cannot open f1.csv: No such file or directory\n")
    let time = ContinuousClock.now - start
    print("\(count) arguments: \(time)")
    // ArgumentParser alone would take minutes.
    #expect(time < .seconds(30))
    #expect(try workspace.shell("$quoin scan \(names) --limit 1").err.contains("no store"))
  }
}
