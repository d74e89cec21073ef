import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whatever the arguments, the files and the streams: the program ends with an exit status of its own.
@Suite struct NoSignalTests {
  /// How the options are called that take a value, by command.
  private static let options: [(command: [String], options: [String])] = [
    (
      ["scan"],
      [
        "--where", "--from", "--to", "--columns", "--order", "--limit", "--threads", "--format", "--output",
        "--store", "--aggregate", "--as-of",
      ]
    ),
    (["resample"], ["--by"]), (["resample", "--by", "week"], ["--label", "--as-of", "--where"]),
    (["resample", "--by", "month", "--aggregate", "count"], ["--group-by"]),
    (["join", "FDX", "KO"], ["--kind", "--tolerance", "--on", "--columns"]),
    (["join", "FDX", "KO", "--kind", "as-of"], ["--tolerance"]),
    (["chart", "FDX", "--format", "text"], ["--kind", "--overlay", "--band", "--mark", "--width"]),
    (["chart", "FDX", "--log"], ["--of", "--output"]), (["chart", "FDX", "--kind", "scatter"], ["--against"]),
    (["scan", "--aggregate", "max(high)"], ["--by"]),
    (["export"], ["--where", "--from", "--format", "--output"]),
    (["import"], ["--ticker", "--format", "--threads", "--store", "--wait", "--pack"]),
    (["delete"], ["--where", "--from", "--to", "--wait"]),
    (["generate", "--csv", "--output", "/dev/null"], ["--tickers", "--rows", "--days", "--output"]),
    (["tickers"], ["--format", "--output", "--store"]),
    (["check"], ["--rule", "--from", "--to", "--jump", "--limit", "--format", "--at"]),
    (["periods"], ["--format", "--store"]),
    (["verify"], ["--store"]), (["info"], ["--store"]), (["compact"], ["--store", "--wait", "--pack"]),
    (["rename", "FDX", "B"], ["--store", "--wait", "--from", "--to"]), (["merge", "other"], ["--store", "--wait"]),
    (["adjust", "FDX"], ["--store", "--wait"]), (["shard", "--output", "market"], ["--count", "--store"]),
    // Last: it fills the store, which the others would have to read each time.
    (["generate", "--ticker", "G"], ["--days", "--seed", "--wait", "--ticker", "--pack"]),
  ]

  private static let statuses: Set<Int32> = [0, 1, 2, 3, 64]

  /// - Returns: whether the program ended by itself, with a sentence where it failed.
  private func endsWell(_ result: ChildProcess.Result) -> Bool {
    Self.statuses.contains(result.status) && (result.status < 2 || !result.err.isEmpty)
  }

