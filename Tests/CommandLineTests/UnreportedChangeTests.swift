import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A change that is made, of which nothing can be said: the exit status is one of its own, and the sentence says that it is made.
@Suite struct UnreportedChangeTests {
  private static let changes = [
    ("import new.csv", "the import into "), ("delete A", "the deletion from "), ("compact", "the compaction of "),
    ("snapshot create two", "the snapshot of "), ("snapshot delete first", "the deletion of the snapshot"),
    ("snapshot recent 3", "the setting of "), ("undo", "the undo in "), ("restore first", "the return of "),
    ("rename A C", "the renaming in "), ("merge other", "the merge into "), ("adjust --replace", "the adjustment of "),
    ("generate --tickers 1 --rows 3 --force", "the generation in "),
    ("shard --count 2 --output market", "the division into "),
    ("repair --into saved", "the repair into "),
  ]

  private func makeWorkspace() throws -> Workspace {
    let workspace = try Workspace()
    _ = try workspace.write("ticker,date,close\nA,2004-01-02,5\nB,2004-01-02,6\n", to: "old.csv")
    _ = try workspace.write("ticker,date,close\nA,2004-01-05,5\nB,2004-01-05,6\n", to: "new.csv")
    let made = try workspace.shell(
      "$quoin import old.csv && $quoin snapshot create first && cp -r store other && $quoin import new.csv && cp -r store sound"
    )
    try #require(made.status == 0, "\(made)")
    return workspace
  }

  @Test func a_change_that_is_made_says_so_where_its_report_has_no_room() throws {
    let workspace = try makeWorkspace()
    for (command, beginning) in Self.changes {
      for stream in [">&-", "> /dev/full", "| true; exit ${PIPESTATUS[0]}"] {
        _ = try workspace.shell("rm -rf store saved market; cp -r sound store")
        // In a pipe whose reader is gone before anything is written.
        let line =
          stream.hasPrefix("|")
          ? "bash -c '(sleep 0.3; $quoin \(command)) | true; exit ${PIPESTATUS[0]}'" : "$quoin \(command) \(stream)"
        let result = try workspace.shell(line)
        let comment: Comment = "\(command) \(stream): \(result)"
        #expect(result.status == 3 && result.out.isEmpty, comment)
        #expect(result.err.hasPrefix("quoin: \(beginning)"), comment)
        #expect(result.err.contains(" is done, and only its report is not: cannot write standard output: "), comment)
      }
    }
    // What didn't happen is no change.
    for command in ["delete NONE", "undo --store none", "import none.csv", "rename NONE C"] {
      #expect(try workspace.shell("$quoin \(command) > /dev/full").status == 2, "\(command)")
    }
    #expect(try workspace.shell("$quoin scan --count > /dev/full").status == 2)
  }

  /// Whoever is over the largest size of a file gets a sentence, and no signal.
  @Test func a_file_beyond_the_largest_size_is_refused_and_leaves_nothing() throws {
    let workspace = try makeWorkspace()
    let line = "bash -c 'ulimit -f 1; $quoin generate --tickers 9 --rows 9000 --store LARGE'"
    for store in ["store", "fresh"] {
      let before = try workspace.shell("ls -a \(store) 2> /dev/null; true").out
      let result = try workspace.shell(line.replacing("LARGE", with: store))
      #expect(result.status == 2 && result.err.hasSuffix(": File too large\n"), "\(result)")
      #expect(try workspace.shell("ls -a \(store) 2> /dev/null; true").out == before)
    }
  }

  /// Root has threads beyond any limit.
  @Test func without_threads_the_work_is_done_all_the_same() throws {
    let workspace = try makeWorkspace()
    _ = try workspace.shell("chmod -R a+rwX .")
    let isRoot = getuid() == 0
    let user = isRoot ? "setpriv --reuid 65534 --clear-groups " : ""
    if isRoot, try workspace.shell("\(user)true && \(user)$quoin --version").status != 0 { return }
    let limited = "timeout 60 \(user)bash -c 'ulimit -u 1; exec $quoin COMMAND'"
    for command in ["import new.csv --store fresh", "delete A", "compact", "scan --count", "verify"] {
      let result = try workspace.shell(limited.replacing("COMMAND", with: command))
      #expect(result.status == 0, "\(command): \(result)")
    }
  }
}
