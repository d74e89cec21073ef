import Quoin
import Testing

struct ScanCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  private static let lastDay = ["scan", "FDX", "--from", "2005-10-14"]

  @Test func the_help_names_every_function() throws {
    let help = try workspace.run("scan --help").out
    let words = Set(help.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    #expect(LanguageWords.functions.count > 60)
    for name in LanguageWords.functions { #expect(words.contains(name), "\(name)") }
  }

  @Test(arguments: ["-close", "- close", "--close", "close^2", "close>open", "close of 'A(B'", "-volume"])
  func a_column_is_what_it_says(_ text: String) throws {
    let result = try workspace.run(Self.lastDay + ["--columns", text, "--format", "csv"])
    let named = try workspace.run(Self.lastDay + ["--columns=(\(text)) as x", "--format", "csv"])
    // There is no such ticker: in both places.
    #expect(result.status == named.status)
    #expect(result.lines.dropFirst().first == named.lines.dropFirst().first, "\(result.out)")
    if result.status == 0 { #expect(result.lines.first.map(String.init) == text) }
  }

  @Test func lists_may_begin_with_a_minus() throws {
    let result = try workspace.run(
      Self.lastDay + ["--aggregate", "-max(close) as x", "--having", "-x > 0", "--order", "-x"])
    #expect(result.lines == ["x", "-87.6"] || result.status == 0, "\(result)")
  }

  /// A ticker of five blocks, whose closes rise by 1 a day.
  @Test func explain_shows_what_became_of_each_block() throws {
    let workspace = try Workspace()
    var lines = ["ticker,date,close"]
    for ticker in ["A", "BCD"] {
      var day: TradingDay = "2000-01-03"
      for row in 0..<5000 {
        lines.append("\(ticker),\(day),\(row)")
        day = day.advanced(by: 1) ?? day
      }
    }
    _ = try workspace.write(lines.joined(separator: "\n") + "\n", to: "rising.csv")
    #expect(try workspace.run("import rising.csv").status == 0)
    func picture(_ arguments: [String]) throws -> [String] {
      let all = try workspace.run(["scan"] + arguments + ["--explain"]).lines
      return all.drop { !$0.hasPrefix("blocks of each ticker") }.map(String.init)
    }
    let legend =
      "blocks of each ticker by date: · ruled out, ░ without a row that matches, ▁ to █ with few or only such rows"
    #expect(try picture(["--where", "close between 1500 and 2100"]) == [legend, "A    ·▅▁··", "BCD  ·▅▁··"])
    #expect(try picture(["A", "--where", "close > 1023 and not ticker = 'BCD'"]) == [legend, "A  ·████"])
    #expect(try picture(["A", "--where", "close = 3000.5"]) == [legend, "A  ··░··"])
    #expect(try picture(["--limit", "1"]) == [legend + ", - not reached", "A    █----", "BCD  -----"])
    #expect(try picture(["--where", "close < 0"]).isEmpty)
  }

  @Test func tables_have_digits_thousands_and_sparklines() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    func scan(_ arguments: [String]) throws -> ChildProcess.Result { try workspace.run(["scan", "FDX"] + arguments) }
    let columns = ["--columns", "date, close, volume, mean(close, 3) as m", "--from", "2005-10-13"]
    let table = try scan(columns + ["--format", "table", "--digits", "1", "--thousands"])
    #expect(table.lines.last == "2005-10-14   87.6  1,373,400  85.9", "\(table.out)")
    let grouped = try scan([
      "--aggregate", "sum(volume), mean(close)", "--format", "table", "--digits", "2", "--thousands",
    ])
    #expect(grouped.lines.last == "1,371,295,800        64.13")
    let spark = try scan(["--latest", "--columns", "date", "--spark", "close", "--format", "csv"])
    #expect(spark.lines == ["date,\"close, 20 rows\"", "2005-10-14,▁▂▂▂▁▁▂▂▄▅▆▅▄▄▄▆▆▆▇█"])
    // Before there are twenty rows, what is missing is left free.
    let first = try scan(["--columns", "date", "--spark", "change(close)", "--limit", "3", "--format", "csv"])
    #expect(first.lines.map(\.count) == [29, 11, 31, 31], "\(first.lines)")
    for (arguments, sentence) in [
      (["--digits", "2"], "--digits and --thousands only apply to tables, and this is csv: add --format table"),
      (["--digits", "16", "--format", "table"], "--digits 16: must be from 0 to 15"),
      (["--spark", "date"], "'date' isn't a number, and --spark draws numbers"),
      (["--spark", "close", "--count"], "--spark applies to rows"),
    ] {
      let result = try scan(arguments)
      #expect(result.status == 64 && result.err.contains(sentence), "\(result.err)")
    }
  }

  @Test func rows_come_as_wiki_csv_in_a_pipe() throws {
    let result = try workspace.run(Self.lastDay)
    #expect(
      result.out == """
        ticker,date,open,high,low,close,volume,ex-dividend,split_ratio,adj_open,adj_high,adj_low,adj_close,adj_volume
        FDX,2005-10-14,86.9,87.7,85.96,87.6,1373400,0.0,1.0,80.950577512303,81.695807224729,80.074932600202,\
        81.602653510676,1373400

        """)
    #expect(result.status == 0 && result.err.isEmpty)
  }

  @Test(arguments: [
    ("csv", "date,high\n2005-10-14,87.7\n"),
    ("tsv", "date\thigh\n2005-10-14\t87.7\n"),
    ("json", "[\n{\"date\":\"2005-10-14\",\"high\":87.7}\n]\n"),
    ("ndjson", "{\"date\":\"2005-10-14\",\"high\":87.7}\n"),
    ("markdown", "| date | high |\n| --- | ---: |\n| 2005-10-14 | 87.7 |\n"),
    ("table", "date        high\n----------  ----\n2005-10-14  87.7\n"),
  ])
  func each_format_has_the_chosen_columns(format: String, text: String) throws {
    let result = try workspace.run(Self.lastDay + ["--columns", "date,HIGH", "--format", format])
    #expect(result.out == text)
  }

  @Test func conditions_and_days_are_joined_by_and() throws {
    let result = try workspace.run([
      "scan", "FDX", "--where", "80 < high < 83", "--where", "78 < low < 82", "--from", "2003-09-15", "--to",
      "2003-09-29", "--columns", "date,high,low",
    ])
    #expect(result.out == "date,high,low\n2003-09-15,80.73,79.19\n2003-09-29,80.76,78.49\n")
  }

  @Test func order_and_limit_choose_the_newest_rows() throws {
    let result = try workspace.run("scan FDX --order desc --limit 2 --columns date")
    #expect(result.out == "date\n2005-10-14\n2005-10-13\n")
  }

  @Test func tickers_come_in_the_order_given() throws {
    let result = try workspace.run("scan MSFT brk_a --to 2016-03-29 --columns ticker")
    #expect(result.out == "ticker\nMSFT\nBRK_A\n")
  }

  @Test func a_ticker_that_is_spelled_otherwise_is_another_one() throws {
    let result = try workspace.run("scan MSFT brk.a --columns ticker")
    #expect(result.status == 2 && result.out.isEmpty)
    #expect(result.err == "quoin: '\(workspace.store)' has no quotes of BRK.A; did you mean BRK_A?\n")
  }

  @Test func count_is_a_number_alone() throws {
    #expect(try workspace.run("scan --count").out == "4224\n")
    #expect(try workspace.run(["scan", "--where", "-1 > high", "--count"]).out == "0\n")
  }

  @Test func stats_have_a_row_for_each_column() throws {
    let result = try workspace.run("scan FDX --from 2005-10-13 --stats --columns close,volume,date")
    #expect(
      result.out == """
        column,count,missing,min,max,sum,mean
        close,2,0,85.77,87.6,173.37,86.685
        volume,2,0,1373400,1903400,3276800,1638400.0

        """)
  }

  @Test func stats_of_no_rows_are_missing() throws {
    let result = try workspace.run("scan FDX --from 2006-01-01 --stats --columns close --format json")
    #expect(
      result.out == """
        [
        {"column":"close","count":0,"missing":0,"min":null,"max":null,"sum":null,"mean":null}
        ]

        """)
  }

  @Test func explain_tells_what_was_ruled_out() throws {
    let result = try workspace.run(["scan", "--where", "80 < high < 83", "--explain"])
    #expect(result.line(0) == "condition      80 < high < 83")
    #expect(result.out.contains("\ntickers        7\n"))
    #expect(result.out.contains("by their statistics\n"))
  }

  @Test func explain_tells_each_step() throws {
    let condition = "next(close) > close and rank(volume by day) > 2 and high > 80"
    let steps = try workspace.run(["scan", "--where", condition, "--explain"]).out.split(separator: "\n").map(
      String.init
    )
    .filter { $0.hasPrefix("  finds first") || $0.hasPrefix("  step ") }
    #expect(steps.count == 4 && steps[0] == "  finds first  rank(volume by day)", "\(steps)")
    // What is stored is compared before anything is computed.
    #expect(steps.dropFirst().first?.hasPrefix("  step 1       high > 80, ") == true, "\(steps)")
    #expect(steps.contains { $0.contains("close < next(close), computed in float64, looks ahead 1 row") }, "\(steps)")
    let window = try workspace.run(["scan", "--where", "close > mean(prev(close), 20)", "--explain"]).out
    #expect(window.contains("computed from 20 rows before, 8 blocks decided in float32"), "\(window)")
    // Columns and what is found first look ahead too.
    let columns = "close, next(close, 5) / close - 1 as later, prev(close) as old, rank(next(close) by day) as r"
    let ahead = try workspace.run(["scan", "--columns", columns, "--explain"]).out
    #expect(
      ahead.contains("\n  column       later, looks ahead 5 rows\n  column       r, looks ahead 1 row\n"), "\(ahead)")
    #expect(ahead.contains("\n  finds first  rank(next(close) by day), looks ahead 1 row\n") && !ahead.contains("old"))
  }

  /// A market of one ticker is told, and so is the form for all.
  /// What is told of a question beside its answer is found out once for each name, however often the names repeat each other.
  @Test(.timeLimit(.minutes(1))) func ranges_whose_names_double_are_answered_at_once() throws {
    let names = ["x0 = close > 1"] + (1...60).map { "x\($0) = x\($0 - 1) and not x\($0 - 1) or x\($0 - 1)" }
    let definitions = names.flatMap { ["--let", $0] }
    #expect(try workspace.run(["scan", "FDX", "--where", "x60", "--count"] + definitions).out == "1200\n")
  }

  /// A ticker that no quotes have is no error in a condition, and no answer either.
  @Test(arguments: [
    ("ticker = 'PEPS'", "there are no quotes of 'PEPS', which a condition names"),
    ("volume > 0 and not (ticker in ('KO', 'brk.a'))", "'BRK.A', which a condition names; did you mean BRK_A?"),
    ("ticker = 'F%'", "a pattern is a condition: ticker like 'F%'"),
  ]) func a_ticker_that_a_condition_names_in_vain_is_told(condition: String, note: String) throws {
    let output = try workspace.run(["scan", "--where", condition, "--count"])
    #expect(output.status == 0 && output.err.contains("note: ") && output.err.contains(note), "\(output.err)")
    #expect(try workspace.run(["scan", "--where", "ticker = 'KO'", "--count"]).err.isEmpty)
  }

  @Test func the_first_rows_of_a_ticker_compare_no_tickers() throws {
    for keys in ["ticker", "month", "year, month"] {
      #expect(try workspace.run(["scan", "KO", "--top", "1 by close per \(keys)", "--columns", "date"]).err.isEmpty)
    }
  }

  /// As other ways of asking have them.
  @Test func tickers_may_have_commas_between_them() throws {
    let spaces = try workspace.run(["scan", "KO", "FDX", "--columns", "ticker,date"])
    #expect(
      try workspace.run(["scan", "KO,FDX", "--columns", "ticker,date"]).out == spaces.out && spaces.lines.count > 1000)
    #expect(try workspace.run(["scan", "KO,"]).err == "quoin: the ticker is empty; write a symbol such as FDX\n")
    #expect(
      try workspace.run(["scan", "KO", "close > 40"]).err
        == "quoin: 'close > 40' isn't a ticker; a condition follows --where\n")
    #expect(
      try workspace.run(["scan", "KO", "where", "high", "80"]).err.contains(
        "no quotes of WHERE; a condition follows --where and stands in quotes: --where 'high > 80'"))
    #expect(
      try workspace.run(["scan", "KO", "limit", "5"]).err.contains(
        "no quotes of LIMIT; --limit is an option of 'quoin scan'"))
    #expect(try workspace.run(["scan", "KO", "tickers"]).err.contains("no quotes of TICKERS; 'quoin tickers' lists"))
    // A ticker may have the sign of a condition.
    #expect(try workspace.run(["scan", "CL=F"]).err.contains("no quotes of CL=F; 'quoin tickers' lists"))
    for condition in ["close=40", "close>open", "close="] {
      #expect(try workspace.run(["scan", condition]).err.contains("; a condition follows --where"), "\(condition)")
    }
  }

  @Test func every_command_reads_tickers_alike() throws {
    for command in ["scan", "export", "check", "adjust", "delete"] {
      #expect(try workspace.run([command, "KO,FDX,NONE"]).err.contains("no quotes of NONE"), "\(command)")
      // More than an argument parser is given at once.
      let many = [String](repeating: "KO", count: 100) + ["NONE"]
      #expect(try workspace.run([command] + many).err.contains("no quotes of NONE"), "\(command)")
    }
    let merge = ["merge", workspace.store, "KO,NONE", "--store", "other"]
    #expect(try workspace.run(merge).err.contains("no quotes of NONE"))
  }

  @Test func a_ticker_that_is_compared_with_itself_alone_is_told() throws {
    let rank = "rank(change(close) desc by day) as r"
    let alone = try workspace.run(["scan", "KO", "--columns", rank, "--limit", "1", "--offset", "9"])
    #expect(alone.out == "r\n1.0\n" && alone.status == 0)
    #expect(
      alone.err
        == """
        quoin: note: KO is alone among the quotes of each day, because no other ticker is asked for; to compare it with all, ask for all, \
        with --where "ticker = 'KO'"

        """)
    let all = try workspace.run(["scan", "--where", "ticker = 'KO'", "--columns", rank, "--limit", "300"])
    #expect(all.err.isEmpty && all.lines.contains("3.0"))
    #expect(try workspace.run(["scan", "KO", "BA", "--columns", rank, "--count"]).err.isEmpty)
    for question in [
      ["scan", "KO", "--top", "1 by close per day", "--count"],
      ["scan", "KO", "--where", "close > mean(close by day)"],
      ["scan", "KO", "--aggregate", "mean(zscore(close by day))"], ["scan", "KO", "--order", "rank(close by day)"],
      ["resample", "KO", "--by", "month", "--columns", rank], ["export", "KO", "--where", "rank(close by day) = 1"],
    ] {
      #expect(
        try workspace.run(question).err.hasPrefix("quoin: note: KO is alone among the quotes of each day, "),
        "\(question)")
    }
    let elsewhere = try workspace.run(["scan", "KO", "BA", "--columns", "rank(close by day) of MSFT", "--limit", "1"])
    #expect(
      elsewhere.err
        == "quoin: note: MSFT has no rank among the quotes of a day, because the tickers that are asked for don't include it\n"
    )
    #expect(elsewhere.lines[1] == "\"\"")
    #expect(
      try workspace.run(["join", "KO", "BA", "--columns", "rank(ratio by day)", "--limit", "1"]).err
        == "quoin: note: KO is alone among the quotes of each day, because the rows of a join are those of one ticker\n"
    )
    // A store of one ticker has no other market.
    #expect(try workspace.run(["import", Workspace.data("FDX.json"), "--store", "one"]).status == 0)
    #expect(try workspace.run(["scan", "FDX", "--columns", rank, "--count", "--store", "one"]).err.isEmpty)
  }

  /// A column without a name has the text as it was typed.
  @Test func a_header_is_what_was_written() throws {
    let aggregates = "mean(change(close)),  max( high )/min(low), count(close>open), median(r)"
    let question = ["--let", "r = close / open", "--aggregate", aggregates]
    #expect(
      try workspace.run(["scan", "KO"] + question + ["--format", "tsv"]).line(0)
        == "mean(change(close))\tmax( high )/min(low)\tcount(close>open)\tmedian(r)")
    #expect(
      try workspace.run(["join", "KO", "BA", "--aggregate", "mean(ratio)", "--by", "year"]).line(0)
        == "ticker,year,mean(ratio)")
  }

  /// On one day nothing was sold, as in KO's file of 2001-09-12.
  @Test func a_division_by_0_silences_no_average() throws {
    let days = (1...28).map { "KO,2020-01-\($0 < 10 ? "0" : "")\($0),\(40 + $0 % 3),\($0 == 9 ? 0 : 1000 + 37 * $0)" }
    let file = try workspace.write("ticker,date,close,volume\n" + days.joined(separator: "\n") + "\n", to: "zero.csv")
    #expect(try workspace.run(["import", file, "--store", "zero"]).status == 0)
    func lines(_ columns: String, _ more: String...) throws -> [String] {
      try workspace.run(["scan", "--store", "zero", "--columns", columns] + more).lines.dropFirst().map { String($0) }
    }
    let columns =
      "change(volume) as c, ema(change(volume), 5), rsi(change(volume), 5), mean(change(volume), 5 min 1), std(change(volume), 5 min 3)"
    let rows = try lines(columns)
    #expect(rows.count { $0.hasPrefix(",") } == 2 && rows[9].hasPrefix(",") && rows[8].hasPrefix("-1.0,"))
    #expect(rows.dropFirst(12).allSatisfy { !$0.contains(",,") && !$0.hasSuffix(",") && !$0.contains("inf") })
    let all = [
      "scan", "--store", "zero", "--format", "json", "--aggregate",
      "mean(change(volume)), std(change(volume)), max(1 / volume)",
    ]
    let groups = try workspace.run(all).out
    #expect(!groups.contains("inf") && !groups.contains("null"))
    #expect(try lines("close / volume as x", "--where", "close / volume is missing") == ["\"\""])
    #expect(
      try workspace.run(["scan", "--store", "zero", "--count", "--where", "not (close / volume > 1)"]).out == "27\n")
  }

  @Test func a_question_over_its_budget_is_given_up_with_a_sentence() throws {
    let slow = try workspace.run([
      "scan", "--count", "--where", "close > mean(close, 20)", "--question-seconds", "1e-9",
    ])
    #expect(
      slow.status == 2 && slow.out.isEmpty && slow.err.contains("1e-09 seconds") && slow.err.contains("fewer tickers"))
    let names = (1...40).flatMap { ["--let", "x\($0) = x\($0 - 1) + x\($0 - 1)"] }
    let doubled = try workspace.run(
      ["scan", "FDX", "--let", "x0 = close"] + names + ["--columns", "x40", "--limit", "1", "--question-seconds", "20"])
    #expect(doubled.status == 0 && doubled.lines.count == 2, "\(doubled.err)")
    for (option, value) in [("--question-seconds", "0"), ("--question-seconds", "nan"), ("--question-megabytes", "0")] {
      let result = try workspace.run(["scan", "--count", option, value])
      #expect(result.status == 64 && result.err.contains(option), "\(result.err)")
    }
  }

  @Test func exit_status_1_means_no_rows() throws {
    #expect(try workspace.run("scan FDX --from 2006-01-01 --exit-status").status == 1)
    #expect(try workspace.run("scan FDX --from 2006-01-01 --exit-status --count").status == 1)
    #expect(try workspace.run("scan FDX --from 2005-10-14 --exit-status").status == 0)
    #expect(try workspace.run("scan FDX --from 2006-01-01").status == 0)
  }

  @Test func an_unknown_ticker_is_an_error_that_names_the_nearest() throws {
    let result = try workspace.run("scan FDX MFST")
    #expect(result.status == 2 && result.out.isEmpty)
    #expect(result.err == "quoin: '\(workspace.store)' has no quotes of MFST; did you mean MSFT?\n")
  }

  @Test func a_misspelled_condition_is_shown_with_a_caret() throws {
    let result = try workspace.run(["scan", "--where", "high > 80 and lwo < 82"])
    #expect(result.status == 64)
    #expect(
      result.err == """
        quoin: unknown attribute 'lwo'; did you mean 'low'?
          high > 80 and lwo < 82
                        ^

        """)
  }

  /// An option for each field of a question, so that none is forgotten. Bars have a command of their own.
  @Test func each_field_of_a_question_has_an_option() throws {
    let others: [QuestionField.Name: String] = [
      .tickers: "<ticker>", .aggregates: "--aggregate <list>", .resample: "--by <period>", .barLabel: "--label <day>",
    ]
    let bars: Set<QuestionField.Name> = [.resample, .barLabel]
    for field in QuestionField.all {
      let help = try workspace.run("\(bars.contains(field.name) ? "resample" : "scan") --help").out
      let option = others[field.name] ?? "--" + field.name.rawValue.replacing("_", with: "-")
      #expect(help.contains(option), "\(option)")
    }
  }

  @Test(arguments: [
    ("--columns date,hihg", "--columns: unknown column 'hihg'; did you mean 'high'?"),
    ("--format jsn", "there is no format 'jsn'; did you mean 'json'?"),
    (
      "--from 2005-02-30",
      "--from: '2005-02-30' isn't a date; write it as YYYY-MM-DD, such as 2005-10-14, or as last, last - 30 days, -1y"
    ),
    ("--from 2005-02-02 --to 2005-02-01", "--from: 2005-02-02 is later than --to 2005-02-01"),
    (
      "F/DX",
      "'F/DX' isn't a ticker: a symbol has only ASCII characters, and no space, comma, quote, slash or backslash"
    ),
    ("--stats --columns date", "--stats needs columns of stored numbers, such as --columns close"),
  ])
  func wrong_usage_is_told_in_a_sentence(arguments: String, sentence: String) throws {
    let result = try workspace.run("scan " + arguments)
    #expect(result.status == 64 && result.out.isEmpty)
    #expect(result.err == "quoin: \(sentence)\n")
  }

  @Test(arguments: [
    (["--where", "close > pow(close, 2)"], "write close ^ 2"), (["--columns", "date, hl2"], "write (high + low) / 2"),
    (["--columns", "rsi"], "write rsi(close, 14)"), (["--last", "5"], "--order desc --limit 5"),
    (["--columns", "count(*)"], "written count"),
    (["--where", "close > 80 order by volume"], "--order 'volume desc'"),
    (["--where", "close > 80 limit 10"], "--limit 10"),
    (["--where", "\"Adj. Close\" > 80"], "adj_close, without quotes"),
    (["--sort", "volume"], "Quoin calls it --order"),
    (["--group-by", "ticker"], "Quoin calls it --by"), (["--top", "3"], "'3 by change(close) per day'"),
    (["--where", "close between 81 and 80"], "write 80 before 81"),
    (["--where", "close > '80'"], "without quotes: 80"),
    (["--where", "close > prev(close, -1)"], "next(close, 1)"), (["--where", "rank(close) < 3"], "rank(close by day)"),
    (["--where", "date > 80"], "a day such as 2005-01-03"),
    (["--where", "close > 2018-01-01"], "a number, not with a day"),
    (["--where", "mean(close) over 20 > 3"], "mean(close, 20)"), (["--where", "select close from FDX"], "--columns"),
    (["--where", "high > 80 group by ticker"], "--by month"),
  ])
  func a_form_of_other_languages_is_answered_with_ours(arguments: [String], words: String) throws {
    let result = try workspace.run(["scan"] + arguments)
    #expect(result.status == 64 && result.out.isEmpty && result.err.contains(words), "\(result.err)")
  }
}

