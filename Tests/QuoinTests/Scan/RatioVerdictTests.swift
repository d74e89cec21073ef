import Testing

@testable import Quoin
@testable import QuoteGenerator

/// What the extremes of ratios say of blocks.
@Suite struct RatioVerdictTests {
  private static let days = (0..<6000).map { TradingDay(daysSince1970: 5000 + $0)! }

  /// A question for each ratio, and its two columns.
  private static let questions: [(text: String, over: Attribute, under: Attribute, shift: Int)] = [
    ("close > K * open", .close, .open, 0), ("high / low > K", .high, .low, 0),
    ("change(close) > K - 1", .close, .close, 1),
    ("close / prev(close, 5) > K", .close, .close, 5),
    ("adj_close > K * prev(adj_close)", .adjustedClose, .adjustedClose, 1),
    ("change(adj_close, 5) > K - 1", .adjustedClose, .adjustedClose, 5),
  ]

  /// Quiet prices, which are moved in some rows.
  private static func rows(_ moves: [Int: Double]) -> [DailyQuoteSummary] {
    var price = 100.0
    return days.enumerated().map { row, day in
      price = (price * (1 + Double(row % 7 - 3) / 1000) * 100).rounded() / 100
      let moved = (price * (moves[row] ?? 1) * 100).rounded() / 100
      return DailyQuoteSummary(
        ticker: "KO", date: day, open: price, high: max(price, moved), low: min(price, moved) - 0.01, close: moved,
        volume: 1,
        adjustedClose: moved / 2)
    }
  }

  private static func count(
    _ rows: [DailyQuoteSummary], _ over: Attribute, _ under: Attribute, _ shift: Int, above: Double
  ) -> Int {
    func value(_ row: Int, _ name: Attribute) -> Double {
      switch name {
      case .open: rows[row].open ?? .nan
      case .high: rows[row].high ?? .nan
      case .low: rows[row].low ?? .nan
      case .adjustedClose: rows[row].adjustedClose ?? .nan
      default: rows[row].close ?? .nan
      }
    }
    return rows.indices.count { $0 >= shift && value($0, over) > above * value($0 - shift, under) }
  }

  /// A move in the first rows of a block, of which the rows before are in another block or another file.
  @Test func a_move_between_two_blocks_is_found() throws {
    for row in [0, 1, 5, 1023, 1024, 1025, 1028, 1029, 2048, 2500] {
      let rows = Self.rows([row: 1.5])
      for parts in [1, 2, 5] {
        let store = try QuoteStore(at: "store", in: InMemoryFiles(areGuarded: row % 2 == 0))
        // Commits that fold leaves in files of their own, and that end anywhere.
        for part in 0..<parts {
          try store.upsert(Array(rows[(part * rows.count / parts)..<((part + 1) * rows.count / parts)]))
        }
        for (text, over, under, shift) in Self.questions {
          let quotes = try store.allQuotes.where(Quoin.Predicate(parsing: text.replacing("K", with: "1.2")))
          let count = Self.count(rows, over, under, shift, above: 1.2)
          #expect(try quotes.count() == count, "\(text), row \(row) of \(parts) parts")
        }
      }
    }
  }

  /// A block of four rows, which stays as it is beside another ticker's: the fifth row before the next block's first is before it.
  @Test func a_move_over_a_block_of_few_rows_is_found() throws {
    for (row, factor) in (2994...3010).flatMap({ row in [(row, 0.5), (row, 1.5)] }) {
      let rows = Self.rows([row: factor])
      let other = rows[..<100].map {
        DailyQuoteSummary(ticker: "PEP", date: $0.date, open: 1, close: 1, adjustedClose: 1)
      }
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      for part in [rows[..<3000], other + rows[3000..<3004], rows[3004..<3024]] { try store.upsert(Array(part)) }
      for (text, over, under, shift) in Self.questions {
        let quotes = try store.quotes(for: "KO").where(Quoin.Predicate(parsing: text.replacing("K", with: "1.2")))
        let report = try quotes.explain()
        let count = Self.count(Array(rows[..<3024]), over, under, shift, above: 1.2)
        #expect(report.rowCount == count, "\(text), row \(row)")
        #expect(report.blockCount == 5, "the blocks of few rows were joined")
      }
    }
  }

