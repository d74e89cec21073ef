import Testing

struct WriteCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  @Test func a_ticker_is_deleted() throws {
    let result = try workspace.run("delete FDX BA")
    #expect(result.out == "Removed 1,704 rows; 2,520 left in '\(workspace.store)'.\n")
    #expect(try workspace.run("scan FDX").status == 2)
  }

  @Test func days_and_what_a_condition_selects_are_deleted() throws {
    #expect(
      try workspace.run("delete FDX --from 2005-10-14").out == "Removed 1 row; 4,223 left in '\(workspace.store)'.\n")
    #expect(try workspace.run(["delete", "--where", "ticker = 1"]).status == 64)
    #expect(
      try workspace.run(["delete", "--where", "date < 2016-01-01"]).out.hasPrefix("Removed 1,199 rows; 3,024 left"))
    #expect(try workspace.run("tickers").lines.count == 7)
  }

  @Test func everything_goes_only_with_all() throws {
    let refused = try workspace.run("delete")
    #expect(refused.status == 64)
    #expect(
      refused.err == "quoin: say what to delete: tickers, --where, --from, --to, or --all for everything\n")
    #expect(try workspace.run("delete FDX --all").status == 64)
    #expect(try workspace.run("scan --count").out == "4224\n")
    #expect(try workspace.run("delete --all --yes").out == "Removed 4,224 rows; 0 left in '\(workspace.store)'.\n")
    #expect(try workspace.run("tickers").out == "ticker,rows,first_day,last_day,bytes\n")
    #expect(try workspace.run("tickers --format json").out == "[]\n")
  }

  @Test func generated_quotes_are_the_same_in_a_store_and_as_csv() throws {
    let arguments = "generate --tickers 3 --rows 700 --seed 5"
    let stored = try workspace.run("\(arguments) --store \(workspace.path)/made")
    #expect(stored.out.hasPrefix("Generated 700 rows of 3 tickers in "))
    #expect(try workspace.run("info --format ndjson --store \(workspace.path)/made").out.contains("\"generation\":1"))
    let csv = try workspace.run("\(arguments) --csv")
    #expect(csv.lines.count == 701)
    #expect(try csv.out == workspace.run("export --store \(workspace.path)/made").out)
    #expect(try workspace.run("generate --tickers 3 --rows 700 --seed 6 --csv").out != csv.out)
    #expect(try workspace.run("\(arguments) --store \(workspace.path)/made").out.contains("nothing changed"))
  }

  @Test func a_short_history_ends_about_today() throws {
    #expect(try workspace.run("generate --ticker TEST --days 30").out.contains("30 rows of 1 ticker"))
    let last = try #require(try workspace.run("scan TEST --order desc --limit 1 --columns date").lines.last)
    let today = try workspace.shell("date -u +%F; date -u -d '-7 days' +%F 2> /dev/null || date -u -v-7d +%F")
    #expect(last <= today.line(0) && last >= today.line(1))
  }

  @Test(arguments: [
    "generate --tickers 5 --rows 2", "generate --days 5", "generate --ticker A --tickers 2",
    "generate --ticker A --days 0", "generate --output x.csv", "delete --all --yes --wait -1", "scan --limit -1",
  ])
  func senseless_numbers_are_wrong_usage(arguments: String) throws {
    let result = try workspace.run(arguments)
    #expect(result.status == 64)
    #expect(result.err.hasPrefix("quoin: "))
  }

  @Test func a_sound_store_is_verified_in_a_line() throws {
    let result = try workspace.run("verify")
    #expect(result.status == 0 && result.err.isEmpty)
    #expect(result.out.hasPrefix("'\(workspace.store)' is sound: 1 file, 104 blocks, "))
  }

  @Test func damage_is_named_with_file_and_place() throws {
    try workspace.damage(.high, ofBlock: 3)
    let result = try workspace.run("verify")
    #expect(result.status == 2 && result.out.isEmpty)
    #expect(result.err.contains("/00000001.columns' is damaged at byte "))
    #expect(result.err.contains(": the checksum of block 3 (high of FDX) differs\n"))
    #expect(
      result.err.hasSuffix(
        "quoin: '\(workspace.store)' is damaged in 1 place; 'quoin repair' saves what is sound into a new store\n"))
    #expect(try workspace.run("export --output \(workspace.path)/x.csv").status == 2)
    #expect(try workspace.shell("ls | grep x.csv").out.isEmpty)
  }

  @Test func compacting_tells_bytes_before_and_after() throws {
    _ = try workspace.run("generate --ticker TEST --days 30")
    let result = try workspace.run("compact")
    #expect(result.out.hasPrefix("Compacted '\(workspace.store)': "))
    #expect(result.out.hasSuffix(" in 1 file now.\n"))
    #expect(try workspace.run("scan --count").out == "4254\n")
  }
}

/// `quoin shard`, and what other commands make of the result.
struct ShardCommandTests {
  @Test func a_sharded_store_is_read_as_one_and_written_shard_by_shard() throws {
    let workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"])
    let divided = try workspace.run("shard --count 2 --output market")
    #expect(
      divided.status == 0 && divided.out.hasPrefix("Divided ") && divided.out.hasSuffix(" into 2 shards in 'market'.\n")
    )
    for question in [
      ["scan", "--where", "high > 80"], ["scan", "FDX", "--count"], ["scan", "--aggregate", "max(close)"],
    ] {
      let whole = try workspace.run(question)
      #expect(whole.status == 0 && !whole.out.isEmpty)
      #expect(try workspace.run(question + ["--store", "market"]).out == whole.out, "\(question)")
    }
    #expect(try workspace.run("info --store market").out.contains("shards   2\n"))
    #expect(try workspace.run("verify --store market").status == 0)
    #expect(try workspace.run("diff market").status == 0)
    let refused = try workspace.run("delete FDX --store market")
    #expect(
      refused.status == 2 && refused.err.contains("'market' is made of shards")
        && refused.err.contains("market/shard-0001"))
    #expect(try workspace.run("shard --count 2 --output market").status == 2)
    #expect(try workspace.run("shard --count 0 --output other").status == 64)
  }
}
