import Testing

/// What public reports on other programs were about, and what came out right here from the first: it has to stay so. The numbers are those of
/// a log of such reports. Its other numbers are named in the suites of the rooms: `ColumnFormTests`, `NumberFormTests`, `DayFormTests`,
/// `LayoutFormTests`, `OneGateTests` and `JSONVendorTests` for files, `AuditRuleTests` and `JumpTests` (153 to 157, 159), `RenameTests` (158),
/// `AdjustAgainTests` (194), `RenewalTests` (174 to 176), `FetchReportTests` (177), `AnswerTests` and `RetryTests` (178 to 187, 198),
/// `RoundTripTests` (140, 188 to 190), `QuoteStoreTests` (191), `CommonestDownloadTests` (82, 83), `TickerCommandTests` (26, 27), `AuditRuleTests`
/// (28), `ImportFormCommandTests` (144, 146), `PassedOverTests` (145), `PackedFileTests` (147) and `ScaleTests` (149).
struct PublicReportTests {
  struct Report: CustomTestStringConvertible {
    let log: String
    /// The file's text, its name, and options of the import.
    let text: String
    var name = "X.csv"
    var options = ""
    /// The question, as the words behind `quoin scan`, and the answer's lines behind the header.
    var asked = "X --columns date,close"
    var rows: [String] = []
    /// Words of the refusal; empty if the file is imported.
    var refusal = ""
    /// Words of what the import says.
    var told = ""

    var testDescription: String { log }
  }

  private static func table(_ days: [String], _ closes: [String]? = nil) -> String {
    "date,close\n" + days.enumerated().map { "\($1),\(closes?[$0] ?? "\($0 + 1).5")\n" }.joined()
  }

  private static func closes(_ values: [String]) -> String {
    table(values.indices.map { "2024-\($0 / 28 + 1)-\($0 % 28 + 1)" }, values)
  }

  private static let three = ["2024-01-18,1.5", "2024-01-19,2.5", "2024-01-22,3.5"]

