import Testing

/// The commands that change whole tickers.
struct TickerCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  @Test func a_ticker_gets_another_name() throws {
    let before = try workspace.run("scan KO --columns date,open,volume,adj_close").out
    let renamed = try workspace.run("rename KO coke")
    #expect(renamed.out == "Renamed KO to COKE in '\(workspace.store)': 504 rows.\n" && renamed.status == 0)
    #expect(try workspace.run("scan COKE --columns date,open,volume,adj_close").out == before)
    #expect(try workspace.run("periods COKE").line(1).hasSuffix("data/wiki-sample.csv"))
    #expect(try workspace.run("scan KO").status == 2)
  }

  @Test func a_name_that_does_not_fit_is_refused_with_what_does() throws {
    let taken = try workspace.run("rename KO GE")
    #expect(taken.status == 2 && taken.out.isEmpty)
    #expect(
      taken.err == "quoin: '\(workspace.store)' has quotes of GE already; remove them with 'quoin delete GE' first, or "
        + "take another name\n")
    #expect(
      try workspace.run("rename BRK-A BRKA").err
        == "quoin: '\(workspace.store)' has no quotes of BRK-A; did you mean BRK_A?\n")
    #expect(try workspace.run("rename KO ko").status == 64)
    #expect(try workspace.run("rename KO").status == 64)
    #expect(try workspace.run("tickers").lines.count == 8)
  }

  @Test func another_store_is_taken_over_as_the_mode_says() throws {
    _ = try workspace.write(
      "ticker,date,close,volume\nKO,2018-03-27,9,7\nKO,2018-03-28,1,\nNEW,2020-01-02,1,2\n", to: "n.csv")
    #expect(try workspace.run("import n.csv --store \(workspace.path)/other").status == 0)
    let before = try workspace.run("export").out
    let kept = try workspace.run("merge other --keep")
    #expect(
      kept.out == "Merged 3 rows of 2 tickers from 'other' into '\(workspace.store)': 2 new, 1 left out.\n"
        && kept.status == 0)
    #expect(try workspace.run("undo").status == 0)
    #expect(try workspace.run("export").out == before)
    let one = try workspace.run("merge other KO")
    #expect(
      one.out
        == "Merged 2 rows of 1 ticker from 'other' into '\(workspace.store)': 1 new, 1 changed (1 close, 1 volume).\n")
    #expect(
      try workspace.run("scan KO --from 2018-03-27 --columns date,close,adj_close").line(1).hasPrefix(
        "2018-03-27,9.0,4"))
    #expect(try workspace.run("periods KO").out.contains("n.csv"))
    #expect(
      try workspace.run("merge other KO").out
        == "Nothing changed: '\(workspace.store)' has the 2 rows of 1 ticker from 'other' already.\n")
    #expect(try workspace.run("merge other KO --replace").out.contains("1 changed (1 open, 1 high"))
    #expect(try workspace.run("tickers").lines.count == 8)
    // Into a new store, too.
    #expect(
      try workspace.run("merge other --store copy").out
        == "Merged 3 rows of 2 tickers from 'other' into the new store 'copy': 3 new.\n")
    #expect(try workspace.run("diff other copy").status == 0)
  }

  @Test func a_store_that_cannot_be_merged_is_refused() throws {
    let same = try workspace.run("merge ./store")
    #expect(same.status == 2 && same.err.hasPrefix("quoin: './store' is the same store, or a copy of it, so there is"))
    #expect(try workspace.shell("ln -s store link; cp -r store copy").status == 0)
    #expect(try workspace.run("merge link").status == 2)
    #expect(try workspace.run("merge copy").err.contains("is the same store, or a copy of it"))
    #expect(try workspace.run("merge nothing").err.hasPrefix("quoin: there is no store at 'nothing'"))
    #expect(try workspace.run("merge nothing --store new").status == 2)
    #expect(try workspace.shell("test -e new").status == 1)
    #expect(try workspace.run("rename KO COKE --store copy").status == 0)
    #expect(
      try workspace.run("merge copy CKOE").err == "quoin: 'copy' has no quotes of CKOE; did you mean COKE?\n")
    #expect(try workspace.run("merge copy --keep --replace").status == 64)
  }

  @Test func adjusted_columns_are_computed() throws {
    let text =
      "ticker,date,open,close,volume,ex-dividend,split_ratio\n"
      + "T,2020-01-01,11,10,100,,\nT,2020-01-02,6,5,300,,2\nT,2020-01-03,4,4,50,1,\n"
    _ = try workspace.write(text, to: "t.csv")
    #expect(try workspace.run("import t.csv").status == 0)
    let all = try workspace.run("adjust")
    #expect(
      all.out == "Adjusted 3 rows of 1 ticker in '\(workspace.store)': 3 changed (3 adj_opens, 3 adj_closes, 3 "
        + "adj_volumes). 7 tickers have adjusted values already and stay as they are; --replace computes them anew.\n")
    #expect(
      try workspace.run("scan T --columns date,adj_open,adj_high,adj_close,adj_volume").out == """
        date,adj_open,adj_high,adj_close,adj_volume
        2020-01-01,4.4,,4.0,200
        2020-01-02,4.8,,4.0,300
        2020-01-03,4.0,,4.0,50

        """)
    let again = try workspace.run("adjust T")
    #expect(again.status == 2)
    #expect(
      again.err == "quoin: '\(workspace.store)' has adjusted values of T already; to compute them anew, run 'quoin "
        + "adjust T --replace'\n")
    #expect(
      try workspace.run("adjust T --replace").out
        == "Nothing changed: the 3 rows of 1 ticker in '\(workspace.store)' have these adjusted values already.\n")
    #expect(
      try workspace.run("adjust").out
        == "Nothing changed: all 8 tickers of '\(workspace.store)' have adjusted values already; --replace computes them anew.\n"
    )
    #expect(try workspace.run("adjust TT").err.contains("has no quotes of TT"))
  }
}
