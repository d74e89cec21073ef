import Testing

/// What holds for every command.
struct ProgramTests {
  /// All but `fetch`, `serve` and `sql`, which are programs of their own.
  private static let commands = [
    "import", "scan", "resample", "join", "chart", "tickers", "info", "periods", "describe", "export", "delete",
    "generate", "verify", "repair", "backup", "push", "pull", "compact", "snapshot", "undo", "restore", "diff",
    "rename",
    "merge",
    "shard", "adjust", "check",
  ]

  @Test func the_list_has_every_command() throws {
    let names = (Self.commands + ["fetch", "serve", "sql", "help"]).joined(separator: ", ")
    #expect(try Workspace().run("xyzzy").err == "quoin: there is no command 'xyzzy'; there are \(names)\n")
  }

  /// Commands of which each has a page of help, with an example and its options.
  private static let pages =
    commands.filter { $0 != "snapshot" } + ["create", "list", "delete", "recent"].map { "snapshot \($0)" }

  @Test(arguments: pages)
  func help_has_an_example_and_the_store(command: String) throws {
    let workspace = try Workspace()
    let result = try workspace.run("\(command) --help")
    #expect(result.status == 0 && result.err.isEmpty, "\(command)")
    #expect(result.out.contains("Example"))
    #expect(result.out.contains("  quoin \(command)"))
    // What can be asked is the same of all stores.
    #expect(result.out.contains("--store <dir>") == (command != "describe"))
    #expect(try workspace.run("help \(command)").out == result.out)
  }

  @Test(arguments: [
    "scan", "resample --by week", "join A B", "chart A", "tickers", "info", "periods", "export", "delete --all --yes",
    "verify",
    "repair --into new", "backup new", "push new", "push s3://bucket/market", "compact", "snapshot create a",
    "snapshot list", "snapshot delete a",
    "snapshot recent 2",
    "undo", "restore a", "diff a",
    "rename A B", "adjust", "check",
  ])
  func a_store_that_is_not_there_is_an_error_and_stays_so(command: String) throws {
    let workspace = try Workspace()
    let result = try workspace.run(command)
    #expect(result.status == 2 && result.out.isEmpty)
    #expect(result.err.hasPrefix("quoin: there is no store at '\(workspace.store)'; "))
    #expect(try workspace.shell("ls").out.isEmpty)
  }

  @Test func the_store_is_that_of_the_option_or_the_environment_or_here() throws {
    let workspace = try Workspace()
    #expect(try workspace.run("generate --store \(workspace.path)/a").status == 0)
    #expect(try workspace.run("generate").status == 0)
    #expect(try workspace.shell("QUOIN_STORE= $quoin generate && ls").out.hasSuffix("\na\nquoin-store\nstore\n"))
  }

