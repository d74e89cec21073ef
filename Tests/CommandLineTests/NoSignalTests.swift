import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whatever the arguments, the files and the streams: the program ends with an exit status of its own.
@Suite struct NoSignalTests {
  /// What a command is given besides an option, so that it gets to it.
  private static let arguments: [String: String] = [
    "import": "", "scan": "", "resample": "--by week", "join": "FDX KO", "chart": "FDX --format text", "tickers": "",
    "info": "", "periods": "", "describe": "", "export": "", "verify": "", "repair": "", "backup": "copy",
    "push": "copy", "pull": "other --into new", "compact": "", "snapshot create": "A", "snapshot list": "",
    "snapshot delete": "A", "snapshot recent": "3", "undo": "", "restore": "A", "diff": "1", "rename": "FDX B",
    "merge": "other", "shard": "--output market", "adjust": "FDX", "check": "", "delete": "FDX", "generate": "",
  ]

  /// Options that are read further beside others.
  private static let together: [(command: [String], options: [String])] = [
    (["resample", "--by", "month", "--aggregate", "count"], ["--group-by"]), (["resample"], ["--by"]),
    (["join", "FDX", "KO", "--kind", "as-of"], ["--tolerance"]), (["scan", "--aggregate", "max(high)"], ["--by"]),
    (["chart", "FDX", "--log"], ["--of", "--output"]), (["chart", "FDX", "--kind", "scatter"], ["--against"]),
    (["generate", "--csv", "--output", "/dev/null"], ["--tickers", "--rows", "--days", "--output"]),
    (["generate", "--ticker", "G"], ["--days", "--seed", "--wait", "--ticker", "--pack"]),
  ]

  /// The options of each command that take a value, as the program describes itself, and what it is given besides.
  private static func options(_ workspace: Workspace) throws -> [(command: [String], options: [String])] {
    struct Tool: Decodable { let command: Command }
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?
      let arguments: [Argument]?
    }
    struct Argument: Decodable {
      let kind: String
      let names: [Name]?
    }
    struct Name: Decodable {
      let kind: String
      let name: String
    }
    func all(_ command: Command, _ path: [String]) -> [(command: [String], options: [String])] {
      let options = (command.arguments ?? []).filter { $0.kind == "option" }
        .compactMap { argument in argument.names?.first { $0.kind == "long" }.map { "--" + $0.name } }
      return [(path, options)] + (command.subcommands ?? []).flatMap { all($0, path + [$0.commandName]) }
    }
    let text = try workspace.run("--experimental-dump-help").out
    let commands = all(try JSONDecoder().decode(Tool.self, from: Data(text.utf8)).command, [])
    return try commands.filter { !$0.options.isEmpty }.map { path, options in
      let name = path.joined(separator: " ")
      let others = try #require(Self.arguments[name], "say what '\(name)' is given").split(separator: " ")
      return (path + others.map(String.init), options)
    }
  }

  private static let statuses: Set<Int32> = [0, 1, 2, 3, 64]

  /// - Returns: whether the program ended by itself, with a sentence where it failed.
  private func endsWell(_ result: ChildProcess.Result) -> Bool {
    Self.statuses.contains(result.status) && (result.status < 2 || !result.err.isEmpty)
  }

  /// In two parts, so that two processors have work.
  @Test(arguments: 0..<2)
  func no_argument_ends_the_program_by_a_signal(part: Int) throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    #expect(try workspace.shell("cp -r store before && cp -r store other").status == 0)
    var count = 0
    // A program can't be given a longer argument than 128 KiB.
    let longOnes = [String(repeating: "(", count: 100_000), String(repeating: "A", count: 120_000)]
    let all = NastyTexts.words + NastyTexts.deep + longOnes
    // Each option is given every eighth word, or in debug every sixtieth, and the next one others.
    let step = TestSettings.isLong ? 1 : TestSettings.isDebug ? 60 : 8
    var turn = 0
    func words() -> [String] {
      turn += 1
      return all.indices.filter { $0 % 2 == part && ($0 / 2 + turn) % step == 0 }.map { all[$0] }
    }
    func restore() throws {
      #expect(try workspace.shell("rm -rf store new market copy && cp -r before store").status == 0)
    }
    for (command, options) in try Self.options(workspace) + Self.together {
      for option in options {
        try restore()
        for word in words() {
          let result = try workspace.run(command + ["\(option)=\(word)"])
          count += 1
          #expect(
            endsWell(result), "\(command) \(option) '\(word.prefix(60))': \(result.status) \(result.err.prefix(300))")
        }
      }
    }
    for command in Self.arguments.keys.sorted() + [""] {
      try restore()
      // An import takes these directories with all files below them.
      for word in words() where command != "import" || !["/", ".."].contains(word) {
        let result = try workspace.run(command.split(separator: " ").map(String.init) + [word])
        count += 1
        #expect(endsWell(result), "\(command) '\(word.prefix(60))': \(result.status) \(result.err.prefix(300))")
      }
    }
    #expect(count >= (TestSettings.isDebug ? 130 : 1000))
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
