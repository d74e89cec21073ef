import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Orders by several keys, of rows and of groups, and the first rows of groups.
@Suite struct OrderTests {
  /// Cells that a plain sort compares: missing values last, both ways.
  private static func precedes(_ a: [(value: Double, isFalling: Bool)], _ b: [(value: Double, isFalling: Bool)])
    -> Bool?
  {
    for (x, y) in zip(a, b) {
      if x.value.isNaN || y.value.isNaN {
        if x.value.isNaN == y.value.isNaN { continue }
        return y.value.isNaN
      }
      if x.value != y.value { return x.isFalling ? x.value > y.value : x.value < y.value }
    }
    return nil
  }

  private struct Rows: Equatable {
    let tickers: [TickerSymbol]
    let days: [TradingDay]

    init(_ batches: QuestionRows) throws {
      var (rows, tickers, days) = (batches, [TickerSymbol](), [TradingDay]())
      while let batch = try rows.next() {
        tickers += batch.tickers
        days += batch.columns.days
      }
      (self.tickers, self.days) = (tickers, days)
    }

    init(_ rows: [(ticker: TickerSymbol, row: Int)], _ market: RandomMarket) {
      tickers = rows.map(\.ticker)
      days = rows.map { market.rows[$0.ticker]!.days[$0.row] }
    }
  }

  /// The rows that meet a predicate, ticker by ticker.
  private static func selected(
    _ predicate: Quoin.Predicate, _ tickers: [TickerSymbol], _ market: RandomMarket
  ) -> [(ticker: TickerSymbol, row: Int)] {
    tickers.flatMap { ticker in
      let truths = truths(predicate, market.rows[ticker]!, of: ticker)
      return truths.indices.filter { truths[$0] == yes }.map { (ticker, $0) }
    }
  }

