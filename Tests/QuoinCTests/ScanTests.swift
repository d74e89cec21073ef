import CQuoin
import Quoin
import Testing

extension CInterface {
  /// Streams of rows, compared value by value with what the library gives.
  @Suite struct ScanTests {
    static let all = QuoteFormatter.Column.all

    @Test func every_value_comes_back_bit_for_bit() throws {
      let market = try TestMarket.nasty()
      let store = try CStore(market.path)
      let questions: [(CQuery, (QuoteStore) throws -> QuoteQuery)] = [
        (CQuery(), { $0.allQuotes }),
        (CQuery(threads: 1, flags: UInt32(QUOIN_TICKERS_AS_TEXT)), { $0.allQuotes }),
        (CQuery(tickers: ["^GSPC", "A"], order: "desc"), { $0.quotes(for: "^GSPC", "A").ordered(.descending) }),
        (CQuery(condition: "close > 0 or volume < 0"), { $0.allQuotes.where(.close > 0 || .volume < 0) }),
        (CQuery(from: "1960-01-01", to: "1970-06-30"), { $0.allQuotes.dates(from: "1960-01-01", to: "1970-06-30") }),
        (CQuery(limit: 1500, offset: 700), { $0.allQuotes.limited(to: 1500).offset(by: 700) }),
        (CQuery(asOf: "1969-12-31"), { try $0.asOf("1969-12-31").allQuotes }),
        (
          CQuery(tickers: ["A"], resample: "quarter", label: "period-end"),
          { try $0.resampled(by: .quarter, label: .periodEnd, tickers: ["A"]).quotes(for: "A") }
        ),
      ]
      for (query, makeQuery) in questions {
        let stream = try store.scan(query)
        let isText = query.flags != 0
        #expect(
          try stream.schema()
            == Self.all.map { column in
              switch column {
              case .ticker: isText ? "ticker:u" : "ticker:i/u"
              case .date: "date:tdD"
              default: column.name == "volume" ? "volume:l" : "\(column.name):g"
              }
            })
        let batch = try makeQuery(market.store).fetchColumns()
        let columns = try stream.columns()
        #expect(batch.rowCount > 0 && columns == batch.cells(Self.all), "\(query)")
      }
    }

    @Test func what_is_computed_is_a_column() throws {
      let market = try TestMarket.nasty()
      let stream = try CStore(market.path).scan(
        CQuery(columns: "adjClose, close / prev(close) - 1 as r, Ticker, log(open)"))
      #expect(try stream.schema() == ["adj_close:g", "r:g", "ticker:i/u", "log(open):g"])
      let batch = try market.store.allQuotes.selecting(.adjustedClose)
        .computing("r", .close / .prev(.close) - 1).computing("log(open)", .log(.open)).fetchColumns()
      let columns: [QuoteFormatter.Column] = [
        .attribute(.adjustedClose), .computed("r"), .ticker, .computed("log(open)"),
      ]
      #expect(try stream.columns() == batch.cells(columns))
    }

    @Test func rows_come_in_batches_with_one_dictionary() throws {
      let market = try TestMarket.large()
      let store = try CStore(market.path)
      let columns = [.ticker, .date, .attribute(.close), .attribute(.volume)] as [QuoteFormatter.Column]
      let query = CQuery(columns: "ticker, date, close, volume")
      let batches = try store.scan(query).batches()
      // A batch ends with a block.
      #expect(batches.map { $0[0].count } == [66_024, 3976])
      let expected = try market.store.allQuotes.fetchColumns().cells(columns)
      #expect((0..<4).map { column in batches.flatMap { $0[column] } } == expected)

      let (stream, other) = (try store.scan(query), try store.scan(query))
      var addresses: Set<UnsafeRawPointer?> = []
      for stream in [stream, other] {
        var nullCounts: [Int64] = []
        while let batch = try stream.next() {
          let symbols = batch.child(0).pointee.dictionary!.pointee
          #expect(symbols.length == 14)
          addresses.insert(symbols.buffers[2])
          nullCounts.append(batch.child(2).pointee.null_count)
        }
        #expect(nullCounts == [0, nullCounts.last!] && nullCounts.last! > 0)
      }
      #expect(addresses.count == 1)
    }

