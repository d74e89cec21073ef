import Testing

@testable import Quoin
@testable import quoin_crowd

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program itself, ended or hindered at each of its system calls on the store: what was there is there, whole; a
/// success is a success and a failure names the file and the reason; and the next writer goes on at once.
///
/// In release only, as the build under test is the program's. `QUOIN_FAULTS=all` takes every call and every fault.
@Suite(.enabled(if: !TestSettings.isDebug && Strace.isAvailable))
struct InjectedFaultTests {
  struct Workload: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isFirst: Bool
    /// FOLDER stands for the workspace, SERVICE for the address of a service that has a ticker.
    let arguments: String

    init(_ description: String, isFirst: Bool = false, _ arguments: String) {
      (testDescription, self.isFirst, self.arguments) = (description, isFirst, arguments)
    }
  }

  static let workloads = [
    Workload("import, first commit", isFirst: true, "import FOLDER/new.csv"),
    Workload("import, later days", "import FOLDER/new.csv"),
    Workload("import, other values", "import FOLDER/old.csv --threads 1"),
    Workload("generate, first commit", isFirst: true, "generate --tickers 2 --rows 10"),
    Workload("generate", "generate --tickers 2 --rows 80"),
    Workload("delete a ticker", "delete A"),
    Workload("delete rows", "delete --where close<3"),
    Workload("delete everything", "delete --all --yes"),
    Workload("compact", "compact"),
    Workload("compact and pack small", "compact --pack small"),
    Workload("take a commit back", "undo"),
    Workload("rename a ticker", "rename A D"),
    Workload("compute adjusted values", "adjust --replace --trust-splits"),
    Workload("merge another store", "merge FOLDER/other"),
    Workload("fetch, first commit", isFirst: true, "fetch N --api-base SERVICE"),
    Workload("fetch", "fetch N --api-base SERVICE"),
    Workload("keep a snapshot", "snapshot create second"),
    Workload("drop a snapshot", "snapshot delete first"),
    Workload("restore a snapshot", "restore first"),
  ]

  private struct Fault {
    let action: String
    /// The words for the error; none when the program is killed.
    let message: String?

    static let kill = Fault(action: "signal=KILL", message: nil)
    static let errors = [
      Fault(action: "error=ENOSPC", message: "No space left on device"),
      Fault(action: "error=EIO", message: "Input/output error"),
      Fault(action: "error=EMFILE", message: "Too many open files"),
      Fault(action: "error=EINTR", message: "Interrupted system call"),
    ]
  }

  /// What the disk held before, and what it holds when nothing fails.
  private struct Outcomes {
    let old: [String]
    let new: [String]
  }

  private struct Counts {
    var kills = 0
    var errors = 0
    /// Neither the old rows nor the new ones.
    var torn = 0
    /// The program said that it was done, and it wasn't; or that nothing has changed, and something had.
    var wrongAnswers = 0
    var kept = 0
    var slowest = Duration.zero
  }

  @Test(arguments: workloads)
  func every_call_may_fail_or_be_the_last(_ workload: Workload) throws {
    let workspace = try Workspace()
    try prepare(workspace, workload)
    let service = workload.arguments.contains("SERVICE") ? try start(workspace) : nil
    let arguments = workload.arguments.split(separator: " ").map {
      $0 == "SERVICE" ? service?.address ?? "" : $0.hasPrefix("FOLDER") ? workspace.path + $0.dropFirst(6) : String($0)
    }
    let strace = Strace(workspace: workspace, paths: paths(workspace, workload))
    try restore(workspace)
    let old = try content(workspace.store)
    let calls = try strace.calls(arguments)
    let outcomes = Outcomes(old: old, new: try content(workspace.store))
    #expect(outcomes.old != outcomes.new || workload.arguments.hasPrefix("compact"))
    #expect(calls.count { $0.isChange } >= 10)
    try expectNothingInherited(workspace)

    var counts = Counts()
    let isLong = TestSettings.variable("QUOIN_FAULTS") == "all"
    for (index, call) in calls.enumerated() {
      func inject(_ fault: Fault, _ when: String) throws {
        try restore(workspace)
        let result = try strace.run(arguments, call: call.name, fault: "\(fault.action):when=\(when)")
        try check(result, workspace, outcomes, fault, "\(fault.action) at \(call)", &counts)
      }
      // Between two changes the disk is as it was before the second.
      if call.isChange || isLong || index == calls.count - 1 { try inject(.kill, "\(call.number)") }
      if isLong {
        for fault in Fault.errors { try inject(fault, "\(call.number)") }
        // From this call on; but what is interrupted for ever is tried for ever.
        for fault in Fault.errors.dropLast() { try inject(fault, "\(call.number)+") }
      } else if call.isChange || index % 4 == 0 {
        try inject(Fault.errors[index % 4], "\(call.number)")
      }
    }
    if isLong { try killAnywhere(workspace, arguments, outcomes, &counts) }
    #expect(counts.kept > 10)
    print(
      "promise 3: \(workload.testDescription): \(counts.kills) kills, \(counts.errors) errors, \(counts.torn) lost or torn, "
        + "\(counts.wrongAnswers) wrong answers; the next writer was done within \(counts.slowest)")
  }

  /// At every system call of the process, whatever it is about.
  private func killAnywhere(
    _ workspace: Workspace, _ arguments: [String], _ outcomes: Outcomes, _ counts: inout Counts
  ) throws {
    let strace = Strace(workspace: workspace, paths: [])
    try restore(workspace)
    for call in try strace.calls(arguments) {
      try restore(workspace)
      let result = try strace.run(arguments, call: call.name, fault: "\(Fault.kill.action):when=\(call.number)")
      // Threads share the calls differently each time, so that the last ones of a name may not come.
      if result.status == 0 { continue }
      try check(result, workspace, outcomes, .kill, "kill at \(call) of all", &counts)
    }
  }

  /// The store that a workload finds, in the folder `before`.
  private func prepare(_ workspace: Workspace, _ workload: Workload) throws {
    _ = try workspace.write("ticker,date,close\nA,2004-01-02,5\nB,2004-01-02,6\nC,2004-01-02,7\n", to: "new.csv")
    _ = try workspace.write("ticker,date,close\nA,2002-11-07,50\nC,2002-11-11,70\n", to: "old.csv")
    #expect(try workspace.shell("mkdir before").status == 0)
    for name in ["other", "service"] {
      let days = try (0..<20).map { try #require(TradingDay(daysSince1970: 12_500 + $0)) }
      try QuoteStore(at: workspace.path + "/" + name).upsert(days.map { Chronicle.row($0, 4, of: "N") })
    }
    if workload.isFirst { return }
    let store = try QuoteStore(at: workspace.path + "/before")
    // Each smaller than the one before, so that it stays a file of its own.
    for (number, count) in [60, 20, 5].enumerated() {
      var rows: [TickerSymbol: QuoteColumns] = [:]
      for ticker in ["A", "B", "C"] as [TickerSymbol] {
        var columns = QuoteColumns()
        for day in 0..<count {
          let day = try #require(TradingDay(daysSince1970: 12_000 + number * 100 + day))
          columns.append(Chronicle.row(day, UInt64(number + 1), of: ticker))
        }
        rows[ticker] = columns
      }
      try store.upsert(rows)
      if number == 1 { try store.keepSnapshot(named: "first") }
    }
    #expect(store.summary.fileCount == 3)
  }

  /// The program as a service for the store `service`, until the test is over.
  private func start(_ workspace: Workspace) throws -> (process: ChildProcess, address: String) {
    let process = try ChildProcess(
      "/bin/sh",
      ["-c", #"exec "$0" serve --port 0 --store "$1" 2>&1"#, Workspace.program, workspace.path + "/service"],
      environment: [])
    let line = try #require(process.line())
    return (process, String(line.split(separator: " ").last ?? ""))
  }

  /// Puts the store of before in its place: links to its files, which are never written again, suffice.
  private func restore(_ workspace: Workspace) throws {
    let (files, before) = (SystemFiles(), workspace.path + "/before")
    for name in (try? files.names(in: workspace.store)) ?? [] { try files.remove(workspace.store + "/" + name) }
    unsafe rmdir(workspace.store)
    let names = try files.names(in: before).filter { $0 != StoreFiles.lock }
    if names.isEmpty { return }
    try files.createDirectory(workspace.store)
    for name in names { #expect(unsafe link(before + "/" + name, workspace.store + "/" + name) == 0) }
  }

  private func paths(_ workspace: Workspace, _ workload: Workload) -> [String] {
    let (path, store) = (workspace.path, workspace.store)
    let names = [StoreFiles.manifest, StoreFiles.temporaryManifest, StoreFiles.lock]
    let numbered = (1...9).flatMap { [FileRecord.name(id: $0), StoreFiles.keptManifest($0)] }
    let files = (names + numbered).map { store + "/" + $0 }
    // The folder around a store is touched by who makes it.
    return [path, store, path + "/new.csv", path + "/old.csv"] + files + (workload.isFirst ? [store + "/.."] : [])
  }

  /// The named snapshots, each with its rows, and the rows.
  private func content(_ path: String) throws -> [String] {
    let store = try QuoteStore(at: path)
    let snapshots = try store.snapshots.compactMap(\.name).flatMap { name in
      let view = try #require(try store.snapshot(named: name))
      return try ["snapshot \(name)"] + view.allQuotes.fetch().map { "\($0)" }
    }
    return try snapshots + store.allQuotes.fetch().map { "\($0)" }
  }

  /// A child of the program would keep the lock with the descriptor.
  private func expectNothingInherited(_ workspace: Workspace) throws {
    for line in try workspace.text(of: "trace").split(separator: "\n") where line.contains(" openat(") {
      #expect(line.contains("O_CLOEXEC"), "\(line)")
    }
  }

  private func check(
    _ result: ChildProcess.Result, _ workspace: Workspace, _ outcomes: Outcomes, _ fault: Fault, _ place: String,
    _ counts: inout Counts
  ) throws {
    let found = try content(workspace.store)
    let comment: Comment = "\(place): \(result)"
    #expect(found == outcomes.old || found == outcomes.new, comment)
    if found == outcomes.old { counts.kept += 1 } else if found != outcomes.new { counts.torn += 1 }
    if let message = fault.message {
      counts.errors += 1
      if result.status == 0 {
        #expect(found == outcomes.new && result.err.isEmpty, comment)
        if found != outcomes.new { counts.wrongAnswers += 1 }
      } else {
        let status: Int32 = result.err.contains("whether the change was kept") ? 3 : 2
        #expect(result.status == status && result.out.isEmpty && result.err.contains(": \(message)"), comment)
        #expect(result.err.hasPrefix("quoin: cannot ") && result.err.contains(workspace.path), comment)
        let isAnswered = found == outcomes.old || result.err.contains("whether the change was kept")
        #expect(isAnswered, comment)
        if !isAnswered { counts.wrongAnswers += 1 }
      }
    } else {
      counts.kills += 1
      #expect(result.status == 128 + SIGKILL, comment)
    }
    try expectNextWriter(workspace, found, comment, &counts)
  }

  /// The next writer is done, however late on a busy machine, and leaves nothing but what the manifest names.
  private func expectNextWriter(
    _ workspace: Workspace, _ found: [String], _ comment: Comment, _ counts: inout Counts
  ) throws {
    let start = ContinuousClock.now
    let store = try QuoteStore(at: workspace.store)
    let quote = Chronicle.row(.latest, 1, of: "ZZZ")
    try store.upsert([quote])
    let time = ContinuousClock.now - start
    counts.slowest = max(counts.slowest, time)
    #expect(time < .seconds(20), comment)
    let names = store.snapshot.manifest.fileNames.union([StoreFiles.manifest, StoreFiles.lock])
    #expect(try Set(SystemFiles().names(in: workspace.store)) == names, comment)
    #expect(try content(workspace.store) == found + ["\(quote)"], comment)
    #expect(try store.verify().damages.isEmpty, comment)
  }
}
