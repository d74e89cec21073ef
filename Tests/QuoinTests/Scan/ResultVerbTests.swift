import Testing

@testable import Quoin
@testable import QuoteGenerator

/// `fetchOne`, `isEmpty`, `latest`, cursors, and how limit and offset meet them.
@Suite struct ResultVerbTests {
  @Test func verbs_agree_with_the_oracle_on_random_questions() throws {
    var dice = TestSettings.dice("verbs of results")
    for _ in 0..<TestSettings.count("QUOIN_VERB_STORES", debug: 12, release: 60) {
      let market = try RandomMarket(&dice)
      for _ in 0..<60 {
        let question = market.question(&dice)
        let query = question.query(market.store).threads(dice.element(of: [1, 3]))
        let answer = question.answer(market.rows)
        let first = answer.first.map { DayOfTicker(ticker: $0.ticker, row: $0.rows[0], market) }
        #expect(try query.isEmpty() == answer.isEmpty, "\(question)")
        #expect(try query.fetchOne().map(DayOfTicker.init) == first, "\(question)")
        #expect(try query.latest().quotes.map(DayOfTicker.init) == latest(question, market), "\(question)")
      }
    }
  }

  private struct DayOfTicker: Equatable {
    let ticker: TickerSymbol
    let day: TradingDay

    init(_ quote: DailyQuoteSummary) { (ticker, day) = (quote.ticker, quote.date) }

    init(ticker: TickerSymbol, row: Int, _ market: RandomMarket) {
      (self.ticker, day) = (ticker, market.rows[ticker]?.days[row] ?? .earliest)
    }
  }

  /// The last row of each ticker among all that match; limit and offset count these.
  private func latest(_ question: Question, _ market: RandomMarket) -> [DayOfTicker] {
    var all = question
    (all.order, all.limit, all.offset) = (.ascending, nil, 0)
    let lasts = all.answer(market.rows).map { DayOfTicker(ticker: $0.ticker, row: $0.rows[$0.rows.count - 1], market) }
    return Array(lasts.dropFirst(question.offset).prefix(question.limit ?? .max))
  }

  @Test func limit_and_offset_are_those_of_sql_in_either_order() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(1500), "B": .sample(700)])
    let days = try store.allQuotes.ordered(.descending).fetch().map(\.date)
    for (offset, limit) in [(0, 3), (1, 1), (1024, 600), (1499, 2), (1500, 10), (2199, 5), (2200, 1), (.max, .max)] {
      let query = store.allQuotes.ordered(.descending)
      let expected = Array(days.dropFirst(offset).prefix(limit))
      for query in [query.limited(to: limit).offset(by: offset), query.offset(by: offset).limited(to: limit)] {
        #expect(try query.fetch().map(\.date) == expected)
        #expect(try query.fetchColumns().columns.days == expected)
        #expect(try query.count() == expected.count)
        #expect(try query.aggregate([.count]).rowCount == (offset == 0 && limit > 0 ? 1 : 0), "a limit of one group")
      }
    }
  }

  @Test func rows_before_the_offset_are_counted_and_not_read() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(20_000)])
    let report = try store.allQuotes.offset(by: 19_990).explain()
    #expect(report.rowCount == 10)
    #expect(try report.readByteCount * 10 < store.allQuotes.explain().readByteCount)
  }

  /// A store of three tickers in which only some blocks are sound. A has the blocks 0 to 4, B 5 to 9, and C block 10.
  private static func store(soundBlocks: Set<Int>) throws -> QuoteStore {
    let disk = InMemoryFiles()
    try commit(["A": .sample(5000), "B": .sample(5000), "C": .sample(10)], to: "store", in: disk)
    for part in try StoreParts(disk).parts {
      guard case .block(let index, _, _) = part.kind, !soundBlocks.contains(index) else { continue }
      disk[part.path]?[part.range.lowerBound] ^= 1
    }
    return try QuoteStore(at: "store", in: disk)
  }

  @Test func latest_reads_the_blocks_of_each_ticker_from_the_end() throws {
    let query = try Self.store(soundBlocks: [4, 9, 10]).allQuotes
    #expect(try query.latest().columns.cellBits == [5000, 5000, 10].map { QuoteColumns.sample($0).cellBits[$0 - 1] })
    let end = try #require(QuoteColumns.sample(3000).days.last)
    #expect(throws: StoreError.self) { try query.dates(to: end).latest() }
  }

  @Test func the_first_quote_is_found_without_the_other_blocks() throws {
    let query = try Self.store(soundBlocks: [0]).allQuotes
    #expect(try query.fetchOne()?.date == QuoteColumns.sample(1).days[0])
    #expect(try query.where(.high, above: 0).isEmpty() == false)
    #expect(throws: StoreError.self) { try query.fetchColumns() }
  }

  @Test func a_cursor_throws_an_error_once_and_ends() throws {
    let cursor = try Self.store(soundBlocks: [0, 1, 2]).allQuotes.cursor(rowsPerBatch: 1000)
    for _ in 0..<3 { #expect(try cursor.next()?.rowCount == 1024) }
    #expect(throws: StoreError.self) { try cursor.next() }
    #expect(try cursor.next()?.rowCount == nil)
  }

  @Test func an_error_of_the_body_ends_the_reading() throws {
    struct Enough: Error {}
    var batchCount = 0
    #expect(throws: Enough.self) {
      try Self.store(soundBlocks: [0]).allQuotes.forEachBatch(rowsPerBatch: 1) { _ in
        batchCount += 1
        throw Enough()
      }
    }
    #expect(batchCount == 1)
  }
}