    @Test func rows_in_order_of_values_come_in_batches_too() throws {
      let market = try TestMarket.large()
      let stream = try CStore(market.path).scan(CQuery(columns: "ticker, close", order: "volume desc"))
      let batches = try stream.batches()
      #expect(batches.map { $0[0].count } == [65_536, 4464])
      let expected = try market.store.allQuotes.sorted(by: .volume, .descending)
      #expect(
        (0..<2).map { column in batches.flatMap { $0[column] } } == expected.cells([.ticker, .attribute(.close)]))
      let top = try CStore(market.path).scan(CQuery(columns: "volume", order: "volume desc", limit: 2, offset: 1))
      let last = (0..<14).map { Cell.integer(Int64(499_900 + $0)) }
      #expect(try top.columns() == [[last[12], last[11]]])
    }

    @Test func without_rows_there_is_a_schema_and_no_batch() throws {
      let market = try TestMarket.nasty()
      let store = try CStore(market.path)
      for query in [
        CQuery(condition: "high < -1 and high > 1"), CQuery(limit: Int64(QUOIN_NO_ROWS)), CQuery(tickers: []),
        CQuery(order: "volume desc", limit: Int64(QUOIN_NO_ROWS)), CQuery(offset: .max), CQuery(from: "9999-12-31"),
        CQuery(asOf: "0001-01-01"),
      ] {
        let stream = try store.scan(query)
        #expect(try stream.schema().count == 14)
        #expect(try stream.batches().isEmpty, "\(query)")
        #expect(try stream.next() == nil && stream.next() == nil && stream.lastError == nil)
        #expect(try store.count(query) == 0)
      }
    }

    @Test func counts_are_those_of_the_library() throws {
      let market = try TestMarket.nasty()
      let store = try CStore(market.path)
      #expect(try store.count() == market.store.allQuotes.count())
      #expect(
        try store.count(CQuery(tickers: ["A"], condition: "close > 0", limit: 7))
          == market.store.quotes(for: "A").where(.close > 0).limited(to: 7).count())
      let bars = try market.store.resampled(by: .year, tickers: ["A"])
      #expect(try store.count(CQuery(tickers: ["A"], resample: "year")) == bars.allQuotes.count())
    }

    @Test func explain_tells_the_condition_and_the_rows() throws {
      let store = try CStore(TestMarket.nasty())
      let text = try store.explain(CQuery(condition: "close > 0 and close > prev(close)"))
      #expect(text.contains("condition") && text.contains("close > prev(close)") && text.contains("rows"))
    }

    @Test func tickers_and_their_parts_are_complete_and_even() throws {
      let market = try TestMarket.large()
      let store = try CStore(market.path)
      let tickers = market.store.tickers.map(\.description)
      #expect(try store.tickers() == tickers)
      for count in [1, 2, 3, 7, 14, 100] {
        let parts = try store.partitions(count)
        #expect(parts.count == count && parts.flatMap { $0 } == tickers)
        if count <= 7 { #expect(parts.allSatisfy { abs($0.count * count - 14) <= count }, "\(parts)") }
      }
      #expect(try store.partitions(2, CQuery(tickers: ["T20", "T11", "T20"])) == [["T20"], ["T11"]])
      #expect(try store.partitions(2, CQuery(tickers: [])) == [[], []])
    }

    @Test func values_of_other_tickers_are_found_in_views_too() throws {
      let market = try TestMarket.large()
      let store = try CStore(market.path)
      let query = CQuery(tickers: ["T12"], resample: "month", columns: "date, close - close of T11 as d")
      let months = try market.store.resampled(by: .month, tickers: ["T11", "T12"])
      let batch = try months.quotes(for: "T12").computing("d", .close - .close.of("T11")).fetchColumns()
      #expect(try store.scan(query).columns() == batch.cells([.date, .computed("d")]))
    }

    @Test func a_stream_keeps_its_snapshot_and_a_store_moves_on_when_it_is_told() throws {
      let market = try TestMarket.nasty()
      let store = try CStore(market.path)
      let (before, count) = (try store.scan(), try store.count())
      try market.store.upsert([DailyQuoteSummary(ticker: "NEW", date: "2018-03-27", close: 1)])
      #expect(try store.count() == count && store.refresh() == 2 && store.count() == count + 1)
      #expect(try store.tickers().contains("NEW"))
      #expect(try before.columns()[0].count == count)
      #expect(
        try store.scan(CQuery(tickers: ["NEW"], columns: "ticker,close")).columns() == [[.text("NEW")], [.double(1)]])
      #expect(try store.refresh() == 2)
    }
  }

  /// Streams of groups, compared with the library's tables.
  @Suite struct AggregateTests {
    @Test func groups_have_the_values_of_the_library() throws {
      let market = try TestMarket.large()
      let store = try CStore(market.path)
      let list =
        "count, mean(close) as m, sum(volume), argmax(close), m / 2 as half, first(volume), count(distinct volume) as d"
      let stream = try store.aggregate(list, by: "year", CQuery(condition: "close > 30"))
      #expect(
        try stream.schema() == [
          "ticker:i/u", "year:tdD", "count:l", "m:g", "sum(volume):l", "argmax(close):tdD", "half:g", "first(volume):l",
          "d:l",
        ])
      let aggregations: [Aggregation] = [
        .count, .mean(.close), .sum(.volume), Aggregation(.argmax, of: .close), .first(.volume),
        Aggregation(.distinct, of: .volume),
      ]
      let table = try market.store.allQuotes.where(.close > 30).aggregate(aggregations, by: .year)
      func integers(_ index: Int) -> [Cell] {
        table.integers(aggregations[index]).map { $0.map { .integer(Int64($0)) } ?? .missing }
      }
      let means = table.doubles(.mean(.close))
      let expected: [[Cell]] = [
        table.tickers.map { .text("\($0)") }, table.periods.map { .day($0.daysSince1970) }, integers(0),
        means.map { .double($0 ?? .nan) }, integers(2),
        table.days(aggregations[3]).map { $0.map { .day($0.daysSince1970) } ?? .missing },
        means.map { .double(($0 ?? .nan) / 2) }, integers(4), integers(5),
      ]
      let columns = try stream.columns()
      #expect(table.rowCount > 200 && columns == expected)
    }

    @Test func groups_of_weekdays_and_of_all_tickers_have_their_keys() throws {
      let store = try CStore(TestMarket.large())
      let days = try store.aggregate("count", by: "weekday")
      #expect(try days.schema() == ["weekday:l", "count:l"])
      #expect(try days.columns()[0] == (1...7).map { .integer($0) })
      let years = try store.aggregate(
        "count as n", by: "year, all", having: "n > 0", CQuery(order: "n desc", limit: 1, flags: 1))
      #expect(try years.schema() == ["year:tdD", "n:l"])
      #expect(try years.columns()[1].count == 1)
    }

    @Test func a_group_without_values_has_none_and_a_NaN_is_none() throws {
      let store = try CStore(TestMarket.nasty())
      let stream = try store.aggregate(
        "count, max(low), sum(close), argmin(low), last(volume)", CQuery(tickers: ["A"], from: "9999-12-31"))
      #expect(try stream.columns() == [[.integer(0)], [.missing], [.missing], [.missing], [.missing]])
      // Infinities of both signs.
      #expect(try store.aggregate("sum(open)").columns() == [[.missing]])
    }

    @Test func a_sum_that_no_int64_holds_is_an_error() throws {
      let store = try CStore(TestMarket.nasty())
      #expect { try store.aggregate("sum(volume) as s", CQuery(condition: "volume > 0")) } throws: { error in
        (error as? CError)?.code == QUOIN_UNANSWERABLE && (error as? CError)?.message.contains("s is ") == true
      }
    }
  }
}
