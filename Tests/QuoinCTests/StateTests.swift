import CQuoin
import Foundation
import Quoin
import Testing

extension CInterface {
  /// Snapshots, differences, findings, and several stores as one.
  @Suite struct StateTests {
    private let market: TestMarket
    private let store: CStore

    init() throws {
      market = try TestMarket.large()
      store = try CStore(market.path, UInt32(QUOIN_READ_WRITE))
    }

    @Test func snapshots_are_kept_opened_and_dropped() throws {
      let before = try store.count()
      try store.keep("monday")
      try store.delete(CQuery(tickers: ["T10"]))
      #expect(try store.snapshots() == ["monday"])
      let monday = try store.snapshot("monday")
      #expect(try monday.count() == before && store.count() == before - 5000)
      #expect(try store.snapshot("1").count() == before, "a generation by its number")
      #expect { try monday.delete(CQuery(tickers: ["T11"])) } throws: { ($0 as? CError)?.code == QUOIN_MISUSE }
      try store.drop("monday")
      #expect(try store.snapshots().isEmpty && monday.count() == before)
      for call in [
        { _ = try store.snapshot("monday") }, { try store.drop("monday") }, { _ = try store.snapshot("77") },
      ] {
        #expect { try call() } throws: { ($0 as? CError)?.code == QUOIN_UNKNOWN_SNAPSHOT }
      }
      #expect { try store.keep("no name") } throws: { ($0 as? CError)?.code == QUOIN_SYNTAX }
    }

    @Test func differences_are_days_and_cells() throws {
      try store.keep("before")
      let older = try store.snapshot("before")
      #expect(try store.diff(from: older).columns() == Array(repeating: [], count: 6))
      let day = TradingDay(daysSince1970: 5000)!
      try market.store.refresh()
      try market.store.write { transaction in
        try transaction.delete("T11", dates: day...day)
        try transaction.upsert(
          QuoteColumns(days: [day], doubles: [.close: [7]], integers: [.volume: [.min]]), of: "T10")
        try transaction.upsert(QuoteColumns(days: [TradingDay(daysSince1970: 9)!], doubles: [.close: [1]]), of: "NEW")
      }
      _ = try store.refresh()
      let stream = try store.diff(from: older)
      #expect(try stream.schema() == ["ticker:u", "date:tdD", "change:u", "attribute:u", "before:g", "after:g"])
      let rows = try stream.columns()
      let was = try older.scan(CQuery(tickers: ["T10"], columns: "close", limit: 1)).columns()[0][0]
      #expect(
        rows == [
          ["NEW", "T10", "T10", "T11"].map { .text($0) }, [.day(9), .day(5000), .day(5000), .day(5000)],
          ["added", "changed", "changed", "removed"].map { .text($0) },
          [.missing, .text("close"), .text("volume"), .missing],
          [.missing, was, .double(0), .missing], [.missing, .double(7), .missing, .missing],
        ])
    }

    @Test func findings_are_those_of_the_audit() throws {
      var expected: [[Cell]] = [[], [], [], []]
      try market.store.audit(AuditOptions(rules: [.jump], tickers: ["T10", "T12"], jump: 20)) { finding in
        for (column, cell) in [
          .text("\(finding.ticker)"), .day(finding.day.daysSince1970), .text(finding.rule.rawValue),
          .text(finding.details),
        ].enumerated() as EnumeratedSequence<[Cell]> { expected[column].append(cell) }
      }
      #expect(expected[0].count > 20)
      #expect(try store.audit("jump", jump: 20, CQuery(tickers: ["T10", "T12"])).columns() == expected)
      #expect(try store.audit("jump, low-above-high", jump: 1e9).columns() == [[], [], [], []])
      for (rules, jump, query) in [
        ("jumps", 0, CQuery()), ("jump", -1, CQuery()), ("jump", 0, CQuery(condition: "close > 1")),
        ("jump", 0, CQuery(limit: 1)),
      ] as [(String, Double, CQuery)] {
        #expect(throws: CError.self) { try store.audit(rules, jump: jump, query) }
      }
    }

    @Test func the_last_rows_and_the_first_of_each_day_are_asked_for() throws {
      let latest = CQuery(
        columns: "ticker, date, twice", order: "twice desc", limit: 3, flags: QUOIN_TICKERS_AS_TEXT | QUOIN_LATEST,
        definitions: "doubled = close * 2; twice = doubled + 0; ")
      let closes = try market.store.allQuotes.latest()
      let expected = zip(closes.columns.doubles(.close), closes.tickers).sorted { $0.0 > $1.0 }.prefix(3)
      let rows = try store.scan(latest).columns()
      #expect(rows[0] == expected.map { .text("\($0.1)") } && rows[2] == expected.map { .double($0.0 * 2) })
      #expect(try store.count(CQuery(top: "2 by close per day")) == 10_000)
      #expect(try store.count(CQuery(flags: QUOIN_LATEST)) == Int64(closes.rowCount))
      for (query, code) in [
        (CQuery(top: "2 by close"), QUOIN_SYNTAX), (CQuery(definitions: "close = 1"), QUOIN_SYNTAX),
        (CQuery(definitions: "x"), QUOIN_SYNTAX),
        (CQuery(flags: 8), QUOIN_MISUSE),
      ] {
        #expect { try store.count(query) } throws: { ($0 as? CError)?.code == code }
      }
    }

    @Test func several_stores_answer_as_one() throws {
      let parts = try (0..<3).map { part in
        var rows: [TickerSymbol: QuoteColumns] = [:]
        for (index, ticker) in market.store.tickers.enumerated() where index % 3 == part {
          rows[ticker] = try market.store.quotes(for: ticker).fetchColumns().columns
        }
        return try TestMarket(rows)
      }
      let joined = try CStore(joining: parts.map(\.path))
      let questions = [
        CQuery(), CQuery(tickers: ["T12", "T10", "T11"], order: "desc"), CQuery(condition: "rank(close by day) <= 2"),
        CQuery(
          columns: "ticker, d", order: "d desc", limit: 50, flags: QUOIN_TICKERS_AS_TEXT,
          definitions: "d = close - close of T23"),
        CQuery(tickers: ["T13"], resample: "month"), CQuery(asOf: "1990-01-01"),
      ]
      for query in questions {
        #expect(try joined.scan(query).columns() == store.scan(query).columns(), "\(query)")
      }
      #expect(
        try joined.aggregate("mean(close), count", by: "day").columns()
          == store.aggregate("mean(close), count", by: "day").columns())
      #expect(try joined.tickers() == store.tickers() && joined.partitions(4) == store.partitions(4))
      #expect(try joined.diff(from: store).columns()[0].isEmpty)
      #expect { try joined.keep("x") } throws: { ($0 as? CError)?.code == QUOIN_MISUSE }

      let count = try joined.count()
      #expect(try joined.refresh() == 3)
      try parts[1].store.delete("T11")
      #expect(try joined.count() == count)
      #expect(try joined.refresh() == 4 && joined.count() == count - 5000)

      #expect { try CStore(joining: [parts[0].path, market.path]) } throws: {
        ($0 as? CError)?.message.contains("both have quotes of T10") == true
      }
      #expect { try CStore(joining: []) } throws: { ($0 as? CError)?.code == QUOIN_MISUSE }
      #expect { try CStore(joining: [parts[0].path, "/nowhere"]) } throws: { ($0 as? CError)?.code == QUOIN_NO_STORE }
    }
  }
}