  @Test func a_command_that_is_not_there_is_wrong_usage() throws {
    let workspace = try Workspace()
    let result = try workspace.run("scna")
    #expect(result.status == 64)
    #expect(result.err == "quoin: there is no command 'scna'; did you mean 'scan'?\n")
    #expect(try workspace.run("xyzzy").err.contains("there are import, scan, "))
    let option = try workspace.run("scan --clumns date")
    #expect(
      option.status == 64 && option.err.hasPrefix("quoin: Unknown option '--clumns'. Did you mean '--columns'?\n"))
    // A guess that is far from what was written says nothing.
    for name in ["jsn", "sav", "su", "put", "jzon", "csw"] {
      let far = try workspace.run("scan --\(name) x")
      #expect(far.status == 64 && far.err.hasPrefix("quoin: Unknown option '--\(name)'\n"), "\(far.err)")
    }
  }

  @Test(arguments: [
    ("scan --json", "there is no option '--json'; Quoin calls it --format json\n"),
    ("tickers --csv", "there is no option '--csv'; Quoin calls it --format csv\n"),
    ("scan --out x.csv", "there is no option '--out'; Quoin calls it --output\n"),
    ("export -o x.csv", "there is no option '-o'; Quoin calls it --output\n"),
    ("scan --date 2001-01-05", "there is no option '--date'; Quoin calls it --from and --to\n"),
    ("scan --adj", "there is no option '--adj'; Quoin calls it --columns 'date, adj_close'\n"),
    ("scan --sum volume", "there is no option '--sum'; Quoin calls it --aggregate 'sum(volume)'\n"),
    ("scan --ticker FDX", "there is no option '--ticker'; tickers stand without one, as in 'quoin scan FDX KO'\n"),
    ("scan -n 5", "there is no option '-n'; Quoin calls it --limit\n"),
    ("verify --db store", "there is no option '--db'; Quoin calls it --store\n"),
    // A command that has no such option has none to name.
    ("verify --json", "Unknown option '--json'\n"), ("describe --symbols", "Unknown option '--symbols'\n"),
    ("snapshot list --json", "there is no option '--json'; Quoin calls it --format json\n"),
    ("check --jump -0.5", "'--jump' takes no number below zero, such as -0.5\n"),
    ("scan --limit -1", "'--limit' takes no number below zero, such as -1\n"),
    ("check --jump -5", "'--jump' takes no number below zero, such as -5\n"),
    ("load", "there is no command 'load'; Quoin calls it 'import'\n"),
    ("ls", "there is no command 'ls'; Quoin calls it 'tickers'\n"),
    ("SELECT", "there is no command 'SELECT'; Quoin calls it 'scan'\n"),
    ("version", "there is no command 'version'; Quoin calls it '--version'\n"),
    ("help nope", "there is no command 'nope'; there are import, "),
    ("help scna", "there is no command 'scna'; did you mean 'scan'?\n"),
    (
      "scan --where high",
      "expected a comparison after 'high', found the end; to a shell > is a file, so a condition "
        + "stands in quotes: 'high > 80'\n"
    ),
    ("scan --where high>", "expected an attribute or a value, found the end\n"),
  ])
  func what_others_call_an_option_or_a_command_leads_to_it(command: String, sentence: String) throws {
    let workspace = try Workspace()
    _ = try workspace.run("generate --ticker KO --days 5")
    let result = try workspace.run(command)
    #expect(result.status == 64 && result.err.hasPrefix("quoin: \(sentence)"), "\(result.err)")
  }

  @Test(arguments: ["serve", "fetch", "sql"])
  func a_command_that_is_not_built_says_what_to_build(command: String) throws {
    let workspace = try Workspace()
    // A copy of quoin has no programs next to it, and these are not on the path.
    let result = try workspace.shell("mkdir bin && cp $quoin bin/quoin && PATH=/nowhere ./bin/quoin \(command) --help")
    #expect(result.status == 2 && result.out.isEmpty)
    let folder = try workspace.shell("cd bin && pwd -P").lines[0]
    #expect(
      result.err == "quoin: 'quoin \(command)' needs the program quoin-\(command), which is neither next to quoin in "
        + "'\(folder)' nor on the search path; build it with 'swift build -c release --product quoin-\(command)', "
        + "or install it with 'make install'\n")
  }

  @Test func an_error_names_the_option_that_helps() throws {
    let workspace = try Workspace()
    let missing = try workspace.run("scan")
    #expect(
      missing.err == "quoin: there is no store at '\(workspace.store)'; import quotes into it first, or name another "
        + "with --store\n")
    let nameless = try workspace.run(["import", "-"], stdin: "date,close\n2005-10-14,1\n")
    #expect(nameless.err.hasSuffix("does not say whose quotes it holds; name the ticker: --ticker FDX\n"))
  }

  @Test func help_and_version_and_completions_are_no_errors() throws {
    let workspace = try Workspace()
    #expect(try workspace.run("--version").out.split(separator: ".").count == 3)
    #expect(try workspace.run("").out.contains("SUBCOMMANDS:"))
    for shell in ["bash", "zsh", "fish"] {
      let result = try workspace.run("--generate-completion-script \(shell)")
      #expect(result.status == 0 && result.out.contains("quoin"))
    }
  }

  @Test func a_reader_that_has_enough_ends_the_program_silently() throws {
    let workspace = try Workspace()
    _ = try workspace.run("generate --tickers 2 --rows 8000")
    let result = try workspace.shell("$quoin scan | head -n 1")
    #expect(result.status == 0 && result.err.isEmpty && result.lines.count == 1)
  }

  @Test func output_that_nobody_takes_is_an_error() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    let closed = try workspace.shell("$quoin scan >&-")
    #expect(closed.status == 2)
    #expect(closed.err == "quoin: cannot write standard output: Bad file descriptor\n")
    #if os(Linux)
      let full = try workspace.shell("$quoin scan FDX > /dev/full")
      #expect(full.status == 2)
      #expect(full.err == "quoin: cannot write standard output: No space left on device\n")
    #endif
  }

  @Test func an_output_file_takes_its_place_when_it_is_whole() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    let file = try workspace.write("before", to: "out.csv")
    #expect(try workspace.run("scan FDXX --output \(file)").status == 2)
    #expect(try workspace.text(of: "out.csv") == "before")
    #expect(try workspace.run("scan FDX --columns date --limit 1 --output \(file)").out.isEmpty)
    #expect(try workspace.text(of: "out.csv") == "date\n2001-01-05\n")
    #expect(try workspace.run("scan --count --output \(workspace.path)/no/out.csv").status == 2)
    #expect(try workspace.shell("ls").out == "out.csv\nstore\n")
  }

  @Test func an_output_file_says_the_format_and_a_device_stays_one() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    #expect(try workspace.run("scan FDX --columns date --limit 1 --output \(workspace.path)/o.ndjson").status == 0)
    #expect(try workspace.text(of: "o.ndjson") == "{\"date\":\"2001-01-05\"}\n")
    #expect(try workspace.run("export --output /dev/null").status == 0)
    #expect(try workspace.shell("test -c /dev/null").status == 0)
  }

  @Test func a_link_to_an_output_file_stays_a_link() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    #expect(
      try workspace.shell("echo x > real.csv; ln -s real.csv link.csv; $quoin scan --count --output link.csv").status
        == 0)
    #expect(try workspace.shell("test -L link.csv").status == 0)
    #expect(try workspace.text(of: "real.csv") == "1200\n")
  }

  @Test func an_interrupted_program_leaves_no_half_file() throws {
    let workspace = try Workspace()
    let process = try workspace.start([
      "generate", "--csv", "--tickers", "300", "--rows", "1500000", "--output", "\(workspace.path)/big.csv",
    ])
    while try workspace.shell("ls | grep -q big.csv").status != 0 {}
    process.send(signal: 2)
    #expect(process.finish().status == 130)
    #expect(try workspace.shell("ls").out.isEmpty)
  }
}
