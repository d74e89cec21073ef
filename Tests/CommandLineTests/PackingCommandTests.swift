import Testing

/// `--pack` on the commands that fill a store, and on the one that rewrites it.
struct PackingCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func packing() throws -> String? {
    try workspace.run("info").lines.first { $0.hasPrefix("packing") }?.split(separator: " ").last.map(String.init)
  }

  private func storages(of column: String) throws -> Set<String> {
    let cells = try workspace.run("info --encodings --format csv").lines.map { $0.split(separator: ",") }
    return Set(cells.filter { $0[0] == column }.map { String($0[2]) })
  }

  @Test func an_import_sets_how_the_store_packs_and_says_so() throws {
    let files = ["FDX.json", "wiki-sample.csv"].map(Workspace.data)
    let first = try workspace.run("import \(files[0]) --pack small")
    #expect(first.status == 0 && first.out.hasSuffix("\n'\(workspace.store)' packs its blocks small from now on.\n"))
    #expect(try packing() == "small")
    #expect(try storages(of: "close").contains("differenceBits"))
    let before = try workspace.run("scan").out
    let same = try workspace.run("import \(files[1]) --pack small")
    #expect(same.status == 0 && !same.out.contains("packs its blocks"))
    let fast = try workspace.run("import \(files[0]) --pack FAST")
    #expect(
      fast.out.hasSuffix(
        "\n'\(workspace.store)' packs its blocks fast from now on. 'quoin compact' repacks those that it had.\n"))
    #expect(try packing() == "fast" && storages(of: "close").contains("differenceBits"))
    #expect(try workspace.run("compact").status == 0)
    #expect(try storages(of: "close") == ["raw"])
    #expect(try workspace.run("scan FDX").out == before)
  }

  @Test func a_compaction_repacks_and_says_so() throws {
    #expect(try workspace.run("generate --tickers 3 --rows 5000").status == 0)
    let before = try workspace.run("export").out
    let result = try workspace.run("compact --pack small")
    #expect(result.out.hasPrefix("Compacted '\(workspace.store)': "))
    #expect(result.out.hasSuffix(" now.\n'\(workspace.store)' packs its blocks small from now on.\n"))
    #expect(try workspace.run("export").out == before)
    #expect(try storages(of: "high").contains("differenceBits"))
    #expect(try workspace.run("info --format csv").line(1).hasSuffix(",2,small"))
    #expect(try !workspace.run("compact").out.contains("packs its blocks"))
    #expect(try workspace.run("verify").status == 0)
  }

  @Test func generated_quotes_are_packed_as_asked() throws {
    let result = try workspace.run("generate --tickers 2 --rows 3000 --pack small")
    #expect(result.out.hasSuffix("\n'\(workspace.store)' packs its blocks small from now on.\n"))
    #expect(try storages(of: "open").contains("differenceBits"))
    let csv = try workspace.run("generate --csv --pack small")
    #expect(csv.status == 64 && csv.err.hasPrefix("quoin: --pack is about a store; leave out --csv or --pack\n"))
  }

  @Test(arguments: ["import \(Workspace.data("FDX.json"))", "compact", "generate"])
  func a_way_that_there_is_not_changes_nothing(command: String) throws {
    #expect(try workspace.run("generate --ticker OLD").status == 0)
    let before = try workspace.shell("cat store/MANIFEST").out
    let result = try workspace.run("\(command) --pack smal")
    #expect(result.status == 64 && result.err == "quoin: there is no packing 'smal'; did you mean 'small'?\n")
    #expect(try workspace.shell("cat store/MANIFEST").out == before)
  }
}
