import Testing

#if canImport(Glibc)
  import Glibc

  /// What `quoin` says on a terminal alone, which `script` of util-linux lends it.
  @Suite(.enabled(if: unsafe access("/usr/bin/script", X_OK) == 0))
  struct TerminalTests {
    let workspace: Workspace

    init() throws {
      workspace = try Workspace()
      _ = try workspace.write("date,close\n2018-01-02,1\n", to: "B.csv")
    }

    /// What a command prints on a terminal, after the shell has done something.
    private func onTerminal(_ command: String, after preparation: String) throws -> ChildProcess.Result {
      try workspace.shell("\(preparation) TERM=xterm script -qec \"$quoin \(command)\" /dev/null")
    }

    @Test func everything_is_removed_after_a_question() throws {
      #expect(try workspace.run("import B.csv").status == 0)
      let refused = try onTerminal("delete --all", after: "echo n |")
      #expect(refused.status == 64 && refused.out.contains("quoin: nothing was removed"))
      #expect(refused.out.contains("Remove all 1 row of 1 ticker in '\(workspace.store)'? [y/N]"))
      #expect(try workspace.run("scan --count").out == "1\n")
      let removed = try onTerminal("delete --all", after: "echo y |")
      #expect(removed.status == 0 && removed.out.contains("Removed 1 row; 0 left"), "\(removed)")
    }

    @Test func a_chart_fits_the_terminal_and_has_its_colors() throws {
      #expect(try workspace.run("import B.csv").status == 0)
      let sized = "stty cols 64 rows 20; $quoin chart B"
      let styled = try workspace.shell("TERM=xterm script -qec '\(sized)' /dev/null < /dev/null")
      let lines = styled.out.split(separator: "\r\n", omittingEmptySubsequences: false)
      #expect(
        styled.status == 0 && (16...20).contains(lines.count) && styled.out.contains("\u{1B}[0;38;5;32m"), "\(styled)")
      let plain = try workspace.shell("NO_COLOR=1 TERM=xterm script -qec '\(sized)' /dev/null < /dev/null")
      #expect(plain.out.contains("║") && !plain.out.contains("\u{1B}"), "\(plain)")
    }

    /// What a command prints on a terminal of this size.
    private func onScreen(_ command: String, columns: Int, rows: Int, _ variables: String = "") throws -> String {
      let line = "stty cols \(columns) rows \(rows); \(variables) TERM=xterm $quoin \(command)"
      let result = try workspace.shell("script -qec '\(line)' /dev/null < /dev/null")
      #expect(result.status == 0, "\(command) \(result)")
      return result.out.replacing("\r\n", with: "\n").replacing(/\u{1b}\[[0-9;]*m/, with: "")
    }

    @Test func a_table_fits_the_terminal_and_a_long_one_goes_through_the_pager() throws {
      #expect(try workspace.run(["import", Workspace.data("FDX.json")]).status == 0)
      let narrow = try onScreen("scan FDX --limit 2", columns: 60, rows: 24)
      #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 60 || $0.contains("more columns: ") }, "\(narrow)")
      #expect(narrow.contains("more columns: ") && narrow.contains(", adj_volume\n"))
      #expect(try !onScreen("scan FDX --limit 2", columns: 200, rows: 24).contains("more column"))
      let pager = "QUOIN_PAGER=\"cat -n\""
      #expect(
        try onScreen("scan FDX --columns date --limit 30", columns: 80, rows: 20, pager).contains(
          "     3\t2001-01-05\n"))
      #expect(try !onScreen("scan FDX --columns date --limit 5", columns: 80, rows: 20, pager).contains("\t"))
      #expect(try !onScreen("scan FDX --columns date --no-pager", columns: 80, rows: 20, pager).contains("\t"))
      #expect(try onScreen("scan FDX --columns date", columns: 80, rows: 20, "PAGER=/nowhere").contains("2005-10-14\n"))
      // In a pipe, and in a file, nothing changes.
      let piped = try workspace.run("scan FDX --limit 2 --format table").out
      #expect(piped.contains("adj_volume\n") && !piped.contains("more column"))
    }

    @Test func a_long_import_shows_files_rows_rate_and_the_time_left() throws {
      // The second file isn't at its end for a while.
      let feed = "mkfifo KO.csv; { echo date,close; echo 2018-01-02,1; sleep 1; } > KO.csv &"
      let result = try onTerminal("import B.csv KO.csv < /dev/null", after: feed)
      #expect(result.status == 0 && result.out.contains("Imported 2 rows of "))
      let line = /importing: 50%, 1 of 2 files, \d rows?, \d+\/s, \d:\d\d left/
      #expect(result.out.contains(line), "\(result)")
    }
  }
#endif