  private static let reports: [Report] = [
    Report(
      log: "16", text: table(["1-Jan-27", "2-Jan-24"]), rows: ["1927-01-01,1.5", "2024-01-02,2.5"],
      told: "those after this year's are of the last century"),
    Report(
      log: "18", text: "date,close,volume\n2024-01-18,1.5,1350211.25\n2024-01-19,2,17\n", asked: "X --columns volume",
      rows: ["1350211.25", "17"]),
    Report(
      log: "42 null", text: "Date,Open,Close\n2024-01-18,null,null\n2024-01-19,1,1.5\n",
      rows: ["2024-01-19,1.5"]),
    Report(
      log: "75 yfinance",
      text: table(["2024-01-18 00:00:00-05:00", "2024-01-19 00:00:00-05:00", "2024-01-22 00:00:00-05:00"]), rows: three),
    Report(
      log: "75 Tiingo",
      text: table(["2024-01-18T00:00:00+00:00", "2024-01-19T00:00:00+0000", "2024-01-22T00:00:00.000000000Z"]),
      rows: three),
    Report(
      log: "77", text: table(["2024-01-18 15:30:00", "2024-01-19 15:30:00", "2024-01-22 23:30:00"]), rows: three),
    Report(
      log: "87 the same from standard input", text: table(["01/18/2024", "01/19/2024", "01/22/2024"]), name: "-",
      options: "--ticker X", rows: three),
    Report(log: "90", text: table(["20-May-2024", "20-January-2024"]), rows: ["2024-01-20,2.5", "2024-05-20,1.5"]),
    Report(log: "91", text: table(["31-OCT-2023"]), rows: ["2023-10-31,1.5"]),
    Report(log: "92", text: table(["2024-01-18", "19.01.2024", "22 Jan 2024"]), rows: three),
    Report(
      log: "92 two orders", text: table(["2024-01-18", "13/01/2024", "01/14/2024"]), refusal: "need a date format"),
    Report(log: "95", text: table(["240118", "240119"]), refusal: "not a date"),
    Report(
      log: "95, told", text: table(["240118", "240119"]), options: "--date-format %y%m%d",
      rows: ["2024-01-18,1.5", "2024-01-19,2.5"]),
    Report(log: "98 weeks", text: table(["2024-W03"]), refusal: "not a date"),
    Report(log: "98 months", text: table(["2024-01"]), refusal: "not a date"),
    Report(log: "98 Shiller", text: table(["1871.1"]), refusal: "not a date"),
    Report(log: "98 French", text: table(["192607"]), refusal: "not a date"),
    Report(
      log: "113",
      text: "date,close," + (0..<5000).map { "c\($0)" }.joined(separator: ",") + "\n2024-01-18,1.5"
        + String(repeating: ",x", count: 5000) + "\n",
      rows: ["2024-01-18,1.5"], told: "and 4,990 more"),
    Report(
      log: "129", text: table((1...31).map { "\($0 < 10 ? "0" : "")\($0)/01/2018" }),
      asked: "X --columns date --latest",
      rows: ["2018-01-31"]),
    Report(
      log: "130", text: table(["12.01.2017", "01.02.2017", "15.04.2017"]), asked: "X --columns date",
      rows: ["2017-01-12", "2017-02-01", "2017-04-15"]),
    Report(log: "131", text: table(["13/01/2024", "01/14/2024"]), refusal: "need a date format"),
    Report(log: "132, 133", text: table(["01/02/2024", "02/02/2024"]), refusal: "which can be"),
    Report(
      log: "134", text: "date,close,volume\n2024-01-18,1.5,10\n2024-01-18,1.5,11\n", refusal: "the first is line 2"),
    Report(
      log: "134, told", text: "date,close,volume\n2024-01-18,1.5,10\n2024-01-18,1.5,11\n", options: "--last-wins",
      asked: "X --columns date,volume", rows: ["2024-01-18,11"]),
    Report(
      log: "135", text: table(["2024-01-18", "2024-01-18"], ["1.5", "1.5"]), rows: ["2024-01-18,1.5"],
      told: "1 new, 1 unchanged"),
    Report(
      log: "136", text: "SYMBOL,SERIES,OPEN,CLOSE,TIMESTAMP\nX,EQ,1,1.5,18-JAN-2024\nX,BE,1,1.6,18-JAN-2024\n",
      refusal: "the first is line 2"),
    Report(
      log: "139",
      text: "ticker,date,close\nNA,2024-01-18,1.5\nNULL,2024-01-18,1.5\nTRUE,2024-01-18,1.5\n1E5,2024-01-18,1.5\n",
      asked: "--columns ticker", rows: ["1E5", "NA", "NULL", "TRUE"]),
    Report(
      log: "141", text: "日子,收,代\n2024-01-18,1.5,000001\n", options: "--map 日子=date --map 收=close --map 代=ticker",
      asked: "--columns ticker,close", rows: ["000001,1.5"]),
    Report(
      log: "150", text: table(["2020-04-17", "2020-04-20"], ["18.27", "-37.63"]),
      rows: ["2020-04-17,18.27", "2020-04-20,-37.63"]),
    Report(
      log: "151", text: table(["2020-04-20", "2020-04-21"], ["-37.63", "10.01"]), asked: "X --columns date,diff(close)",
      rows: ["2020-04-20,", "2020-04-21,47.64"]),
    Report(log: "160", text: "date,close,volume\n2024-01-18,1.5,12\n", asked: "X --columns volume", rows: ["12"]),
    Report(log: "161", text: "20240118 00:00,1886300,1890000,1880000,1886300,100\n", rows: ["2024-01-18,1886300.0"]),
    Report(
      log: "173", text: table(["2024-01-18"]), name: "download.csv", refusal: "name the ticker: --ticker FDX"),
    Report(log: "196", text: "ticker,date,close\nAAPL US Equity,2024-01-18,1.5\n", refusal: "isn't a ticker"),
    Report(
      log: "196, told", text: "ticker,date,close\nAAPL US Equity,2024-01-18,1.5\n", options: "--ticker-sign ' =-'",
      asked: "--columns ticker", rows: ["AAPL-US-EQUITY"]),
    // Windows and indicators of which other programs lose the last digits.
    Report(
      log: "121", text: closes(["1000"] + Array(repeating: "0", count: 12)),
      asked: "X --columns std(close,10) --latest", rows: ["0.0"]),
    Report(
      log: "123", text: closes(["1.3e17", "1995", "1990"]), asked: "X --columns std(close,2) --latest",
      rows: ["3.5355339059327378"]),
    Report(
      log: "124", text: closes(Array(repeating: "0.1", count: 6)),
      asked: "X --columns std(close,5),slope(close,5) --latest", rows: ["0.0,0.0"]),
    Report(
      log: "125", text: closes(["1e-8", "3e-8", "2e-8"]), asked: "X --columns std(close,3) --latest",
      rows: ["9.999999999999999e-09"]),
    Report(
      log: "122", text: closes(["954000000", "1", "1", "1", "2"]), asked: "X --columns std(close,3) --latest",
      rows: ["0.5773502691896257"]),
    Report(
      log: "126", text: closes(["1.2e-5", "1.3e-5", "1.25e-5", "1.35e-5"]), asked: "X --columns rsi(3) --latest",
      rows: ["80.00000000000003"]),
    Report(
      log: "128", text: closes(["1.5", "1.5", "1.5", "1.5"]),
      rows: ["2024-01-01,1.5", "2024-01-02,1.5", "2024-01-03,1.5", "2024-01-04,1.5"]),
  ]

