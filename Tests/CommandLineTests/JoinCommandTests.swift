import Testing

struct JoinCommandTests {
  let workspace: Workspace

  /// BA has all days, KO no Mondays and nothing in February, and on one day no close.
  init() throws {
    workspace = try Workspace(importing: ["wiki-sample.csv"])
    let gap = try workspace.write("ticker,date,close,ex-dividend\nKO,2018-03-13,,0\n", to: "gap.csv")
    #expect(try workspace.run(["import", gap]).status == 0)
    #expect(try workspace.run(["delete", "KO", "--where", "weekday(date) = 1 or month(date) = 2"]).status == 0)
  }

  private struct Row {
    let date: String
    /// Counted from the beginning of the sample's first year.
    let day: Int
    let close: Double?
  }

  private func rows(_ ticker: String) throws -> [Row] {
    let columns = "date, close, year(date) as y, day_of_year(date) as d"
    return try workspace.run(["scan", ticker, "--columns", columns]).lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let (year, day) = (Int(Double(cells[2])!), Int(Double(cells[3])!))
      return Row(date: cells[0], day: [2016: 0, 2017: 366, 2018: 731][year]! + day, close: Double(cells[1]))
    }
  }

  private func expected(_ a: String, _ b: String, keep: (Row, Row?) -> Bool, age: Int) throws -> [[String]] {
    let others = try rows(b)
    return try rows(a).compactMap { row in
      let other = others.last { $0.day <= row.day }.flatMap { row.day - $0.day <= age ? $0 : nil }
      guard keep(row, other) else { return nil }
      let (x, y) = (row.close, other?.close)
      let both = x.flatMap { x in y.map { (x - $0, x / $0) } }
      return [row.date] + [x, y, both?.0, both?.1].map { $0.map { "\($0)" } ?? "" }
    }
  }

  private func cells(_ command: String) throws -> [[String]] {
    let result = try workspace.run(command)
    #expect(result.status == 0 && result.err.isEmpty, "\(command): \(result.err)")
    return result.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  @Test func an_inner_join_has_the_days_of_both() throws {
    for (a, b) in [("BA", "KO"), ("KO", "BA")] {
      let expected = try expected(a, b, keep: { $1 != nil }, age: 0)
      let found = try cells("join \(a) \(b)")
      #expect(found.first == ["date", a, b, "spread", "ratio"] && Array(found.dropFirst()) == expected)
      #expect(try workspace.run("join \(a) \(b) --kind inner --count").out == "\(expected.count)\n")
      #expect(expected.count == (try rows("KO").count) && expected.count < 400)
      // The day on which KO has a row without a close.
      #expect(expected.contains { $0[0] == "2018-03-13" && $0.contains("") })
    }
  }

  @Test func a_left_join_has_all_days_of_the_first() throws {
    let expected = try expected("BA", "KO", keep: { _, _ in true }, age: 0)
    #expect(expected.count == 504 && expected.contains { $0[2].isEmpty })
    #expect(try Array(cells("join BA KO --kind left").dropFirst()) == expected)
    #expect(try cells("join KO BA --kind left") == cells("join KO BA"))
  }

  @Test(arguments: [nil, 0, 1, 3, 4, 40, 3_652_058] as [Int?])
  func a_join_as_of_each_day_has_the_newest_row_up_to_it(tolerance: Int?) throws {
    let expected = try expected("BA", "KO", keep: { _, _ in true }, age: tolerance ?? 7)
    let option = tolerance.map { " --tolerance \($0)" } ?? ""
    #expect(expected.count == 504)
    #expect(try Array(cells("join BA KO --kind as-of\(option)").dropFirst()) == expected)
    if tolerance == 0 { #expect(try cells("join BA KO --kind left") == cells("join BA KO --kind as-of\(option)")) }
  }

  /// The rows of an inner join are those of a store in which BA has the days of KO alone.
  @Test func all_of_scan_can_be_asked_of_a_join() throws {
    _ = try workspace.shell("cp -r store both")
    let others = "year(date) of KO is missing"
    #expect(try workspace.run(["delete", "BA", "--where", others, "--store", "both"]).status == 0)
    func agree(_ join: [String], _ scan: [String], in store: String = "both") throws {
      let (found, expected) = (
        try workspace.run(["join", "BA", "KO"] + join),
        try workspace.run(["scan", "BA", "--store", store] + scan)
      )
      #expect(
        found.status == 0 && expected.status == 0 && found.out == expected.out && found.lines.count > 1, "\(join)")
    }
    try agree(
      ["--columns", "date, BA, ko, ratio, (ratio - mean(ratio, 20)) / std(ratio, 20) as z", "--where", "spread > 260"],
      [
        "--let", "r = close / close of KO", "--where", "close - close of KO > 260", "--columns",
        "date, close as BA, close of KO as ko, r as ratio, (r - mean(r, 20)) / std(r, 20) as z",
      ])
    try agree(
      [
        "--let", "half = spread / 2", "--order", "half desc", "--limit", "5", "--columns", "date, half", "--from",
        "2018-01-01",
      ],
      [
        "--order", "close - close of KO desc", "--limit", "5", "--columns",
        "date, (close - close of KO) / 2 as half", "--from", "2018-01-01",
      ])
    try agree(
      ["--columns", "date, corr(change(close), change(close of KO), 60) as c", "--latest", "--format", "json"],
      [
        "--columns", "date, corr(change(close), change(close of KO), 60) as c", "--latest", "--format", "json",
      ])
    try agree(
      ["--aggregate", "mean(spread), max(ratio), count", "--by", "year"],
      [
        "--let", "spread = close - close of KO", "--let", "ratio = close / close of KO",
        "--aggregate",
        "mean(spread), max(ratio), count", "--by", "year",
      ])
    try agree(
      [
        "--on", "adj_close", "--kind", "as-of", "--tolerance", "3", "--columns", "date, BA, KO", "--as-of",
        "2017-02-10",
      ],
      [
        "--columns", "date, adj_close as BA, adj_close of KO within 3 days as KO", "--as-of", "2017-02-10",
      ], in: "store")
    try agree(
      ["--on", "change(close)", "--kind", "left", "--columns", "date, spread, close"],
      ["--columns", "date, change(close) - change(close) of KO as spread, close"], in: "store")
    // A change is that since the row before in the join: only a close that is missing, and the first row, have none.
    let changes = try workspace.run(["join", "BA", "KO", "--columns", "ratio, change(ratio)"]).lines.dropFirst()
    #expect(changes.count > 300 && changes.count { $0.hasSuffix(",") } == 3 && changes.first?.hasSuffix(",") == true)
    // KO's change in its own rows is another value.
    try agree(["--columns", "change(close of KO)"], ["--columns", "change(close of KO)"])
    try agree(["--columns", "change(close) of KO"], ["--columns", "change(close) of KO"])
    try agree(
      ["--as-of", "2017-02-10", "--columns", "date, ratio"],
      [
        "--as-of", "2017-02-10", "--columns", "date, close / close of KO as ratio",
      ])
  }

  @Test func what_is_printed_has_any_format_and_place() throws {
    #expect(
      try workspace.run("join BA MSFT --from 2018-03-27 --format ndjson").out
        == "{\"date\":\"2018-03-27\",\"BA\":310.0,\"MSFT\":90.76,\"spread\":219.24,\"ratio\":3.415601586602027}\n")
    #expect(try workspace.run("join BA KO --limit 1 --output \(workspace.path)/o.csv").out.isEmpty)
    #expect(try workspace.text(of: "o.csv").hasPrefix("date,BA,KO,spread,ratio\n2016-03-29,"))
    #expect(try workspace.run("join ba ko --limit 1").lines[0] == "date,BA,KO,spread,ratio")
    #expect(try workspace.run("join BA KO --from 2018-02-01 --to 2018-02-28 --exit-status").status == 1)
    #expect(try workspace.run("join BA KO --explain").line(0) == "condition      true")
  }

  /// A ticker's name that means something else means that.
  @Test func names_that_mean_something_keep_their_meaning() throws {
    let rows = "ticker,date,low,close\nLOW,2020-01-02,1,2\nIN,2020-01-02,3,4\nC=F,2020-01-02,5,6\nA-B,2020-01-02,7,8\n"
    #expect(try workspace.run(["import", workspace.write(rows, to: "names.csv"), "--store", "names"]).status == 0)
    func join(_ arguments: String...) throws -> String {
      try workspace.run(["join"] + arguments + ["--store", "names"]).out
    }
    #expect(try join("LOW", "IN") == "date,LOW,IN,spread,ratio\n2020-01-02,2.0,4.0,-2.0,0.5\n")
    #expect(try join("IN", "LOW", "--columns", "low, LOW of LOW as l, spread") == "low,l,spread\n3.0,1.0,2.0\n")
    #expect(try join("C=F", "A-B", "--columns", "a-b, A-B - 1 as c") == "a-b,c\n8.0,7.0\n")
    #expect(try join("A-B", "C=F", "--where", "a-b > 7", "--columns", "A-B, close of 'C=F' as c") == "A-B,c\n8.0,6.0\n")
  }

  @Test(arguments: [
    ("join BA KP", 2, "'./quoin-store' has no quotes of KP; did you mean KO?"),
    ("join BAA KO --count", 2, "'./quoin-store' has no quotes of BAA; did you mean BA?"),
    ("join BA BRK.A --kind left --count", 2, "'./quoin-store' has no quotes of BRK.A; did you mean BRK_A?"),
    ("join KO ko", 64, "a join needs two tickers, and both are KO; for one, run 'quoin scan KO'"),
    ("join BA", 64, "Missing expected argument '<b>'"),
    ("join BA KO GE", 64, "Unexpected argument 'GE'"),
    ("join BA KO --kind outer", 64, "there is no kind 'outer'; there are inner, left, as-of"),
    ("join BA KO --kind asof", 64, "there is no kind 'asof'; did you mean 'as-of'?"),
    ("join BA KO --tolerance 5", 64, "--tolerance applies to a join as of each day: --kind as-of --tolerance 5"),
    ("join BA KO --kind left --tolerance 0", 64, "--tolerance applies to a join as of each day: "),
    ("join BA KO --kind as-of --tolerance=-1", 64, "--tolerance -1: must be from 0 to 3652058 days"),
    ("join BA KO --kind as-of --tolerance 3652059", 64, "--tolerance 3652059: must be from 0 to 3652058 days"),
    ("join BA KO --on clsoe", 64, "unknown attribute 'clsoe'; did you mean 'close'?"),
    ("join BA KO --columns date,sprad", 64, "--columns: unknown column 'sprad'; "),
    ("join BA KO --where ratoi>1", 64, "unknown attribute 'ratoi'; did you mean 'ratio'?"),
    ("join BA KO --let spread=1", 64, "'spread' is defined twice"),
    ("join BA KO --sort ratio", 64, "there is no option '--sort'; Quoin calls it --order"),
    ("join BA KO --as-of 2010-01-04", 2, "there are no quotes of KO"),
  ])
  func what_cannot_be_joined_is_said_in_a_sentence(_ command: String, _ status: Int32, _ sentence: String) throws {
    try workspace.expectRefusal(of: command, status, sentence)
  }
}
