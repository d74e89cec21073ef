import CQuoin
import Foundation
import Quoin
import Testing

extension CInterface {
  /// Rows that come in as Arrow streams, and the other functions that write.
  @Suite struct WriteTests {
    private let directory: CFolder
    private var folder: String { directory.path }
    private var path: String { folder + "/store" }

    init() throws { directory = try CFolder() }

    private func created() throws -> CStore { try CStore(path, UInt32(QUOIN_CREATE)) }

    private func rows(_ columns: String = "ticker, date, close, volume") throws -> [[Cell]] {
      try CStore(path).scan(CQuery(columns: columns, flags: QUOIN_TICKERS_AS_TEXT)).columns()
    }

    @Test func what_a_scan_gives_is_stored_bit_for_bit() throws {
      let before = quoin_live_count()
      for market in [try TestMarket.nasty(isStorable: true), try TestMarket.large()] {
        let source = try CStore(market.path)
        for flags in [0, QUOIN_TICKERS_AS_TEXT] {
          let target = try created()
          let expected = try source.scan(CQuery(flags: flags)).columns()
          let rowCount = Int64(expected[0].count)
          let stream = try source.scan(CQuery(flags: flags))
          #expect(try target.store(stream) == [rowCount, 0, 0, 0, 0])
          #expect(stream.isReleased && target.isOfGeneration(1))
          #expect(try target.scan(CQuery(flags: flags)).columns() == expected)
          #expect(try target.store(source.scan(CQuery(order: "desc"))) == [0, 0, rowCount, 0, 0])
          #expect(target.isOfGeneration(1), "what changes nothing is no commit")
          #expect(try QuoteStore.verify(at: path).damages.isEmpty)
          try FileManager.default.removeItem(atPath: path)
        }
      }
      #expect(quoin_live_count() == before)
    }

    @Test func volumes_with_fractions_come_in_and_out_as_float64() throws {
      let target = try created()
      let ticker = MadeColumn.texts("ticker", "u", ["BTC", "BTC", "BTC"], Int32.self)
      let days = MadeColumn.values("date", "tdD", [13_000, 13_001, 13_002] as [Int32?])
      let closes = MadeColumn.values("close", "g", [1, 2, 3] as [Double?])
      let volumes: [Double?] = [0.1, nil, 7]
      _ = try target.store(MadeStream([(3, [ticker, days, closes, .values("volume", "g", volumes)])]))
      let query = CQuery(columns: "ticker, volume", flags: QUOIN_TICKERS_AS_TEXT)
      #expect(try target.scan(query).schema()[1].hasPrefix("volume:g"))
      #expect(try target.scan(query).columns()[1] == volumes.map { Cell.double($0 ?? .nan) })
      #expect(try target.count(CQuery(condition: "volume > 0.05 and volume < 0.15")) == 1)
      let sum = try target.aggregate("sum(volume), max(volume), count(volume)")
      #expect(try sum.columns() == [[.double(7.1)], [.double(7)], [.integer(2)]])
      _ = try target.store(
        MadeStream([(3, [ticker, days, closes, .values("volume", "d:19,4", [15_000, nil, 1] as [Int128?])])]))
      #expect(try target.scan(query).columns()[1] == [.double(1.5), .missing, .double(1e-4)])
      #expect(try QuoteStore(at: path).hasFractionalVolumes && QuoteStore.verify(at: path).damages.isEmpty)
    }