  @Test(arguments: reports) func what_was_right_stays_right(_ report: Report) throws {
    let workspace = try Workspace()
    let input = report.name == "-" ? "in.csv" : report.name
    _ = try workspace.write(report.text, to: input)
    let read = try workspace.shell("$quoin import \(report.name == "-" ? "- < in.csv" : input) \(report.options)")
    if !report.refusal.isEmpty {
      #expect(read.status == 2 && read.out.isEmpty && read.err.contains(report.refusal), "\(read)")
      return
    }
    #expect(read.status == 0 && read.err.isEmpty && (report.told.isEmpty || read.out.contains(report.told)), "\(read)")
    let answer = try workspace.shell("$quoin scan '\(report.asked.replacing(" ", with: "' '"))' --format csv")
    #expect(answer.out.split(separator: "\n").dropFirst().map(String.init) == report.rows, "\(answer)")
  }

  /// 127: weeks are Monday to Sunday for all tickers, also those in two years.
  @Test func weeks_are_the_same_for_all_tickers() throws {
    let workspace = try Workspace()
    let text = "ticker,date,close\nA,2024-12-30,1\nA,2025-01-02,2\nB,2024-12-31,3\nB,2025-01-03,4\n"
    _ = try workspace.run(["import", try workspace.write(text, to: "x.csv")])
    let weeks = try workspace.run("scan --aggregate count --by week --format csv").out
    #expect(weeks == "ticker,week,count\nA,2024-12-30,2\nB,2024-12-30,2\n")
  }

  /// 137, 138: files that overlap, one with another value.
  @Test func overlapping_files_are_one_history_or_refused() throws {
    let workspace = try Workspace()
    let first = try workspace.write(Self.table(["2024-01-18", "2024-01-19"], ["1.5", "2.5"]), to: "X_2023.csv")
    let same = try workspace.write(Self.table(["2024-01-19", "2024-01-22"], ["2.5", "3.5"]), to: "X_2024.csv")
    let other = try workspace.write(Self.table(["2024-01-19"], ["9.5"]), to: "X_2025.csv")
    let refused = try workspace.run(["import", first, other])
    #expect(refused.status == 2 && refused.err.contains("X_2023.csv, line 3"), "\(refused)")
    #expect(try workspace.run(["import", first, same]).status == 0)
    #expect(
      try workspace.run("scan X --columns date,close --format csv").out
        == "date,close\n\(Self.three.joined(separator: "\n"))\n")
  }

  /// 152: a chart's note has as many lines as it needs.
  @Test func a_charts_note_is_whole_on_a_narrow_terminal() throws {
    let workspace = try Workspace()
    let text = Self.table(["2020-04-17", "2020-04-20", "2020-04-21"], ["18.27", "-37.63", "10.01"])
    _ = try workspace.run(["import", try workspace.write(text, to: "CL.csv")])
    let chart = try workspace.run("chart CL --log --width 60").out
    #expect(chart.split(separator: "\n").joined(separator: " ").contains("has no place for"), "\(chart)")
  }
}
