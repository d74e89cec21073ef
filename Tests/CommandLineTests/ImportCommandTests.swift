import Testing

struct ImportCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private static let dirty = """
    date,open,high,low,close,volume
    2005-10-13,1,2,1,2,3
    2005-10-14,$1,2,1,2,3
    2005-10-15,1,2,1,2,-3

    """

  @Test func files_are_imported_and_again_change_nothing() throws {
    let files = ["FDX.json", "wiki-sample.csv"].map(Workspace.data)
    let first = try workspace.run(["import"] + files)
    #expect(first.status == 0 && first.err.isEmpty)
    #expect(
      first.out == "Imported 4,224 rows of 7 tickers from 2 files into '\(workspace.store)': 4,224 new.\n")
    let second = try workspace.run(["import", files[0]])
    #expect(second.out == "Nothing changed: the 1,200 rows of 1 ticker from \(files[0]) were there already.\n")
    #expect(try workspace.run("info --format ndjson").out.contains("\"generation\":1"))
  }

  @Test func a_bad_row_rejects_everything() throws {
    let file = try workspace.write(Self.dirty, to: "FDX.csv")
    let result = try workspace.run(["import", file])
    #expect(result.status == 2 && result.out.isEmpty)
    #expect(
      result.err == """
        quoin: 2 rows are bad, so nothing was imported; fix the file, or import the rest with --skip-bad-rows
        \(file), line 3, column open, '$1': not a number
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
        "Imported 1 row of 1 ticker from \(file) into '\(workspace.store)': 1 new.", "Left out 2 bad rows:",
      ])
    #expect(result.lines.count == 4)
    #expect(try workspace.run("periods FDX --format csv").lines.last?.hasSuffix(",1,the mail") == true)
  }

  @Test func a_packed_stream_is_unpacked() throws {
    _ = try workspace.write("date,close\n2005-10-14,81.5\n", to: "FDX.csv")
    let result = try workspace.shell("gzip -c FDX.csv | $quoin import - --ticker FDX")
    #expect(result.out == "Imported 1 row of 1 ticker from standard input into '\(workspace.store)': 1 new.\n")
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
        Imported 1 row of 1 ticker from standard input into '\(workspace.store)': 1 new.
        Imported, but suspicious: 1 row with low above high, 1 row with close outside low and high, \
        1 row with a volume of 0, 1 row with a price of 0.
        Ignored unknown columns: mood.

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
    #expect(result.err == "quoin: there is no import format 'cvs'; did you mean 'csv'?\n")
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