    @Test func every_type_that_others_write_is_read() throws {
      let tickers = ["KO", "KO", "BRK.A", "A_TICKER_OF_17_CH", "KO"]
      let days: [Int32] = [13_000, 13_001, 13_000, 13_002, -1]
      let dictionary = MadeColumn.textBuffers(["A_TICKER_OF_17_CH", "BRK.A", "KO"], Int32.self)
      let tickerColumns = [
        MadeColumn.texts("ticker", "u", tickers, Int32.self), .texts("Symbol", "U", tickers, Int64.self),
        .views("TICKER", tickers),
        MadeColumn(
          name: "ticker", format: "C", buffers: [nil, [2, 2, 1, 0, 2]],
          dictionary: ("u", [nil] + dictionary.map { $0 }, 3)),
      ]
      let texts = days.map { "\(TradingDay(daysSince1970: Int($0))!)" }
      let dayColumns = [
        MadeColumn.values("date", "tdD", days), .values("Date", "tdm", days.map { Int64($0) * 86_400_000 }),
        .values("date", "tss:", days.map { Int64($0) * 86_400 }),
        .values("timestamp", "tsn:UTC", days.map { Int64($0) * 86_400_000_000_000 }),
        .texts("date", "u", texts, Int32.self),
      ]
      let closes: [Double?] = [80.25, nil, -0.0, 1e-3, .nan]
      let closeColumns: [(MadeColumn, [Double?])] = [
        (.values("close", "g", closes), [80.25, nil, -0.0, 1e-3, nil]),
        (
          .values("Adj. Close", "f", closes.map { $0.map { Float($0) } }), [80.25, nil, -0.0, Double(Float(1e-3)), nil]
        ),
        (.values("close", "s", [80, nil, 0, -7, 3] as [Int16?]), [80, nil, 0, -7, 3]),
        (.values("close", "L", [1 << 63, nil, 0, 1, 3] as [UInt64?]), [0x1p63, nil, 0, 1, 3]),
        (
          .values("close", "d:19,4", [802_500, nil, -1, 7, 1 << 70] as [Int128?]),
          [80.25, nil, -1e-4, 7e-4, 0x1p70 / 1e4]
        ),
        (.values("close", "d:9,2,32", [8025, nil, -1, 7, 1] as [Int32?]), [80.25, nil, -0.01, 0.07, 0.01]),
      ]
      let volumeColumns = [
        MadeColumn.values("volume", "l", [.max, 0, nil, 1, 1_373_400] as [Int64?]),
        .values("volume", "d:38,0", [Int128(Int64.max), 0, nil, 1, 1_373_400]),
      ]
      for (index, (close, expected)) in closeColumns.enumerated() {
        for (place, (ticker, day)) in zip(tickerColumns + tickerColumns[..<1], dayColumns).enumerated() {
          let volume = volumeColumns[(index + place) % 2]
          let stream = MadeStream([(5, [close, day, volume, ticker])])
          let store = try created()
          #expect(try store.store(stream) == [5, 0, 0, 0, 0] && stream.releasedCount == 1)
          let name = close.name == "close" ? "close" : "adj_close"
          // By ticker and day.
          let order = [3, 2, 4, 0, 1]
          let volumes: [Int64] = [.max, 0, .min, 1, 1_373_400]
          #expect(
            try rows("ticker, date, \(name), volume") == [
              order.map { .text(tickers[$0]) }, order.map { .day(days[$0]) },
              order.map { .double(expected[$0] ?? .nan) },
              order.map { .integer(orMissing: volumes[$0]) },
            ], "\(close.format) \(day.format) \(ticker.format)")
          try FileManager.default.removeItem(atPath: path)
        }
      }
    }