  /// In two parts, so that two processors have work.
  @Test(arguments: 0..<2)
  func no_argument_ends_the_program_by_a_signal(part: Int) throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    var count = 0
    // A program can't be given a longer argument than 128 KiB.
    let longOnes = [String(repeating: "(", count: 100_000), String(repeating: "A", count: 120_000)]
    let all = NastyTexts.words + NastyTexts.deep + longOnes
    // Each option is given every third word, or in debug every twelfth, and the next one others.
    let step = TestSettings.isLong ? 1 : TestSettings.isDebug ? 12 : 3
    var turn = 0
    func words() -> [String] {
      turn += 1
      return all.indices.filter { $0 % 2 == part && ($0 / 2 + turn) % step == 0 }.map { all[$0] }
    }
    for (command, options) in Self.options {
      for option in options {
        for word in words() {
          let result = try workspace.run(command + ["\(option)=\(word)"])
          count += 1
          #expect(
            endsWell(result), "\(command) \(option) '\(word.prefix(60))': \(result.status) \(result.err.prefix(300))")
        }
      }
    }
    for command in ["scan", "import", "delete", "export", "periods", "tickers", "verify", ""] {
      // An import takes these directories with all files below them.
      for word in words() where command != "import" || !["/", ".."].contains(word) {
        let result = try workspace.run((command.isEmpty ? [] : [command]) + [word])
        count += 1
        #expect(endsWell(result), "\(command) '\(word.prefix(60))': \(result.status) \(result.err.prefix(300))")
      }
    }
    #expect(count >= (TestSettings.isDebug ? 250 : 1000))
    print("promise 10: command line, part \(part): \(count) nasty arguments, 0 ends by a signal")
  }

  @Test func no_file_ends_the_program_by_a_signal() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    let invalid = "$(printf '\\377\\300\\200')"
    var count = 0
    for line in [
      // Bytes that are no UTF-8, in arguments, paths and files.
      "scan \(invalid)", "scan --where \"high > \(invalid)\"", "scan --store \(invalid)", "import \(invalid)",
      "scan --columns \(invalid)", "import --ticker \(invalid) x", "scan --output \(invalid)/x", "\(invalid)",
      "scan --output \(invalid)", "import \(invalid) --store \(invalid)",
      "import --format csv - < bytes", "import --format json bytes", "import --format ndjson bytes", "import bytes",
      "import --skip-bad-rows bytes bytes bytes",
      // A directory where a file is wanted, and the other way round.
      "import .", "import store", "import store/MANIFEST store/*.columns", "scan --store bytes", "scan --store bytes/x",
      "scan --output .", "scan --output store", "export --output store", "verify --store .", "compact --store bytes",
      "import $PWD/../../ --store bytes", "delete --all --yes --store bytes", "generate --ticker A --store bytes",
      // Devices.
      "import /dev/null", "import - < /dev/null", "scan --output /dev/null", "scan --output /dev/full",
      "scan > /dev/full",
      "scan --count > /dev/full", "scan --stats > /dev/full", "scan --explain > /dev/full", "info > /dev/full",
      "tickers > /dev/full", "periods > /dev/full", "export > /dev/full", "export --output /dev/full",
      "verify > /dev/full", "--help > /dev/full", "--version > /dev/full", "compact > /dev/full",
      "generate --ticker Z --days 3 > /dev/full", "delete Z > /dev/full", "scan --where 'high >' 2> /dev/full",
      "scan --store /dev/null", "import bytes --store /dev/full", "scan --store /dev/full",
      // Closed streams.
      "scan >&-", "scan 2>&-", "scan >&- 2>&-", "import - <&-", "scan <&- >&- 2>&-", "scan --count >&-",
      "import bytes <&- >&- 2>&-", "export --output - >&-", "nothing 2>&-", "--help >&-", "info >&-", "tickers >&-",
      "generate --ticker Z --days 3 >&-", "verify >&-",
    ] {
      let result = try workspace.shell("printf '\\377\\376date,close\\n2005-\\000' > bytes; $quoin \(line)")
      count += 1
      #expect(Self.statuses.contains(result.status), "\(line): \(result.status) \(result.err.prefix(300))")
    }
    // A closed pipe ends the program as the shell's own are ended, without a word.
    for line in ["scan", "export", "--help", "tickers", "scan --format json"] {
      let result = try workspace.shell("{ $quoin \(line); echo $? >&2; } | true")
      let status = result.err.split(separator: "\n").last.flatMap { Int32($0) }
      count += 1
      #expect([0, 128 + SIGPIPE].contains(status), "\(line) into a closed pipe: \(result.err)")
      #expect(result.err.split(separator: "\n").count == 1, "\(line) into a closed pipe: \(result.err)")
    }
    let after = try workspace.run("verify")
    #expect(after.status == 0, "\(after)")
    print("promise 10: command line: \(count) nasty files and streams, 0 ends by a signal")
  }

  @Test func ten_megabytes_on_one_line_are_refused_or_read() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    for (text, arguments) in [
      ("A", "--format csv"), ("9", "--format ndjson"), ("[", "--format json"), ("{\"a\":", ""), ("\"", ""),
      ("date,", ""), ("\0", "--format csv"),
    ] {
      _ = try workspace.write(String(repeating: text, count: (10 << 20) / text.utf8.count), to: "long")
      let result = try workspace.run("import \(workspace.path)/long " + arguments)
      #expect(result.status == 2 && !result.err.isEmpty, "'\(text)' again and again: \(result.status)")
    }
  }
}
