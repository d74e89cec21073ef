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
}