    @Test func columns_with_an_offset_and_several_batches_are_read() throws {
      let first = MadeColumn.values("close", "g", [1, 2, nil, 4], offset: 2)
      let days = MadeColumn.values("date", "tdD", [9, 8, 13_000, 13_001] as [Int32?], offset: 2)
      let other = [
        MadeColumn.values("close", "g", [5.5, 6.5, 7.5]), .values("date", "tdD", [13_001, 13_003, 13_002] as [Int32?]),
      ]
      let stream = MadeStream([(2, [first, days]), (0, other), (3, other)])
      #expect(try created().store(stream, ticker: "KO", source: "a test", onDuplicate: "last") == [3, 0, 0, 0, 1])
      #expect(
        try rows("close, date") == [
          [.double(5.5), .double(7.5), .double(6.5)], [.day(13_001), .day(13_002), .day(13_003)],
        ])
      let records = try QuoteStore(at: path).importRecords()
      #expect(records.count == 1 && records[0].source == "a test" && records[0].rowCount == 3)
    }

    @Test func modes_say_what_becomes_of_days_that_are_there() throws {
      func column(_ name: String, _ values: [Double]) -> MadeColumn { .values(name, "g", values) }
      let days = MadeColumn.values("date", "tdD", [13_000, 13_001] as [Int32?])
      let store = try created()
      try store.store(MadeStream([(2, [days, column("open", [1, 2]), column("close", [3, 4])])]), ticker: "KO")
      let new = [days, column("close", [3, 5])]
      #expect(try store.store(MadeStream([(2, new)]), ticker: "KO", mode: "keep") == [0, 0, 0, 2, 0])
      #expect(try store.store(MadeStream([(2, new)]), ticker: "KO", mode: "update") == [0, 1, 1, 0, 0])
      #expect(try rows("open, close") == [[.double(1), .double(2)], [.double(3), .double(5)]])
      #expect(try store.store(MadeStream([(2, new)]), ticker: "KO", mode: "replace") == [0, 2, 0, 0, 0])
      #expect(try rows("open, close") == [[.missing, .missing], [.double(3), .double(5)]])
    }

    @Test func two_rows_of_a_day_are_refused_unless_the_last_one_is_to_count() throws {
      let store = try created()
      func stream(_ batches: [[Double]]) -> MadeStream {
        MadeStream(
          batches.map { closes in
            (
              closes.count,
              [
                .texts("ticker", "u", closes.map { _ in "KO" }, Int32.self),
                .values("date", "tdD", closes.map { _ in 13_000 } as [Int32?]), .values("close", "g", closes),
                .values("open", "g", closes.map { _ in 1 }),
              ]
            )
          })
      }
      for batches in [[[1, 2]], [[1], [2]], [[1, .nan]], [[1], [1, 1, 1.5]]] as [[[Double]]] {
        #expect { try store.store(stream(batches)) } throws: { error in
          let error = error as? CError
          return error?.code == QUOIN_BAD_INPUT && error?.message.contains("KO has 2005-08-05 twice") == true
        }
      }
      #expect(store.isOfGeneration(0))
      #expect(try store.store(stream([[1, 1], [1]])).reduce(0, +) == 1)
      #expect(try rows("close") == [[.double(1)]])
      try store.store(stream([[1, 2], [.nan]]), mode: "fill", onDuplicate: "last")
      #expect(try rows("close") == [[.double(2)]])
      try store.store(stream([[3], [4]]), onDuplicate: "last")
      #expect(try rows("close") == [[.double(4)]])
      #expect { try store.store(stream([[5]]), onDuplicate: "first") } throws: {
        ($0 as? CError)?.message == "on_duplicate: 'first' isn't one of error, last"
      }
    }

    @Test func columns_that_are_unknown_are_refused_unless_they_are_to_be_left_out() throws {
      let store = try created()
      func stream() -> MadeStream {
        let days = MadeColumn.values("date", "tdD", [13_000] as [Int32?])
        // Of a type that can't be read, too.
        return MadeStream([
          (
            1,
            [
              .values("vwap", "g", [1]), days, .values("close", "g", [80.25]), .values("at", "ttm", [5] as [Int32?]),
            ]
          )
        ])
      }
      #expect { try store.store(stream(), ticker: "KO") } throws: { error in
        let error = error as? CError
        return error?.code == QUOIN_BAD_INPUT && error?.message.hasPrefix("unknown columns 'vwap', 'at'; ") == true
          && error?.message.hasSuffix("; on_extra \"ignore\" leaves such columns out") == true
      }
      #expect(store.isOfGeneration(0))
      #expect(try store.store(stream(), ticker: "KO", onExtra: "ignore") == [1, 0, 0, 0, 0])
      #expect(try rows("close, open") == [[.double(80.25)], [.missing]])
      #expect { try store.store(stream(), ticker: "KO", onExtra: "warn") } throws: {
        ($0 as? CError)?.message == "on_extra: 'warn' isn't one of error, ignore"
      }
    }

    /// As files have them, where nothing else can be meant.
    @Test func days_come_as_texts_and_numbers_too() throws {
      let ticker = MadeColumn.texts("ticker", "u", ["KO"], Int32.self)
      let close = MadeColumn.values("close", "g", [80.25])
      let days: [MadeColumn] =
        ["2005-10-14", "20051014", "2005/10/14", "2005-10-14T00:00:00Z", "14-Oct-2005", "Oct 14, 2005"].map {
          .texts("date", "u", [$0], Int32.self)
        } + [
          .values("date", "i", [20_051_014 as Int32?]), .values("date", "I", [20_051_014 as UInt32?]),
          .values("date", "l", [20_051_014 as Int64?]), .values("date", "L", [20_051_014 as UInt64?]),
        ]
      let store = try created()
      for day in days {
        #expect(try store.store(MadeStream([(1, [ticker, day, close])])).reduce(0, +) == 1)
        #expect(try rows("date, close") == [[.day(13_070)], [.double(80.25)]])
      }
      let others: [MadeColumn] =
        ["1/2/2005", "2005-02-30", "soon", ""].map { .texts("date", "u", [$0], Int32.self) } + [
          .values("date", "l", [20_051_332 as Int64?]), .values("date", "l", [1_129_248_000 as Int64?]),
          .values("date", "i", [-20_051_014 as Int32?]), .values("date", "L", [UInt64.max as UInt64?]),
        ]
      for day in others {
        #expect { try store.store(MadeStream([(1, [ticker, day, close])])) } throws: {
          ($0 as? CError)?.message.hasPrefix("row 0, counted from 0, has no date") == true
        }
      }
    }

    /// What pandas and Polars make of a column of which they know no value.
    @Test func a_column_of_nulls_has_missing_cells() throws {
      let (ticker, day) = (
        MadeColumn.texts("ticker", "u", ["KO"], Int32.self), MadeColumn.values("date", "i", [20_051_014 as Int32?])
      )
      let close = MadeColumn.values("close", "g", [80.25])
      func nulls(_ name: String) -> MadeColumn { MadeColumn(name: name, format: "n", buffers: [], nullCount: 1) }
      let store = try created()
      try store.store(MadeStream([(1, [ticker, day, close, .values("volume", "l", [5 as Int64])])]))
      try store.store(MadeStream([(1, [ticker, day, nulls("close"), nulls("volume")])]), mode: "fill")
      #expect(try rows("close, volume") == [[.double(80.25)], [.integer(5)]])
      try store.store(MadeStream([(1, [ticker, day, close, nulls("volume")])]))
      #expect(try rows("close, volume") == [[.double(80.25)], [.missing]])
      for columns in [[nulls("ticker"), day, close], [ticker, nulls("date"), close]] {
        #expect { try store.store(MadeStream([(1, columns)])) } throws: {
          ($0 as? CError)?.message.hasPrefix("row 0, counted from 0, has no ") == true
        }
      }
    }

    @Test func after_an_error_nothing_has_changed_and_the_stream_is_released() throws {
      let store = try created()
      let days = MadeColumn.values("date", "tdD", [13_000] as [Int32?])
      let (ticker, close) = (
        MadeColumn.texts("ticker", "u", ["KO"], Int32.self), MadeColumn.values("close", "g", [1.0])
      )
      try store.store(MadeStream([(1, [ticker, days, close])]))
      let good = [ticker, days, MadeColumn.values("close", "g", [2.0])]
      func withDay<Value>(_ format: String, _ value: Value?) -> [MadeColumn] {
        [ticker, .values("date", format, [value] + (value == nil ? [] : [])), close]
      }
      let mistakes: [(MadeStream, String)] = [
        (MadeStream([(1, good)], failure: "the disk is gone"), "the disk is gone"),
        (
          MadeStream(
            [(1, good), (1, [ticker, .values("date", "tdD", [Int32.max] as [Int32?]), close])], fields: good),
          "row 1, counted from 0, has no date"
        ),
        (MadeStream([(1, withDay("tss:", 86_401 as Int64))]), "row 0, counted from 0, has no date"),
        (MadeStream([(1, withDay("tsn:America/New_York", 0 as Int64))]), "the zone 'America/New_York'"),
        (MadeStream([(1, [.texts("ticker", "u", ["K O"], Int32.self), days, close])]), "a bad ticker"),
        (MadeStream([(1, [.texts("ticker", "u", [nil], Int32.self), days, close])]), "no ticker"),
        (MadeStream([(1, [ticker, days, .values("volume", "g", [Double.infinity])])]), "a volume that isn't finite"),
        (MadeStream([(1, [ticker, days, .values("volume", "l", [Int64.min])])]), "a volume that isn't a whole number"),
        (
          MadeStream([(1, [ticker, days, .values("volume", "l", [-5 as Int64])])]),
          "the volume of KO on 2005-08-05 is -5"
        ),
        (
          MadeStream([(1, [ticker, days, .values("close", "g", [-Double.infinity])])]),
          "the close of KO on 2005-08-05 is -inf"
        ),
        (
          MadeStream([(1, [ticker, days, .values("adj_volume", "g", [-1.5])])]),
          "the adj_volume of KO on 2005-08-05 is -1.5"
        ),
        (
          MadeStream([(1, [ticker, days, .values("volume", "L", [UInt64.max])])]), "a volume that isn't a whole number"
        ),
        (MadeStream([(1, [ticker, close])]), "there is no column 'date'"),
        (MadeStream([(1, [days, close])]), "there is no column 'ticker'"),
        (MadeStream([(1, [ticker, days])]), "there is no column of values"),
        (
          MadeStream([(1, [ticker, days, close, .values("cloze", "g", [1.0])])]),
          "unknown column 'cloze'; did you mean 'close'?"
        ),
        (MadeStream([(1, [ticker, days, close, .values("Close", "g", [1.0])])]), "two columns are taken for 'Close'"),
        (
          MadeStream([(1, [ticker, days, .texts("close", "u", ["1"], Int32.self)])]),
          "column 'close' has Arrow's type 'u'; it has to be a number"
        ),
        (MadeStream([(1, [ticker, days, .values("close", "+l", [1.0])])]), "Arrow's type '+l'"),
        (MadeStream([]), "there is no column 'date'"),
      ]
      for (stream, words) in mistakes {
        #expect { try store.store(stream) } throws: { error in
          (error as? CError)?.code == QUOIN_BAD_INPUT && (error as? CError)?.message.contains(words) == true
        }
        #expect(stream.releasedCount == 1 && stream.pointer.pointee.release == nil, "\(words)")
      }
      let both = MadeStream([(1, good)])
      #expect { try store.store(both, ticker: "KO") } throws: { ($0 as? CError)?.code == QUOIN_BAD_INPUT }
      let other = MadeStream([(1, good)])
      #expect { try store.store(other, mode: "upsert") } throws: { ($0 as? CError)?.code == QUOIN_SYNTAX }
      #expect(both.releasedCount == 1 && other.releasedCount == 1)
      #expect(store.isOfGeneration(1))
      #expect(try rows() == [[.text("KO")], [.day(13_000)], [.double(1)], [.missing]])
    }

    @Test func only_a_store_that_is_open_for_writing_is_written() throws {
      try created().store(try CStore(TestMarket.large()).scan(CQuery(tickers: ["T10"])))
      let reader = try CStore(path)
      let stream = MadeStream([])
      let calls: [() throws -> Void] = [
        { try reader.store(stream) }, { try reader.importFiles(["x.csv"]) },
        { try reader.delete(CQuery(tickers: ["T10"])) }, { try reader.keep("monday") }, { try reader.drop("monday") },
      ]
      for call in calls {
        #expect(throws: (any Error).self) { try call() }
        #expect { try call() } throws: { ($0 as? CError)?.message.contains("open for reading only") == true }
      }
      #expect(stream.releasedCount == 1)
      #expect(throws: (any Error).self) { try CStore(folder + "/none", UInt32(QUOIN_READ_WRITE)) }
    }

    @Test func files_are_imported_as_one_commit() throws {
      let file = folder + "/KO.csv"
      try "Date,Close,Volume\n2005-10-14,80.5,100\n2005-10-17,81,200\n".write(
        toFile: file, atomically: true, encoding: .utf8)
      let store = try created()
      #expect(try store.importFiles([file], ticker: "KO") == [2, 0, 0, 0, 0])
      #expect(try rows("close, volume") == [[.double(80.5), .double(81)], [.integer(100), .integer(200)]])
      try "Date,Close\n2005-10-14,x\n".write(toFile: file, atomically: true, encoding: .utf8)
      for (paths, words) in [([file], "KO.csv"), ([folder + "/none.csv"], "none.csv"), (["-"], "standard input")] {
        #expect { try store.importFiles(paths, ticker: "KO") } throws: {
          ($0 as? CError)?.message.contains(words) == true
        }
      }
      #expect(store.isOfGeneration(1))
    }

    @Test func rows_are_deleted_by_ticker_day_and_condition() throws {
      let market = try TestMarket.large()
      let store = try CStore(market.path, UInt32(QUOIN_READ_WRITE))
      #expect(try store.delete(CQuery(tickers: ["T10"])) == 5000)
      #expect(try store.delete(CQuery(tickers: ["T11"], from: "1983-09-10", to: "1983-09-19")) == 10)
      #expect(try store.delete(CQuery(condition: "volume < limit", definitions: "limit = 1000")) == 13 * 10 - 10)
      #expect(try store.count() == 70_000 - 5000 - 10 - 120)
      for query in [
        CQuery(), CQuery(limit: 5), CQuery(tickers: ["T12"], order: "desc"), CQuery(tickers: ["T12"], limit: 1),
      ] {
        #expect { try store.delete(query) } throws: { ($0 as? CError)?.code == QUOIN_MISUSE }
      }
      #expect { try store.delete(CQuery(tickers: ["T99"])) } throws: { ($0 as? CError)?.code == QUOIN_UNKNOWN_TICKER }
    }

    @Test func another_writer_is_told() throws {
      let market = try TestMarket.large()
      let store = try CStore(market.path, UInt32(QUOIN_READ_WRITE))
      try market.store.write { _ in
        #expect { try store.delete(CQuery(tickers: ["T10"])) } throws: { ($0 as? CError)?.code == QUOIN_LOCKED }
      }
    }
  }
}

extension CStore {
  /// Whether so many commits are shown.
  fileprivate func isOfGeneration(_ number: UInt64) -> Bool { (try? refresh()) == number }
}
