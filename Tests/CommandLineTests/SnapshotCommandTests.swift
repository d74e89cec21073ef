import Testing

struct SnapshotCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  @Test func a_snapshot_is_created_listed_read_and_deleted() throws {
    #expect(try workspace.run("snapshot create first").out == "Kept generation 1 of '\(workspace.store)' as 'first'.\n")
    #expect(try workspace.run("delete AAPL").status == 0)
    let list = try workspace.run("snapshot list")
    #expect(list.line(0) == "name,generation,committed_at,files_held")
    #expect(list.line(1).hasPrefix("first,1,20") && list.line(1).hasSuffix("Z,0"))
    #expect(list.line(2).hasPrefix(",2,20") && list.lines.count == 3)
    #expect(try workspace.run("snapshot list --format ndjson").line(1).hasPrefix(#"{"name":null,"generation":2,"#))
    #expect(try workspace.run("snapshot create first").err.contains("there is a snapshot 'first' already"))
    #expect(try workspace.run("snapshot create 1st").status == 2)
    #expect(
      try workspace.run("snapshot delete first").out == "Deleted the snapshot 'first' of '\(workspace.store)'.\n")
    let gone = try workspace.run("snapshot delete first")
    #expect(gone.status == 2)
    #expect(gone.err.hasPrefix("quoin: '\(workspace.store)' keeps no snapshot 'first'; it keeps no snapshots, and of"))
  }

  @Test func every_command_that_reads_reads_a_snapshot() throws {
    let commands = [
      "scan AAPL --count", "scan --where close>100 --columns ticker,date,close", "tickers", "info --format ndjson",
      "info AAPL", "check --jump 6", "periods", "export AAPL", "export FDX --format json",
    ]
    let before = try commands.map { try workspace.run($0).out }
    #expect(try workspace.run("snapshot create first").status == 0)
    #expect(try workspace.run("delete AAPL").status == 0)
    #expect(try workspace.run("delete FDX --from 2003-01-01").status == 0)
    for at in ["first", "1"] {
      for (command, output) in zip(commands, before) {
        #expect(try workspace.run("\(command) --at \(at)").out == output, "\(command)")
      }
    }
    #expect(try workspace.run("scan --count --at 3").out == "3720\n")
    for command in commands {
      let unknown = try workspace.run("\(command) --at frist")
      #expect(unknown.status == 2)
      #expect(unknown.err == "quoin: '\(workspace.store)' keeps no snapshot 'frist'; did you mean 'first'?\n")
    }
    #expect(
      try workspace.run("tickers --at 77").err
        == "quoin: '\(workspace.store)' keeps no snapshot '77'; it keeps first, and of the generations 1, 3, 4\n")
    // What writes doesn't take it.
    #expect(try workspace.run("delete FDX --at first").status == 64)
  }

  @Test func the_last_change_is_taken_back() throws {
    let before = try workspace.run("export").out
    #expect(try workspace.run("delete AAPL").status == 0)
    let undo = try workspace.run("undo")
    #expect(
      undo.out == "Took back the last change of '\(workspace.store)': 3,720 rows of 6 tickers before, 4,224 rows of 7 "
        + "tickers now.\n")
    #expect(try workspace.run("export").out == before)
    #expect(try workspace.run("undo").out.contains("4,224 rows of 7 tickers before, 3,720 rows"))
    #expect(
      try workspace.run("snapshot recent 0").out
        == "From the next change on, '\(workspace.store)' keeps 0 earlier generations.\n")
    #expect(try workspace.run("delete FDX").status == 0)
    let refused = try workspace.run("undo")
    #expect(refused.status == 2 && refused.out.isEmpty)
    #expect(
      refused.err
        == "quoin: '\(workspace.store)' doesn't keep what it had before its last change, so nothing can be taken back\n"
    )
    #expect(try workspace.run("snapshot recent -1").status == 64)
  }

  @Test func a_store_goes_back_to_a_snapshot_or_a_generation() throws {
    let before = try workspace.run("export").out
    #expect(try workspace.run("snapshot create first").status == 0)
    #expect(try workspace.run("delete AAPL").status == 0)
    #expect(try workspace.run("delete FDX").status == 0)
    let restored = try workspace.run("restore first")
    #expect(
      restored.out
        == "'\(workspace.store)' is as 'first' was: 2,520 rows of 5 tickers before, 4,224 rows of 7 tickers now.\n")
    #expect(try workspace.run("export").out == before)
    #expect(try workspace.run("restore 4").out.contains("now."))
    #expect(try workspace.run("tickers").lines.count == 6)
    #expect(try workspace.run("restore 1").status == 0)
    #expect(try workspace.run("restore second").status == 2)
    #expect(try workspace.run("restore firts").err.hasSuffix("keeps no snapshot 'firts'; did you mean 'first'?\n"))
    #expect(try workspace.run("verify").status == 0)
  }

  @Test func two_vintages_differ_in_exactly_the_cells_that_were_restated() throws {
    #expect(try workspace.run("snapshot create old").status == 0)
    let equal = try workspace.run("diff old")
    #expect(equal.status == 0 && equal.err == "quoin: no differences\n")
    #expect(equal.out == "ticker,date,change,attribute,before,after\n")
    let text = "ticker,date,close,volume\nFDX,2001-01-05,39.5,\nNEW,2020-01-02,1,2\n"
    _ = try workspace.write(text, to: "new.csv")
    #expect(try workspace.run("import new.csv").status == 0)
    #expect(try workspace.run("delete AAPL --from 2018-03-27").status == 0)
    let different = try workspace.run("diff old")
    #expect(different.status == 1)
    #expect(
      different.out == """
        ticker,date,change,attribute,before,after
        AAPL,2018-03-27,removed,,,
        FDX,2001-01-05,changed,close,39.06,39.5
        FDX,2001-01-05,changed,volume,2377500,
        NEW,2020-01-02,added,,,

        """)
    #expect(
      different.err
        == "quoin: 3 tickers differ: AAPL, FDX, NEW; 1 row added, 1 row removed, 1 row changed (1 close, 1 volume)\n")
    #expect(try workspace.run("diff old --limit 1").lines.count == 2)
    #expect(
      try workspace.run("diff old 3 --format ndjson").line(0)
        == ##"{"ticker":"FDX","date":"2001-01-05","change":"changed","attribute":"close","before":39.06,"##
        + ##""after":39.5}"##)
    // The other way round, and between stores.
    #expect(try workspace.run("diff 4 1").lines.count == 5)
    #expect(try workspace.shell("cp -r store copy").status == 0)
    #expect(try workspace.run("diff ./copy store").status == 0)
    #expect(try workspace.run("diff old ./copy").out == different.out)
    #expect(try workspace.shell("mkdir old && $quoin diff old").err.contains("write './old' for the directory"))
    #expect(try workspace.run("diff nothing").status == 2)
    #expect(try workspace.run("diff ./old").status == 2)
    #expect(try workspace.run("diff old --limit -1").status == 64)
  }
}