/// `scan --aggregate`.
struct ScanAggregateTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  @Test func all_rows_together_are_one_row() throws {
    let result = try workspace.run([
      "scan", "FDX", "--from", "2005-10-13", "--aggregate", "count, mean(close), SUM(volume), first(close)",
    ])
    #expect(result.out == "count,mean(close),SUM(volume),first(close)\n2,86.685,3276800,85.77\n")
  }

  @Test func groups_are_tickers_or_periods_of_tickers() throws {
    let tickers = try workspace.run([
      "scan", "FDX", "KO", "--aggregate", "count", "--by", "ticker", "--where", "date >= 2005-10-14",
    ])
    #expect(tickers.out == "ticker,count\nFDX,1\nKO,504\n")
    let weeks = try workspace.run([
      "scan", "FDX", "--from", "2005-10-06", "--aggregate", "count,max(high)", "--by", "weekly",
    ])
    #expect(weeks.line(0) == "ticker,week,count,max(high)")
    #expect(weeks.line(1).hasPrefix("FDX,2005-10-03,2,") && weeks.line(2).hasPrefix("FDX,2005-10-10,5,"))
    let years = try workspace.run("scan FDX --aggregate count --by year")
    #expect(years.line(1).hasPrefix("FDX,2001-01-01,") && years.line(5).hasPrefix("FDX,2005-01-01,"))
  }

  @Test(arguments: [
    ("tsv", "ticker\tyear\tcount\nFDX\t2005-01-01\t1\n"),
    ("json", "[\n{\"ticker\":\"FDX\",\"year\":\"2005-01-01\",\"count\":1}\n]\n"),
    ("ndjson", "{\"ticker\":\"FDX\",\"year\":\"2005-01-01\",\"count\":1}\n"),
    ("markdown", "| ticker | year | count |\n| --- | --- | ---: |\n| FDX | 2005-01-01 | 1 |\n"),
    ("table", "ticker  year        count\n------  ----------  -----\nFDX     2005-01-01      1\n"),
  ])
  func each_format_has_the_groups(format: String, text: String) throws {
    let result = try workspace.run([
      "scan", "FDX", "--from", "2005-10-14", "--aggregate", "count", "--by", "year", "--format", format,
    ])
    #expect(result.out == text)
  }

  @Test func no_rows_are_no_groups_or_one_row_of_missing_cells() throws {
    #expect(
      try workspace.run("scan FDX --from 2006-01-01 --aggregate mean(close) --by month").out
        == "ticker,month,mean(close)\n")
    let result = try workspace.run("scan FDX --from 2006-01-01 --aggregate count,sum(volume) --exit-status")
    #expect(result.out == "count,sum(volume)\n0,\n" && result.status == 1)
    #expect(try workspace.run("scan FDX --aggregate mean(close) --exit-status").status == 0)
  }

  @Test(arguments: [
    ("meen(close)", "unknown function 'meen'; did you mean 'mean'?", 0),
    ("mena(close)", "unknown function 'mena'; did you mean 'mean'?", 0),
    (
      "deviation(close)",
      "unknown function 'deviation'; there are count, min, max, sum, mean, median, quantile, "
        + "std, first, last, argmax, argmin, distinct, share, vwap, weighted_mean, var, product, mad, skew, kurt, corr, cov, slope, r2",
      0
    ),
    ("mean(close), max(hihg)", "unknown attribute 'hihg'; did you mean 'high'?", 17),
    ("close", "'close' needs a function, such as mean(close)", 0),
    ("mean", "'mean' needs '(' and an attribute, such as mean(close)", 0),
    ("mean(close) sum(volume)", "expected a comma or the end, found 'sum'", 12),
    ("mean(close), mean(close)", "mean(close) is listed twice", 13),
    ("mean(close),", "expected an aggregate or a number, found the end", 12),
    ("", "the list of aggregates is empty; write some such as mean(close), sum(volume)", 0),
  ])
  func a_wrong_list_is_shown_with_a_caret(list: String, message: String, column: Int) throws {
    let result = try workspace.run(["scan", "--aggregate", list])
    #expect(result.status == 64 && result.out.isEmpty)
    #expect(result.err == "quoin: \(message)\n  \(list)\n  \(String(repeating: " ", count: column))^\n")
  }

  @Test func orders_groups_and_days_are_asked_for_in_words() throws {
    for (arguments, out) in [
      (
        ["--order", "date desc, close desc", "--limit", "2", "--columns", "ticker,date"],
        "BRK_A,2018-03-27\nBA,2018-03-27\n"
      ),
      (
        ["--order", "r desc", "--limit", "1", "--columns", "ticker,date,change(close) as r"],
        "MSFT,2018-02-21,0.08580380814654132\n"
      ),
      (["--from", "-1d", "--count"], "12\n"), (["--from", "last - 1 week", "--to", "last - 1 day", "--count"], "30\n"),
      (["--where", "date = last and close > open", "--columns", "ticker"], "BA\nMSFT\n"),
      (["--latest", "--where", "change(close) > 2%", "--columns", "ticker,date"], "FDX,2005-10-14\nMSFT,2018-03-27\n"),
      (["--latest", "--count"], "7\n"),
      (
        ["--top", "1 by date per ticker", "--where", "close < open", "--columns", "ticker,date", "--limit", "2"],
        "AAPL,2018-03-27\nBA,2018-03-22\n"
      ),
      (["--top", "1 by change(close) asc per year", "--columns", "ticker,date", "--limit", "1"], "FDX,2001-02-07\n"),
      (["--aggregate", "count", "--by", "month(date) as m", "--order", "m desc", "--limit", "2"], "12,331\n11,333\n"),
      (["--aggregate", "count", "--by", "day", "--order", "desc", "--limit", "1"], "2018-03-27,6\n"),
    ] {
      let result = try workspace.run(["scan", "--format", "csv"] + arguments)
      let rows = result.out.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(
        arguments.contains("--count") ? 0 : 1)
      #expect(rows.joined(separator: "\n") == out && result.status == 0, "\(arguments): \(result.out)\(result.err)")
    }
    for (arguments, words) in [
      (["--aggregate", "count", "--by", "mnth"], "did you mean 'month'"), (["--from", "yesterday"], "last - 30 days"),
      (["--where", "date > last - close"], "last - 30 days"),
      (["--top", "3 by close per moth"], "did you mean 'month'"),
      (["--aggregate", "count", "--by", "day", "--order", "year desc"], "unknown name 'year'"),
    ] {
      let result = try workspace.run(["scan"] + arguments)
      #expect(result.status != 0 && result.out.isEmpty && result.err.contains(words), "\(result.err)")
    }
  }

  @Test(arguments: [
    ("--by month", "--by needs --aggregate, such as 'mean(close)'"),
    ("--having 'count>1'", "--having needs --aggregate, such as 'mean(close)'"),
    ("--limit=-1", "--limit: '-1' isn't a whole number from 0 on"),
    ("--threads 0", "--threads: '0' isn't a whole number from 1 on"),
    ("--trust-splits", "--trust-splits goes with --as-of"),
    ("--aggregate count --columns close", "--columns applies to rows; what groups have is in --aggregate"),
  ])
  func wrong_usage_is_told_in_a_sentence(arguments: String, sentence: String) throws {
    let result = try workspace.run("scan " + arguments)
    #expect(result.status == 64 && result.out.isEmpty)
    #expect(result.err == "quoin: \(sentence)\n")
  }

  @Test(arguments: ["--aggregate count --stats", "--aggregate count --count", "--aggregate count --columns close"])
  func other_results_are_refused_beside_aggregates(arguments: String) throws {
    let result = try workspace.run("scan " + arguments)
    #expect(result.status == 64 && result.out.isEmpty)
  }
}
