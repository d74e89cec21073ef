import Testing

struct CheckCommandTests {
  private static let header = "ticker,date,open,high,low,close,volume,ex-dividend,split_ratio\n"

  /// Ten days of three tickers, of which B breaks some rules.
  private static let quotes =
    header
    + ["A", "B", "C"].flatMap { ticker in
      (1...10).compactMap { day -> String? in
        let date = "2018-01-\(day < 10 ? "0" : "")\(day)"
        switch (ticker, day) {
        case ("B", 3): return "B,\(date),10,10.5,11,10.25,900,0,1\n"
        case ("B", 5): return nil
        case ("B", 7...): return "B,\(date),20,20.5,19.5,20.25,\(day)00,0,1\n"
        default: return "\(ticker),\(date),10,10.5,9.5,10.25,\(day)00,0,1\n"
        }
      }
    }.joined()

  private static let findings = """
    ticker,date,rule,values
    B,2018-01-03,low-above-high,low=11.0 high=10.5
    B,2018-01-05,missing-day,traded=2 listed=3
    B,2018-01-07,jump,close_before=10.25 close=20.25 change_percent=97.6

    """

  let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    let file = try workspace.write(Self.quotes, to: "quotes.csv")
    #expect(try workspace.run(["import", file]).status == 0)
  }

  @Test func findings_are_listed_and_counted() throws {
    let all = try workspace.run("check --rule \(Self.rules)")
    #expect(all.status == 1 && all.out == Self.findings)
    #expect(all.err == "quoin: 3 findings of 1 ticker in 29 rows: 1 low-above-high, 1 jump, 1 missing-day\n")
    let json = try workspace.run("check B --rule jump --format json")
    #expect(
      json.out == "[\n"
        + #"{"ticker":"B","date":"2018-01-07","rule":"jump","values":"close_before=10.25 close=20.25 change_percent=97.6"}"#
        + "\n]\n")
    let limited = try workspace.run("check --rule \(Self.rules) --limit 1")
    #expect(limited.status == 1 && limited.lines.count == 2 && Self.findings.hasPrefix(limited.out))
    #expect(limited.err == all.err)
    #expect(
      try workspace.run("check --rule jump --format table").line(2).hasPrefix(
        "B       2018-01-07  jump  close_before=10.25"))
    #expect(try workspace.run("check --rule \(Self.rules) --output list.csv").out.isEmpty)
    #expect(try workspace.shell("cat list.csv").out == Self.findings)
  }

  /// All but equal histories, which A and C have.
  private static let rules =
    "low-above-high,outside-range,zero-price,zero-volume,jump,adjusted --rule future-day,missing-day"

  @Test func no_findings_are_success() throws {
    for options in ["--rule adjusted", "--rule jump --jump 110", "A --rule jump", "--rule jump --from 2018-01-08"] {
      let result = try workspace.run("check \(options)")
      #expect(result.status == 0 && result.out == "ticker,date,rule,values\n", "\(options)")
      #expect(result.err == "quoin: no findings in \(options.hasPrefix("A") ? 10 : 29) rows\n", "\(options)")
    }
    let twins = try workspace.run("check")
    #expect(twins.lines.contains("A,2018-01-10,equal-history,twin=C"))
    #expect(
      try workspace.run("check --from 2018-01-07 --to 2018-01-07").lines == [
        "ticker,date,rule,values",
        "B,2018-01-07,jump,close_before=10.25 close=20.25 change_percent=97.6",
      ])
  }

  @Test func what_makes_no_sense_is_refused_with_a_hint() throws {
    for (options, status, sentence) in [
      ("--rule jmup", 64, "there is no rule 'jmup'; did you mean 'jump'?"),
      ("--rule jump,", 64, "there is no rule ''; there are low-above-high, outside-range, zero-price,"),
      ("--jump 0", 64, "--jump 0.0: must be above 0"), ("--jump nan", 64, "must be above 0"),
      ("--limit=-1", 64, "--limit -1: must be at least 0"),
      ("--from 2018-02-01 --to 2018-01-01", 64, "--from: 2018-02-01 is later than --to 2018-01-01"),
      ("XYZZY", 2, "'\(workspace.store)' has no quotes of XYZZY; 'quoin tickers' lists what it has"),
      ("--at yesterday", 2, "keeps no snapshot 'yesterday'"),
    ] {
      let result = try workspace.run("check \(options)")
      #expect(
        result.status == status && result.out.isEmpty && result.err.contains(sentence), "\(options): \(result.err)")
    }
  }

  @Test func a_snapshot_is_checked_as_it_was() throws {
    #expect(try workspace.run("snapshot create before").status == 0)
    let before = try workspace.run("check")
    #expect(try workspace.run("delete B").status == 0)
    #expect(try workspace.run("check").lines.count == 3)
    #expect(try workspace.run("check --at before").out == before.out)
  }

  @Test func the_help_has_every_rule() throws {
    let help = try workspace.run("check --help").out
    for rule in Self.rules.split(whereSeparator: { ", ".contains($0) }) where rule != "--rule" {
      #expect(help.contains("\n  \(rule) "))
    }
    for rule in ["lone-day", "repeated-row", "equal-history", "split", "dividend", "gap", "weekend", "stale-adjusted"] {
      #expect(help.contains("\n  \(rule) "))
    }
    // Each in one line, also on a narrow terminal.
    let list = help.split(separator: "\n\n").first { $0.hasPrefix("Rules") } ?? ""
    #expect(list.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("  ") && $0.count < 80 }, "\(list)")
  }
}
