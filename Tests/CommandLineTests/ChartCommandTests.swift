import Quoin
import Testing

@Suite struct ChartCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  private func chart(_ arguments: String...) throws -> ChildProcess.Result {
    try workspace.run(["chart"] + arguments)
  }

  private func text(_ arguments: String...) throws -> ChildProcess.Result {
    try workspace.run(["chart", "--format", "text"] + arguments)
  }

  @Test func without_a_terminal_it_is_a_picture() throws {
    let result = try chart("FDX")
    #expect(result.status == 0 && result.err.isEmpty)
    #expect(result.out.hasPrefix("<?xml version") && result.out.hasSuffix("</svg>\n"))
    #expect(result.out.contains("<title>FDX</title>") && result.out.contains("last close 87.60."))
    #expect(try chart("FDX").out == result.out)
  }

  @Test func every_kind_is_drawn() throws {
    for kind in ["candles", "ohlc", "line", "area", "histogram", "scatter"] {
      let result = try chart("KO", "--kind", kind)
      #expect(result.status == 0 && result.out.contains(kind), "\(kind)\n\(result.err)")
      #expect(try text("KO", "--kind", kind.uppercased()).lines.count == 23)
    }
  }

  @Test func windows_see_the_rows_before_the_first_one() throws {
    let expected = try workspace.run(
      ["scan", "FDX", "--from", "2005-10-14", "--columns", "mean(close, 200) as m", "--format", "csv"])
    let mean = try #require(Double(expected.line(1)))
    let result = try text("FDX", "--from", "2005-10-14", "--overlay", "mean(close, 200)")
    #expect(result.out.contains("mean(close, 200) \((mean * 100).rounded() / 100)"), "\(result.out)")
  }

  @Test func marked_days_are_those_that_meet_the_condition() throws {
    let condition = "close / prev(close) < 0.97"
    let count = try workspace.run(["scan", "FDX", "--from", "2005-01-01", "--where", condition, "--count"]).out
    let picture = try chart("FDX", "--from", "2005-01-01", "--mark", condition).out
    #expect("\(picture.split(separator: "class=\"mark\"").count - 1)\n" == count)
    #expect(picture.contains("<title>close / prev(close) &lt; 0.97</title>"))
  }

  @Test func splits_and_dividends_are_marked() throws {
    let days = try workspace.run(["scan", "AAPL", "--where", "ex-dividend > 0", "--count"]).out
    let picture = try chart("AAPL", "--dividend-marks", "--split-marks").out
    #expect("\(picture.split(separator: "class=\"event dividend\"").count - 1)\n" == days)
    let splits = try workspace.run(["scan", "AAPL", "--where", "split_ratio != 1", "--count"]).out
    #expect("\(picture.split(separator: "class=\"event split\"").count - 1)\n" == splits)
  }

  @Test func several_tickers_are_lines_that_begin_at_100() throws {
    let result = try text("AAPL", "KO", "AAPL", "--panel", "rsi(close, 14)")
    #expect(result.line(0).hasPrefix("AAPL, KO  2016-03-29 to 2018-03-27, close, rebased to 100"), "\(result.out)")
    #expect(result.out.contains("rsi(close, 14) of KO"))
    // Of different lengths: FDX has other years.
    #expect(try text("FDX", "KO").out.contains("FDX "))
  }

  @Test func bars_of_months_are_drawn_with_the_values_of_other_tickers() throws {
    let result = try text("AAPL", "--by", "month", "--overlay", "close of KO", "--adjusted")
    #expect(result.status == 0 && result.line(0).contains("months, adjusted, adj_close"), "\(result.err)")
  }

  @Test func names_of_definitions_are_understood() throws {
    let result = try text(
      "FDX", "--let", "ma = mean(close, 20)", "--overlay", "ma as average", "--band", "ma - 1, ma + 1")
    #expect(result.status == 0 && result.out.contains("average "), "\(result.err)")
  }

  @Test func files_have_the_format_of_their_names() throws {
    for (name, start) in [("x.svg", "<?xml"), ("x.html", "<!DOCTYPE html>"), ("x.txt", "FDX  2001")] {
      #expect(try chart("FDX", "--output", name).status == 0)
      #expect(try workspace.text(of: name).hasPrefix(start))
    }
    let page = try workspace.text(of: "x.html")
    #expect(page.contains("</svg>") && page.contains("prepareChart") && !page.contains("<?xml"))
    #expect(try chart("FDX", "--output", "x.gif").err.contains("'x.gif' says no format that a chart can have"))
  }

  @Test func a_png_is_made_by_rsvg_convert_or_a_sentence_names_its_package() throws {
    let missing = try workspace.shell("PATH=/nowhere $quoin chart FDX --output x.png")
    #expect(missing.status == 2 && missing.err.contains("librsvg2-bin"), "\(missing)")
    #expect(try workspace.shell("ls x.png*").status != 0)
    guard try workspace.shell("command -v rsvg-convert").status == 0 else { return print("SKIPPED: no rsvg-convert") }
    #expect(try chart("FDX", "--output", "x.png").status == 0)
    #expect(try workspace.shell("head -c 4 x.png | tail -c 3").out == "PNG")
    // One that fails leaves nothing.
    _ = try workspace.shell(
      "mkdir bin && printf '#!/bin/sh\\nexit 3\\n' > bin/rsvg-convert && chmod +x bin/rsvg-convert")
    let failed = try workspace.shell("PATH=$PWD/bin:$PATH; $quoin chart FDX --output y.png; ls y.png*")
    #expect(failed.err.contains("'rsvg-convert' ended with status 3") && failed.out.isEmpty, "\(failed)")
  }

  @Test func text_has_colors_when_they_are_wanted() throws {
    #expect(
      try !text("FDX").out.contains("\u{1B}") && text("FDX", "--color", "always").out.contains("\u{1B}[0;38;5;32m"))
    let lines = try text("FDX", "--width", "60", "--height", "16").lines
    #expect(lines.count == 16 && lines.allSatisfy { $0.count <= 60 })
  }

  @Test(arguments: [
    ("chart FXD", 2, "'./quoin-store' has no quotes of FXD; did you mean FDX?"),
    ("chart", 64, "Missing expected argument '<ticker> ...'"),
    ("chart FDX --kind candle", 64, "there is no kind 'candle'; did you mean 'candles'?"),
    (
      "chart FDX --by weak", 64, "--by: 'weak' isn't one of week, month, quarter, half-year, year; did you mean 'week'?"
    ),
    ("chart FDX --color sometimes", 64, "there is no choice of colors 'sometimes'; there are auto, always, never"),
    ("chart FDX --theme drak", 64, "there is no theme 'drak'; did you mean 'dark'?"),
    ("chart FDX --format giff", 64, "there is no format 'giff'; there are text, svg, html, png"),
    ("chart FDX --overlay mean(clsoe,20)", 64, "unknown attribute 'clsoe'; did you mean 'close'?"),
    ("chart FDX --overlay clsoe", 64, "--overlay: unknown column 'clsoe'; did you mean 'close'?"),
    ("chart FDX --overlay open,close", 64, "--overlay 'open,close' has several expressions; give it once for each"),
    ("chart FDX --band low", 64, "--band 'low' isn't two expressions"),
    ("chart FDX --mark hihg>80", 64, "unknown attribute 'hihg'; did you mean 'high'?"),
    ("chart FDX --from 2005-13-01", 64, "--from: '2005-13-01' isn't a date; "),
    ("chart FDX --from 2030-01-01", 2, "no quotes meet the conditions, so there is nothing to draw"),
    ("chart FDX --kind line --of close-1000 --log", 2, "no value of 'close-1000' is above 0"),
    ("chart FDX KO --kind candles", 64, "--kind candles draws one ticker; several are lines: leave --kind out"),
    ("chart FDX KO --overlay close", 64, "--overlay applies to one ticker, and there are 2; leave it out"),
    ("chart FDX --kind histogram --mark close>1", 64, "a histogram has no time axis; remove --mark"),
    ("chart FDX --width 5", 64, "--width 5: must be from 10 to 10000"),
    ("chart FDX --against open", 64, "--against requires --kind scatter"),
  ])
  func what_cannot_be_drawn_is_said_in_a_sentence(_ command: String, _ status: Int32, _ sentence: String) throws {
    try workspace.expectRefusal(of: command, status, sentence)
  }

  @Test func an_unknown_ticker_in_an_expression_is_suggested_too() throws {
    for options in [[], ["--by", "week"]] {
      let result = try workspace.run(["chart", "AAPL", "--overlay", "close of KP"] + options)
      #expect(result.status == 2 && result.err.contains("did you mean KO?"), "\(result.err)")
    }
  }
}