  /// Rows come by any keys, a page of them or all.
  @Test func rows_come_by_their_keys() throws {
    var dice = TestSettings.dice("keys of rows")
    for _ in 0..<TestSettings.count(debug: 15, release: 300) {
      let market = try RandomMarket(&dice)
      let expressions = (0..<2).map { _ in
        dice.element(of: [market.expression(&dice, depth: 1), .calendar(.month), .sign(.change(.close))])
      }
      let predicate = market.predicate(&dice, depth: 1)
      let tickers = dice.chance(0.3) ? Array(market.tickers.reversed()) : market.tickers
      var keys: [RowKey] = []
      for _ in 0...dice.below(3) {
        let value = dice.element(
          of: [
            .period(.day), .period(.month), .ticker, .askedTicker, .expression(expressions[0]),
            .expression(expressions[1]),
          ] as [RowKey.Value])
        keys.append(RowKey(value, dice.element(of: [.ascending, .descending])))
      }
      let selected = Self.selected(predicate, tickers, market)
      let computed = Dictionary(
        uniqueKeysWithValues: market.tickers.map { ticker in
          (ticker, expressions.map { values($0, market.rows[ticker]!, of: ticker) })
        })
      let cells = selected.map { ticker, row in
        keys.map { key in
          let day = market.rows[ticker]!.days[row]
          let value: Double =
            switch key.value {
            case .ticker: Double(market.tickers.firstIndex(of: ticker)!)
            case .askedTicker: Double(tickers.firstIndex(of: ticker)!)
            case .period(let period): Double(period.first(of: day).daysSince1970)
            case .expression(let x): computed[ticker]![x == expressions[0] ? 0 : 1][row]
            }
          return (value: value, isFalling: key.isDescending)
        }
      }
      let expected = selected.indices.sorted { Self.precedes(cells[$0], cells[$1]) ?? ($0 < $1) }.map { selected[$0] }
      var question = QuoteQuestion()
      (question.tickers, question.conditions) = (tickers, [predicate])
      question.order = RowOrder.keys(keys).simplified(for: dice.chance(0.5) ? tickers : nil)
      if tickers != market.tickers { question.order = .keys(keys) }
      question.limit = dice.element(of: [nil, 0, 1, 3, 50, 5000])
      question.offset = dice.element(of: [0, 0, 2, 100])
      let page = Array(expected.dropFirst(question.offset).prefix(question.limit ?? .max))
      #expect(
        try Rows(QuestionRows(question, in: market.store, rowsPerBatch: 100)) == Rows(page, market),
        "\(keys), \(question.limit ?? -1) after \(question.offset) where \(predicate)")
    }
  }

  /// The first rows of groups are those that a dictionary of sorted rows has.
  @Test func the_first_rows_of_groups_are_among_what_is_selected() throws {
    var dice = TestSettings.dice("top of groups")
    for _ in 0..<TestSettings.count(debug: 15, release: 300) {
      let market = try RandomMarket(&dice)
      let (x, predicate) = (market.expression(&dice, depth: 1), market.predicate(&dice, depth: 1))
      let (count, order) = (1 + dice.below(3), dice.element(of: [DateOrder.ascending, .descending]))
      let grouping = dice.element(
        of: [
          .ticker, Grouping(.month), Grouping(.ticker, .year), .day, .weekday,
          Grouping(.expression(.calendar(.month), name: "m")),
          Grouping(.ticker, .expression(.sign(.close - .open), name: "s"), .quarter),
        ] as [Grouping])
      var groups: [[String]: [(ticker: TickerSymbol, row: Int, value: Double)]] = [:]
      let selected = Self.selected(predicate, market.tickers, market)
      var computed: [TickerSymbol: [[Double]]] = [:]
      for ticker in market.tickers {
        computed[ticker] = ([x] + grouping.expressions).map { values($0, market.rows[ticker]!, of: ticker) }
      }
      for (ticker, row) in selected {
        let (cells, day) = (computed[ticker]!, market.rows[ticker]!.days[row])
        if cells[0][row].isNaN { continue }
        let key = grouping.keys.map { key in
          if let expression = key.expression {
            let value = cells[1 + grouping.expressions.firstIndex(of: expression)!][row]
            return value.isNaN ? "-" : "\(value + 0)"
          }
          return key == .ticker ? "\(ticker)" : key == .weekday ? "\(day.weekday)" : "\(key.period!.first(of: day))"
        }
        groups[key, default: []].append((ticker, row, cells[0][row]))
      }
      let kept = groups.values.flatMap { rows in
        rows.indices.sorted { a, b in
          let (x, y) = (rows[a].value, rows[b].value)
          return x == y ? a < b : order == .ascending ? x < y : x > y
        }.prefix(count).map { "\(rows[$0].ticker) \(rows[$0].row)" }
      }
      let wanted = Set(kept)
      let expected = selected.filter { wanted.contains("\($0) \($1)") }
      let top = TopRows(count: count, expression: x, order: order, grouping: grouping)
      let query = market.store.allQuotes.where(predicate).threads(1 + dice.below(3))
      let found = try query.top(top).fetchColumns()
      #expect(
        zip(found.tickers, found.columns.days).map { "\($0) \($1)" }
          == expected.map { "\($0) \(market.rows[$0]!.days[$1])" },
        "\(count) by \(x) \(order) per \(grouping.keys.map(\.name)) where \(predicate)")
      #expect(try query.top(top).count() == expected.count)
    }
  }

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var quotes: [DailyQuoteSummary] = []
    for (ticker, factor, count) in [("FDX", 1.0, 8), ("KO", 2.0, 10), ("MSFT", -1.0, 9)]
      as [(TickerSymbol, Double, Int)]
    {
      for day in 0..<count {
        quotes.append(
          DailyQuoteSummary(
            ticker: ticker, date: TradingDay(daysSince1970: 13_085 + day)!, open: 10, close: 10 + factor * Double(day),
            volume: Int64(day % 3 * 100)))
      }
    }
    try store.upsert(quotes)
    return store
  }

  private static func rows(_ fields: [QuestionField.Name: String], in store: QuoteStore) throws -> [String] {
    let question = try QuoteQuestion(fields.map { ($0.key, $0.value) })
    var text = ""
    try store.answer(question).write(.csv) { bytes in
      text += unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return text.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func rows_are_ordered_in_words() throws {
    let store = try Self.store()
    for (order, expected) in [
      ("date desc", ["KO,2005-11-07", "KO,2005-11-06", "MSFT,2005-11-06"]),
      ("ticker desc", ["MSFT,2005-10-29", "MSFT,2005-10-30", "MSFT,2005-10-31"]),
      ("volume desc, date desc, ticker desc", ["MSFT,2005-11-06", "KO,2005-11-06", "MSFT,2005-11-03"]),
      ("v, ticker, date desc", ["FDX,2005-11-04", "FDX,2005-11-01", "FDX,2005-10-29"]),
      ("desc", ["FDX,2005-11-05", "FDX,2005-11-04", "FDX,2005-11-03"]),
      ("ticker, date desc", ["FDX,2005-11-05", "FDX,2005-11-04", "FDX,2005-11-03"]),
      ("ticker", ["FDX,2005-10-29", "FDX,2005-10-30", "FDX,2005-10-31"]),
      ("date", ["FDX,2005-10-29", "KO,2005-10-29", "MSFT,2005-10-29"]),
    ] {
      #expect(
        try Self.rows([.order: order, .limit: "3", .columns: "ticker, date, volume as v"], in: store).map {
          $0.split(separator: ",").prefix(2).joined(separator: ",")
        } == expected, "\(order)")
    }
    #expect(
      try Self.rows([.tickers: "MSFT,FDX", .order: "ticker", .limit: "1", .columns: "ticker"], in: store) == ["FDX"])
    #expect(try Self.rows([.tickers: "MSFT,FDX", .limit: "1", .columns: "ticker"], in: store) == ["MSFT"])
    // The store's own order costs nothing.
    for (tickers, order) in [
      ("KO", "date desc"), ("KO", "date, close"), ("KO", "ticker, date"), ("KO,MSFT", "ticker, date desc"),
    ] {
      guard case .date = try QuoteQuestion([.tickers: tickers, .order: order]).order else {
        Issue.record("\(order) of \(tickers)")
        continue
      }
    }
  }

  @Test func groups_are_ordered_by_their_keys() throws {
    let store = try Self.store()
    for (by, order, expected) in [
      ("day", "day desc", ["2005-11-07,1", "2005-11-06,2"]), ("day", "date desc", ["2005-11-07,1", "2005-11-06,2"]),
      ("day", "desc", ["2005-11-07,1", "2005-11-06,2"]), ("ticker", "ticker desc", ["MSFT,9", "KO,10"]),
      ("ticker", "desc", ["MSFT,9", "KO,10"]), ("month", "desc", ["FDX,2005-11-01,5", "FDX,2005-10-01,3"]),
      ("month", "month desc, ticker desc", ["MSFT,2005-11-01,6", "KO,2005-11-01,7"]),
      ("month", "count desc, ticker", ["KO,2005-11-01,7", "MSFT,2005-11-01,6"]),
      ("month(date) as m", "m desc", ["11,18", "10,9"]), ("month(date)", "month(date) desc", ["11,18", "10,9"]),
      ("month(date) as m, ticker", "m desc, ticker desc", ["11,MSFT,6", "11,KO,7"]),
      ("volume", "volume desc", ["200,8", "100,9"]), ("close > open as up", "up desc", ["1,16", "0,11"]),
      ("weekday", "weekday desc", ["7,5", "6,6"]), ("weekday", "count desc, weekday desc", ["6,6", "7,5"]),
    ] {
      let rows = try Self.rows([.by: by, .aggregates: "count", .order: order, .limit: "2"], in: store)
      #expect(rows == expected, "\(by) by \(order)")
    }
    #expect(
      try Self.rows([.by: "volume", .aggregates: "count, volume / 100 as v", .having: "volume > 0"], in: store) == [
        "100,9,1.0", "200,8,2.0",
      ])
    // A key is known as it is written, too.
    for (by, having, expected) in [
      ("close > open", "close > open", ["1,16"]), ("close > open", "not close > open and count > 1", ["0,11"]),
      ("volume / 100", "volume / 100 > 1", ["2.0,8"]), ("volume / 100", "1 < volume / 100", ["2.0,8"]),
      ("volume / 100 as v", "volume / 100 = 1 or v = 7", ["1.0,9"]),
    ] {
      let rows = try Self.rows([.by: by, .aggregates: "count", .having: having], in: store)
      #expect(rows == expected, "\(by) having \(having)")
    }
    #expect(
      try Self.rows(
        [.by: "floor(close / 10) as decade", .aggregates: "max(close) - 10 * decade as above", .having: "decade >= 1"],
        in: store) == ["1,8.0", "2,8.0"])
  }

  @Test(arguments: [
    ("day", "year desc", "unknown name 'year'"), ("month", "month + 1", "makes no sense"),
    ("month", "week desc", "unknown name 'week'"),
    ("ticker, year, month", "date desc", "no date of its own"),
  ]) func a_group_is_not_ordered_by_another_key(_ by: String, _ order: String, _ words: String) {
    let error = #expect(throws: QuestionError.self) {
      try QuoteQuestion([.by: by, .aggregates: "count", .order: order])
    }
    #expect(error?.field == .order && error?.description.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func values_without_a_number_are_the_last_group() throws {
    let store = try Self.store()
    let rows = try Self.rows([.by: "sign(change(close)) as up", .aggregates: "count"], in: store)
    #expect(rows == ["-1,8", "1,16", ",3"])
    #expect(
      try Self.rows([.by: "-volume", .aggregates: "count", .limit: "3"], in: store) == ["-200,8", "-100,9", "0,10"])
  }

  @Test func the_first_rows_come_group_by_group() throws {
    let store = try Self.store()
    for (top, expected) in [
      ("1 by close per day", ["FDX,2005-10-29", "KO,2005-10-30"]),
      ("2 by close per ticker", ["FDX,2005-11-05", "FDX,2005-11-04"]),
      ("1 by c asc per month", ["MSFT,2005-10-31", "MSFT,2005-11-06"]),
      ("1 by date per ticker", ["FDX,2005-11-05", "KO,2005-11-07"]),
      ("1 by close per ticker, month(date)", ["FDX,2005-10-31", "FDX,2005-11-05"]),
      ("1 by close per volume", ["KO,2005-11-07", "KO,2005-11-05"]),
    ] {
      let rows = try Self.rows([.top: top, .columns: "ticker, date, close as c", .limit: "2"], in: store)
      #expect(rows.map { $0.split(separator: ",").prefix(2).joined(separator: ",") } == expected, "\(top)")
    }
    #expect(try Self.rows([.top: "1 by close per month", .aggregates: "count", .by: "ticker"], in: store) == ["KO,2"])
    #expect(
      try Self.rows(
        [.top: "1 by close per day", .order: "asc", .columns: "ticker", .where: "volume < 200", .limit: "1"], in: store)
        == ["FDX"])
  }
}
