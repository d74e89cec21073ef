import Testing

struct ResampleCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  @Test func bars_are_rows_of_which_all_can_be_asked() throws {
    let bars = try workspace.run("resample FDX --by month --from 2005-08-01 --columns date,open,high,low,close,volume")
    // From the aggregates of the same months.
    let groups = try workspace.run(
      ["scan", "FDX", "--from", "2005-08-01", "--by", "month", "--aggregate"] + [
        "first(open), max(high), min(low), last(close), sum(volume)"
      ])
    #expect(
      bars.lines.count == 4
        && bars.lines.map { $0.split(separator: ",").first } == ["date", "2005-08-31", "2005-09-30", "2005-10-14"])
    for (bar, group) in zip(bars.lines, groups.lines).dropFirst() {
      #expect(bar.split(separator: ",").dropFirst() == group.split(separator: ",").dropFirst(2))
    }
    #expect(try workspace.run("resample --by year --count").out == "23\n")
    #expect(
      try workspace.run(["resample", "KO", "--by", "quarter", "--where", "close > prev(close)", "--columns", "date"])
        .out
        == (try workspace.run([
          "resample", "KO", "--by", "quarter", "--columns", "date", "--where", "change(close) > 0",
        ]).out))
    #expect(
      try workspace.run(["resample", "--by", "year", "--order", "volume desc", "--limit", "1", "--columns", "ticker"])
        .lines.count == 2)
    #expect(try workspace.run("resample KO --by week --stats --columns close").line(1).hasPrefix("close,105,0,"))
    #expect(
      try workspace.run("resample KO --by month --aggregate count --group-by year").out
        == "ticker,year,count\nKO,2016-01-01,10\nKO,2017-01-01,12\nKO,2018-01-01,3\n")
    #expect(try workspace.run("resample FDX --by week --explain").out.contains("rows           "))
    #expect(try workspace.run("resample FDX --by week --from 2006-01-01 --exit-status").status == 1)
  }

  @Test func a_bar_has_the_last_day_of_the_ticker_or_of_the_calendar() throws {
    let command = "resample FDX --by week --order desc --limit 1 --columns date"
    #expect(try workspace.run(command).out == "date\n2005-10-14\n")
    #expect(try workspace.run("\(command) --label last-row").out == "date\n2005-10-14\n")
    #expect(try workspace.run("\(command) --label period-end").out == "date\n2005-10-16\n")
    #expect(
      try workspace.run("resample FDX --by half-year --label period-end --columns date --limit 2").out
        == "date\n2001-06-30\n2001-12-31\n")
  }

  @Test(arguments: [
    (
      "resample FDX --by weak", 64,
      "--by: 'weak' isn't one of week, month, quarter, half-year, year; did you mean 'week'?"
    ),
    ("resample FDX --by day", 64, "--by: 'day' isn't one of week, "),
    ("resample FDX --by week --label last", 64, "--label: 'last' isn't one of last-row, period-end"),
    ("resample FDX", 64, "Missing expected argument '--by <period> ...'"),
    ("resample FDX --by week --group-by month", 64, "--group-by needs --aggregate, such as 'mean(close)'"),
    ("resample FXD --by week", 2, "'./quoin-store' has no quotes of FXD; did you mean FDX?"),
    ("scan FXD --as-of 2005-01-03", 2, "'./quoin-store' has no quotes of FXD; did you mean FDX?"),
    ("scan FDX --as-of yesterday", 64, "--as-of: 'yesterday' isn't a date; "),
  ])
  func what_cannot_be_asked_is_said_in_a_sentence(_ command: String, _ status: Int32, _ sentence: String) throws {
    try workspace.expectRefusal(of: command, status, sentence)
  }

  @Test func as_of_a_day_there_are_no_later_rows_and_adjusted_values_are_of_that_day() throws {
    let columns = "--columns date,close,adj_close"
    let whole = try workspace.run("scan AAPL --to 2016-10-12 \(columns)").lines
    let then = try workspace.run("scan AAPL --as-of 2016-10-12 \(columns)").lines
    #expect(then.count == whole.count && then.last == "2016-10-12,196.2,196.2" && whole.last != then.last)
    // As a store without the later rows adjusts them.
    _ = try workspace.shell(
      "$quoin export AAPL --to 2016-10-12 --output early.csv && $quoin import early.csv --store early")
    #expect(try workspace.run("adjust AAPL --replace --store early").status == 0)
    #expect(try workspace.run("scan AAPL --store early").out == (try workspace.run("scan AAPL --as-of 2016-10-12").out))
    #expect(try workspace.run("scan AAPL --as-of 2001-01-01 --columns date").out == "date\n")
    #expect(try workspace.run("scan --as-of 2001-01-10 --count").out == "4\n")
    let bars = try workspace.run("resample AAPL --as-of 2016-10-12 --by month --order desc --limit 1 \(columns)")
    #expect(bars.out == "date,close,adj_close\n2016-10-12,196.2,196.2\n")
    let error =
      "quoin: the quotes are those as of 2016-10-12, and 'next' looks ahead from each of them; use 'prev', which looks back\n"
    for question in [
      ["--where", "next(close) > close"], ["--columns", "date, mean(next(close), 3) as m"],
      ["--order", "next(close) desc"],
      ["--let", "r = next(close) / close", "--where", "r > 1"], ["--aggregate", "mean(next(close))"],
      ["--aggregate", "count", "--by", "month", "--having", "max(next(close)) > 1"],
      ["--aggregate", "share(prev(next(close)) > 1)", "--by", "year"], ["--where", "rank(next(close) by day) > 1"],
      ["--where", "change(close) > next(close) of KO"], ["--top", "1 by next(close) per day"],
    ] {
      let result = try workspace.run(["scan", "AAPL", "--as-of", "2016-10-12"] + question)
      #expect(result.err == error && result.status == 2 && result.out.isEmpty, "\(question)")
    }
  }

  @Test func other_tickers_are_in_the_view_too() throws {
    let columns = "date, close, close of KO as ko, rank(close by day) as r"
    func ask(_ command: String) throws -> ChildProcess.Result {
      try workspace.run(
        command.split(separator: " ").map(String.init) + ["--order", "desc", "--limit", "1", "--columns", columns])
    }
    #expect(try ask("scan AAPL --as-of 2018-03-27").out == (try ask("scan AAPL").out))
    #expect(try ask("resample AAPL --by week").out == (try ask("scan AAPL").out))
    #expect(try ask("scan AAPL KO --as-of 2017-01-03").lines[1].hasPrefix("2017-01-03,"))
    // FDX has rows of other years alone, and XYZ none.
    #expect(
      try workspace.run(["scan", "FDX", "--as-of", "2001-02-01", "--where", "close > close of KO"]).err
        == "quoin: there are no quotes of KO\n")
    #expect(
      try workspace.run(["resample", "FDX", "--by", "week", "--where", "close > close of KP"]).err.hasSuffix(
        "did you mean KO?\n"))
  }

  /// The last one counted, and nobody was told.
  @Test func bars_have_one_length() throws {
    let result = try workspace.run(["resample", "KO", "--by", "week", "--aggregate", "count", "--by", "month"])
    #expect(
      result.err.contains("--by week and --by month: bars have one length; the keys of groups follow --group-by"))
    #expect(result.status == 64 && result.out.isEmpty)
  }
}
