import Testing

@testable import Quoin
@testable import QuoteGenerator

/// What questions announce to the disk, and that it is all that they read.
@Suite struct ReadAheadTests {
  /// Each question is the first one to a store whose bytes are there only once they are announced. One thread, because another
  /// may read what the first is still announcing, and then waits for the disk.
  @Test func all_that_a_question_reads_is_announced_and_changes_no_answer() throws {
    var dice = TestSettings.dice("announcements")
    for _ in 0..<TestSettings.count(debug: 20, release: 100) {
      let market = try RandomMarket(&dice)
      for _ in 0..<10 {
        let question = market.question(&dice)
        let store = try QuoteStore(at: "store", in: AnnouncedFiles(market.store.fileSystem))
        try expectSame(dice.below(6), question.query(store).threads(1), question, market)
      }
    }
  }

  /// On a disk whose bytes are there from the start.
  @Test func threads_that_announce_together_change_no_answer() throws {
    var dice = TestSettings.dice("announcements of threads")
    for _ in 0..<TestSettings.count(debug: 12, release: 50) {
      let market = try RandomMarket(&dice)
      for _ in 0..<10 {
        let question = market.question(&dice)
        let store = try QuoteStore(at: "store", in: AnnouncedFiles(market.store.fileSystem, isEverythingThere: true))
        try expectSame(dice.below(6), question.query(store).threads(3), question, market)
      }
    }
  }

