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
      taken.err
        == "quoin: '\(workspace.store)' has quotes of GE on 2016-03-29 already, so the two histories can't be joined; "
        + "nothing has changed; --from and --to rename some days, or take another name\n")
    #expect(
      try workspace.run("rename BRK-A BRKA").err
        == "quoin: '\(workspace.store)' has no quotes of BRK-A; did you mean BRK_A?\n")
    #expect(try workspace.run("rename KO ko").status == 64)
    #expect(try workspace.run("rename KO").status == 64)
    #expect(try workspace.run("tickers").lines.count == 8)
  }

  @Test func a_part_of_the_days_gets_another_name_and_two_histories_become_one() throws {
    let before = try workspace.run("scan KO --columns date,open,volume,adj_close").out
    #expect(
      try workspace.run("rename KO COKE --to 2016-12-31").out
        == "Renamed 194 rows of KO to COKE in '\(workspace.store)'; KO has 310 rows left.\n")
    #expect(
      try workspace.run("rename KO COKE --to 2016-12-31").err
        == "quoin: '\(workspace.store)' has no quotes of KO to 2016-12-31\n")
    #expect(
      try workspace.run("rename KO COKE").out
        == "Renamed KO to COKE in '\(workspace.store)': 310 rows; COKE has 504 rows now.\n")
    #expect(try workspace.run("scan COKE --columns date,open,volume,adj_close").out == before)
    #expect(try workspace.run("rename COKE KO --from 2017-01-01 --to 2016-01-01").status == 64)
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
    #expect(try workspace.run("merge nothing").err.hasPrefix("quoin: there is no store at 'nothing', whose quotes"))
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

  @Test func adjusted_columns_follow_later_days() throws {
    let header = "ticker,date,close,ex-dividend,split_ratio"
    _ = try workspace.write("\(header)\nT,2024-01-18,100,0,1\nT,2024-01-19,101,0,1\n", to: "old.csv")
    _ = try workspace.write("\(header)\nT,2024-01-22,50,0.5,2\n", to: "new.csv")
    _ = try workspace.write(
      "\(header),adj_close\nV,2024-01-18,100,0,1,49.1\nV,2024-01-19,101,0,1,49.6\n", to: "vendor.csv")
    let store = "--store own"
    #expect(try workspace.run("import old.csv \(store)").status == 0)
    #expect(try workspace.run("adjust \(store)").out.hasPrefix("Adjusted 2 rows of 1 ticker in 'own': 2 changed"))
    #expect(try workspace.run("import new.csv \(store)").status == 0)
    #expect(try workspace.run("check \(store)").out.contains("T,2024-01-22,stale-adjusted,rows_without_adj_close=1"))
    #expect(try workspace.run("adjust \(store)").out.hasPrefix("Adjusted 3 rows of 1 ticker in 'own': 3 changed"))
    #expect(
      try workspace.run("adjust \(store)").out
        == "Nothing changed: the 1 ticker of 'own' has adjusted values already; --replace computes its values anew.\n")
    // The values of another source, and days that have none.
    #expect(try workspace.run("import vendor.csv \(store)").status == 0)
    _ = try workspace.write("\(header)\nV,2024-01-22,50,0.5,2\n", to: "v.csv")
    #expect(try workspace.run("import v.csv \(store)").status == 0)
    #expect(
      try workspace.run("adjust \(store)").out
        == "Nothing changed. 1 ticker has adjusted values already and stays as it is; --replace computes them anew. The adjusted "
        + "values of 1 ticker are another source's and don't follow the newest rows, dividends or splits: V. 'quoin adjust V "
        + "--replace' computes them anew.\n")
    let refused = try workspace.run("adjust V \(store)")
    #expect(
      refused.status == 2 && refused.err.contains("are another source's") && refused.err.hasSuffix("--replace'\n"))
    #expect(try workspace.run("adjust V --replace \(store)").status == 0)
  }

  @Test func prices_that_have_the_split_already_are_refused() throws {
    _ = try workspace.write(
      "ticker,date,close,split_ratio\nT,2024-06-07,64.4,1\nT,2024-06-10,64.88,10\n", to: "t.csv")
    #expect(try workspace.run("import t.csv --store own").status == 0)
    for command in ["adjust --store own", "scan --as-of 2024-06-11 --store own"] {
      try workspace.expectRefusal(
        of: command, 2,
        "the price of T doesn't move by the split of 2024-06-10, whose ratio is 10.0: it is in the prices already")
      #expect(try workspace.run(command).err.contains("--splits-in-prices'. If the split is right, --trust-splits"))
      #expect(try workspace.run("\(command) --trust-splits").status == 0)
    }
    #expect(try workspace.run("scan --trust-splits --store own").status == 64)
    #expect(try workspace.run("check --store own --rule split").out.contains("T,2024-06-10,split,split_ratio=10.0"))
  }
}
