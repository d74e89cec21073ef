import Testing

/// A damaged store on the command line: what can still be read, what is said, and what is saved.
struct DamageTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  private func damage(_ file: String, at offset: Int) throws {
    let result = try workspace.shell("printf X | dd of=store/\(file) bs=1 seek=\(offset) conv=notrunc 2> /dev/null")
    #expect(result.status == 0)
  }

  private var checksums: String { get throws { try workspace.shell("cd store && cksum *").out } }

  @Test func a_repair_lists_what_is_lost_as_csv_and_saves_the_rest() throws {
    try workspace.damage(.high, ofBlock: 3)
    let before = try checksums
    let result = try workspace.run("repair --into \(workspace.path)/new")
    #expect(result.status == 1)
    #expect(result.line(0) == "ticker,first_day,last_day,rows,lost,file,offset,reason")
    let cells = "FDX,2001-01-05,2005-02-03,1024"
    let damage = "\(workspace.store)/00000001.columns,"
    #expect(result.lines.count == 3)
    for (index, column) in ["high", "adj_high"].enumerated() {
      #expect(result.line(index + 1).hasPrefix("\(cells),\(column),\(damage)"), "\(result.out)")
      #expect(result.line(index + 1).hasSuffix(",the checksum of block 3 (high of FDX) differs"))
    }
    #expect(
      result.err
        == "quoin: saved 4,224 rows of 7 tickers from '\(workspace.store)' into '\(workspace.path)/new'; "
        + "what is lost is listed\n")
    #expect(try checksums == before)
    #expect(try workspace.run("verify --store \(workspace.path)/new").status == 0)
    let missing = ["scan", "FDX", "--where", "high is missing and adj_high is missing", "--count"]
    #expect(try workspace.run(missing + ["--store", "\(workspace.path)/new"]).out == "1024\n")
    let table = try workspace.run("repair --into \(workspace.path)/again --format table")
    #expect(table.line(0).hasPrefix("ticker  first_day   last_day    rows  lost      file"))
  }

  @Test func a_repair_of_a_sound_store_saves_all_of_it() throws {
    let result = try workspace.run("repair --into \(workspace.path)/new")
    #expect(result.status == 0 && result.lines.count == 1)
    #expect(result.err.hasSuffix("; nothing is lost\n"))
    #expect(try workspace.run("export --store \(workspace.path)/new").out == workspace.run("export").out)
    let again = try workspace.run("repair --into \(workspace.path)/new")
    #expect(again.status == 2 && again.out.isEmpty)
    #expect(again.err == "quoin: there is a store at '\(workspace.path)/new' already; name a directory for a new one\n")
    #expect(try workspace.run("repair").status == 64)
  }

  @Test func a_repair_needs_no_manifest() throws {
    let export = try workspace.run("export").out
    _ = try workspace.shell("rm store/MANIFEST")
    let refused = try workspace.run("scan FDX --count")
    #expect(refused.status == 2)
    #expect(
      refused.err
        == "quoin: '\(workspace.store)/MANIFEST' is damaged at byte 0: it is missing, and there are column files that it "
        + "has to name; 'quoin verify' lists all damage, and 'quoin repair' saves what is sound into a new store\n")
    let verified = try workspace.run("verify")
    #expect(verified.status == 2 && verified.err.contains("is damaged in 1 place; "))
    let result = try workspace.run("repair --into \(workspace.path)/new")
    #expect(result.status == 1 && result.lines.count == 2)
    #expect(result.line(1).hasPrefix(",,,,manifest,\(workspace.store)/MANIFEST,0,"))
    #expect(try workspace.run("export --store \(workspace.path)/new").out == export)
  }

  @Test func nothing_to_save_is_an_error() throws {
    try damage("00000001.columns", at: 0)
    let result = try workspace.run("repair --into \(workspace.path)/new")
    #expect(result.status == 2 && result.lines.count == 9)
    #expect(result.err == "quoin: nothing of '\(workspace.store)' could be saved\n")
  }

  @Test func a_damaged_file_costs_its_own_tickers_only() throws {
    #expect(try workspace.run("generate --ticker NEW --days 30").status == 0)
    try damage("00000002.columns", at: 100)
    #expect(try workspace.run("scan FDX --count").out == "1200\n")
    #expect(try workspace.run("tickers").status == 2)
    for command in ["scan --count", "scan NEW --count", "export", "compact", "delete FDX", "generate --ticker B"] {
      let result = try workspace.run(command)
      #expect(result.status == 2 && result.out.isEmpty, "\(command)")
      #expect(
        result.err
          == "quoin: '\(workspace.store)/00000002.columns' is damaged at byte 0: the header's checksum differs; "
          + "'quoin verify' lists all damage, and 'quoin repair' saves what is sound into a new store\n", "\(command)")
    }
    #expect(try workspace.run("verify").err.contains("is damaged in 1 place; "))
    let repaired = try workspace.run("repair --into \(workspace.path)/new")
    #expect(repaired.status == 1 && repaired.line(1).hasPrefix("NEW,"))
    #expect(try workspace.run("scan --count --store \(workspace.path)/new").out == "4224\n")
  }

  @Test(arguments: ["store-3-manifest", "store-5-columns"])
  func a_store_of_a_newer_version_is_refused_and_never_written_to(fixture: String) throws {
    let source = Workspace.data("../Tests/QuoinTests/Fixtures/\(fixture)")
    #expect(try workspace.shell("rm -r store && cp -r \(source) store && mkdir other").status == 0)
    let before = try checksums
    let (file, version) = fixture == "store-3-manifest" ? ("MANIFEST", 3) : ("00000002.columns", 5)
    let commands = [
      "import \(Workspace.data("FDX.json"))", "import \(Workspace.data("wiki-sample.csv")) --skip-bad-rows",
      "generate", "generate --ticker NEW --days 3", "delete --all --yes", "delete FDX", "delete --from 2001-01-05",
      "compact",
      "compact --wait 1", "repair --into \(workspace.path)/other/new", "verify", "scan --count", "tickers", "export",
    ]
    for command in commands {
      let result = try workspace.run(command)
      #expect(result.status == 2 && result.out.isEmpty, "\(command)")
      #expect(
        result.err
          == "quoin: '\(workspace.store)/\(file)' has format version \(version), and this version of Quoin "
          + "reads \(version - 1); use a newer one\n", "\(command)")
      #expect(try checksums == before, "\(command)")
    }
    #expect(try workspace.shell("ls other").out.isEmpty)
    let intoNewer = [
      "repair", "--store", Workspace.data("../Tests/QuoinTests/Fixtures/store-2"), "--into", workspace.store,
    ]
    #expect(try workspace.run(intoNewer).err.contains("has format version \(version)"))
    #expect(try checksums == before)
  }
}