  /// A number that is a row's quotient, and those beside it.
  @Test func quotients_that_are_the_questions_number_are_told_apart() throws {
    var dice = TestSettings.dice("ratios that tie")
    for _ in 0..<TestSettings.count(debug: 5, release: 100) {
      let moves = (0..<3).map { _ in (dice.below(Self.days.count), 1 + dice.unit() / 4) }
      let rows = Self.rows(Dictionary(moves, uniquingKeysWith: { $1 }))
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      try store.upsert(rows)
      for (text, over, under, shift) in Self.questions {
        let most =
          rows.indices.dropFirst(shift).map { row -> Double in
            let (x, y) = (rows[row], rows[row - shift])
            return switch over {
            case .high: (x.high ?? 0) / (y.low ?? 1)
            case .adjustedClose: (x.adjustedClose ?? 0) / (y.adjustedClose ?? 1)
            default: (x.close ?? 0) / (under == .open ? y.open ?? 1 : y.close ?? 1)
            }
          }.max() ?? 0
        for number in [most.nextDown, most, most.nextUp, most * 1.0001, most * 0.9999] {
          let predicate = try Quoin.Predicate(parsing: text.replacing("K", with: "\(number)"))
          let found = try store.allQuotes.where(predicate).count()
          let all = try store.allQuotes.computing("truth", .if(predicate, 1, 0)).fetchColumns()
          #expect(found == all.computed("truth")?.count { $0 == 1 }, "\(text), \(number)")
        }
      }
    }
  }

  @Test func blocks_without_such_a_row_are_not_read() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(Self.rows([1500: 1.5, 1501: 1.5]))
    for (text, _, _, shift) in Self.questions {
      let report = try store.allQuotes.where(Quoin.Predicate(parsing: text.replacing("K", with: "1.2"))).explain()
      #expect(
        report.blockCount == 6 && report.prunedBlockCount == 5, "\(text): \(report.prunedBlockCount) blocks, \(shift)")
      // Blocks in which every row is such a one aren't either, but the first of a ticker, whose first rows have nothing before them.
      let opposite = try store.allQuotes.where(
        Quoin.Predicate(parsing: text.replacing(" > ", with: " <= ").replacing("K", with: "1.6"))
      ).explain()
      #expect(opposite.rowCount == 6000 - shift && opposite.wholeBlockCount == (shift == 0 ? 6 : 5), "\(text)")
    }
  }

  /// A row in which a value is missing doesn't match, in its own block or in the one that follows.
  @Test func a_missing_value_keeps_its_rows_out_of_blocks_that_match() throws {
    for gap in [0, 5, 1500, 2047, 2043, 5999] {
      var rows = Self.rows([:])
      rows[gap] = DailyQuoteSummary(ticker: "KO", date: rows[gap].date, volume: 1)
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      try store.upsert(rows)
      for (text, over, under, shift) in Self.questions {
        let opposite = text.replacing(" > ", with: " <= ").replacing("K", with: "1.6")
        let report = try store.allQuotes.where(Quoin.Predicate(parsing: opposite)).explain()
        #expect(report.rowCount == Self.count(rows, over, under, shift, above: 0), "\(opposite), gap in row \(gap)")
        #expect(report.wholeBlockCount >= 3, "\(opposite)")
      }
    }
  }

  /// Blocks that a later commit takes over as they are.
  @Test func a_store_that_grew_day_by_day_has_them_too() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let rows = Self.rows([1500: 1.5])
    try store.upsert(Array(rows[..<3000]))
    for row in 3000..<3200 { try store.upsert([rows[row]]) }
    for (text, over, under, shift) in Self.questions {
      let quotes = try store.allQuotes.where(Quoin.Predicate(parsing: text.replacing("K", with: "1.2")))
      #expect(try quotes.count() == Self.count(Array(rows[..<3200]), over, under, shift, above: 1.2))
      let report = try quotes.explain()
      #expect(report.blockCount - report.prunedBlockCount == 1, "\(text): \(report.blockCount) blocks")
    }
  }

  @Test func a_wrong_one_is_damage() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(Self.rows([:]))
    let file = try #require(try Snapshot.newest(in: "store", disk)?.soundFiles().first)
    for ratio in BlockRatio.all {
      let extent = try #require(file.header.statistics(of: ratio)?.extent)
      let sound = try #require(disk[file.path])
      // A checksum that is right, of other extremes.
      var (header, bytes) = (file.header, sound)
      bytes[extent.offset + ratio.byteCount] ^= 1
      let place = try #require(header.statistics.firstIndex { $0.name == ratio.name })
      header.statistics[place].extent.checksum = Checksum(of: Array(bytes[extent.range])).value
      bytes.replaceSubrange(0..<header.byteCount, with: header.bytes)
      disk["F"] = bytes
      var found: [StoreError] = []
      try ColumnFile("F", in: disk).verify(BlockScratch()) { found.append($0) }
      #expect(found.count == 1 && "\(found)".contains("the extremes of \(ratio.name) in block 1 "), "\(found)")
    }
  }
}