  private func expectSame(
    _ kind: Int, _ cold: QuoteQuery, _ question: Question, _ market: RandomMarket
  ) throws {
    do {
      #expect(
        try isSame(kind, cold, question.query(market.store).threads(1)),
        "QUOIN_SEED=\(TestSettings.seed), \(kind) \(question)")
    } catch { Issue.record("QUOIN_SEED=\(TestSettings.seed), \(kind) \(question): \(error)") }
  }

  private func isSame(_ kind: Int, _ cold: QuoteQuery, _ warm: QuoteQuery) throws -> Bool {
    switch kind {
    case 0: return try cold.count() == warm.count()
    case 1: return try cold.fetchColumns().quotes == warm.fetch()
    case 2:
      var quotes: [DailyQuoteSummary] = []
      try cold.forEachBatch(rowsPerBatch: 100) { quotes += $0.quotes }
      return try quotes == warm.fetch()
    case 3: return try cold.isEmpty() == (warm.count() == 0)
    case 4: return try cold.latest().quotes == warm.latest().quotes
    default:
      let functions = Aggregation.Function.all
      let wanted = cold.attributes.flatMap { name in functions.map { Aggregation($0, of: name) } }
      return try [Grouping?.none, .ticker, .month].allSatisfy { grouping in
        try cells(cold.aggregate(wanted + [.count], by: grouping))
          == cells(warm.aggregate(wanted + [.count], by: grouping))
      }
    }
  }

  private func cells(_ table: AggregateTable) -> [String] {
    table.columns.flatMap { column in (0..<table.rowCount).map { column.text(at: $0) ?? "-" } }
  }

  /// A store of one file, in which each ticker has several blocks.
  private static func disk() throws -> InMemoryFiles {
    let disk = InMemoryFiles()
    try commit(
      Dictionary(uniqueKeysWithValues: ["A", "B", "C"].map { ($0, QuoteColumns.sample(5000)) }), to: "store", in: disk)
    return disk
  }

  /// What the second of the three tickers has in a section, directory or block by block.
  private func blocks(_ section: ColumnSection, _ store: QuoteStore) throws -> [Range<Int>] {
    let manifest = store.snapshot.manifest
    let (file, run) = (try store.snapshot.file(0), try #require(manifest.runs(ofTickerAt: 1).first))
    #expect(run.blockCount == 5 && manifest.runs(ofTickerAt: 1).count == 1)
    let directory = try file.directory(section)
    let start = file.header.columns[section.index].blocks.offset
    return run.blocks.map { (start + directory.blockOffset($0))..<(start + directory.blockOffset($0 + 1)) }
  }

  /// The ranges that were announced, without what overlaps.
  private func bytes(_ announced: [AnnouncedFiles.Announced], _ name: String) -> Set<Int> {
    announced.filter { $0.name == name }.reduce(into: []) { $0.formUnion($1.range) }
  }

  @Test func opening_announces_the_manifest_and_what_comes_before_the_directories() throws {
    let files = AnnouncedFiles(try Self.disk())
    let store = try QuoteStore(at: "store", in: files)
    let file = try store.snapshot.file(0)
    let announced = files.takeAnnounced()
    #expect(bytes(announced, "00000001.columns") == Set(0..<file.header.blockTable.range.upperBound))
    #expect(announced.contains(.init(name: "MANIFEST", range: 0..<store.snapshot.manifest.bytes.count)))
  }

  @Test func a_question_about_one_ticker_announces_directories_and_that_tickers_blocks_alone() throws {
    let disk = try Self.disk()
    let known = try QuoteStore(at: "store", in: disk)
    let header = try known.snapshot.file(0).header
    let files = AnnouncedFiles(disk)
    let store = try QuoteStore(at: "store", in: files)
    _ = files.takeAnnounced()
    #expect(try store.quotes(for: "B").threads(1).fetchColumns().rowCount == 5000)
    let directories =
      try #require(header.columns.first).directory.offset..<header.columns[12].directory.range.upperBound
    let announced = files.takeAnnounced()
    var expected = Set(directories)
    for section in ColumnSection.all { for block in try blocks(section, known) { expected.formUnion(block) } }
    #expect(bytes(announced, "00000001.columns") == expected)
    // All directories at once, and the ticker's part of each section at once.
    #expect(announced.count == 1 + ColumnSection.count)
  }

  @Test func a_count_announces_what_its_conditions_read_alone() throws {
    let disk = try Self.disk()
    let known = try QuoteStore(at: "store", in: disk)
    let file = try known.snapshot.file(0)
    let files = AnnouncedFiles(disk)
    let store = try QuoteStore(at: "store", in: files)
    _ = files.takeAnnounced()
    let count = try store.quotes(for: "B").threads(1).where(.close, above: 85, below: 86).count()
    #expect(try count == known.quotes(for: "B").where(.close, above: 85, below: 86).count() && count > 0)
    let expected = try blocks(.attribute(.close), known).reduce(
      into: Set(file.header.columns[ColumnSection.attribute(.close).index].directory.range)
    ) { $0.formUnion($1) }
    #expect(bytes(files.takeAnnounced(), "00000001.columns") == expected)
  }

  @Test func whether_there_are_rows_announces_no_output() throws {
    let disk = try Self.disk()
    let header = try QuoteStore(at: "store", in: disk).snapshot.file(0).header
    let files = AnnouncedFiles(disk)
    let store = try QuoteStore(at: "store", in: files)
    _ = files.takeAnnounced()
    #expect(try !store.allQuotes.threads(1).where(.close, above: 85, below: 86).isEmpty())
    let close = header.columns[ColumnSection.attribute(.close).index]
    let announced = bytes(files.takeAnnounced(), "00000001.columns")
    #expect(announced.isSubset(of: Set(close.directory.range).union(close.blocks.range)))
    #expect(!announced.isDisjoint(with: close.blocks.range))
  }

  @Test func a_question_that_is_repeated_announces_nothing() throws {
    let files = AnnouncedFiles(try Self.disk())
    let store = try QuoteStore(at: "store", in: files)
    let queries = [store.allQuotes.threads(1), store.quotes(for: "B").threads(1).where(.adjustedLow, in: 0...60)]
    for query in queries {
      for _ in 0..<2 {
        _ = files.takeAnnounced()
        _ = (try query.count(), try query.fetch(), try query.aggregate([.last(.adjustedVolume)], by: .week))
        _ = (try query.isEmpty(), try query.latest())
      }
      #expect(files.takeAnnounced().isEmpty)
    }
  }

  /// The first rows of a market are there without the market.
  @Test func first_rows_announce_few_blocks() throws {
    let disk = InMemoryFiles()
    let rows = try Dictionary(
      uniqueKeysWithValues: (0..<400).map { (try TickerSymbol("T\($0)"), QuoteColumns.sample(20, salt: $0 % 7)) })
    try commit(rows, to: "store", in: disk)
    let files = AnnouncedFiles(disk)
    let store = try QuoteStore(at: "store", in: files)
    let section = try store.snapshot.file(0).header.columns[ColumnSection.attribute(.close).index].blocks.range
    _ = files.takeAnnounced()
    #expect(try store.allQuotes.threads(1).where(.close, above: 85, below: 86).limited(to: 5).fetch().count == 5)
    let some = bytes(files.takeAnnounced(), "00000001.columns").intersection(section)
    #expect(try store.allQuotes.threads(1).where(.close, above: 85, below: 86).count() > 5)
    let rest = bytes(files.takeAnnounced(), "00000001.columns").intersection(section)
    #expect(!some.isEmpty && some.count * 2 < rest.count, "\(some.count) of \(rest.count) and \(section.count)")
  }
}
