import Quoin
import Testing

/// What an embedding program asks by texts, without anything that isn't public.
@Suite struct QuestionAnswerTests {
  private let folder = TemporaryDirectory()
  private let store: QuoteStore

  init() throws {
    store = try QuoteStore(at: folder.path + "/store")
    for (ticker, factor) in [("AAA", 1.0), ("BBB", 2.0)] {
      try store.upsert(
        (0..<60).map { day in
          DailyQuoteSummary(
            ticker: try TickerSymbol(ticker), date: TradingDay(daysSince1970: 12_000 + day)!, open: 10 * factor,
            high: 12 * factor + Double(day % 7), low: 9 * factor, close: 11 * factor + Double(day % 5),
            volume: Int64(day))
        })
    }
  }

  private func text(_ question: QuoteQuestion) throws -> String {
    var text = ""
    try store.answer(question).write(.csv) { bytes in
      text += unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return text
  }

  @Test func the_name_of_a_column_is_known_to_later_columns_and_to_conditions() throws {
    let long = try text(
      QuoteQuestion([
        .where: "close / open > 1.2 and change(close) > 0", .order: "close / open * 2 desc",
        .columns: "date, close / open as r, close / open * 2 as twice", .limit: "5",
      ]))
    #expect(long.split(separator: "\n").count == 6)
    #expect(
      try text(
        QuoteQuestion([
          .where: "r > 1.2 and change(close) > 0", .order: "twice desc", .limit: "5",
          .columns: "date, close / open as r, r * 2 as twice",
        ])) == long)
    // What is defined keeps its meaning in conditions.
    let columns = "date, close * 1 as r"
    #expect(
      try text(QuoteQuestion([.let: "r = close / open", .where: "r > 1.2", .columns: columns, .limit: "5"]))
        == text(QuoteQuestion([.where: "close / open > 1.2", .columns: columns, .limit: "5"])))
    #expect(
      try text(QuoteQuestion([.columns: "mean(close, 2) as mean, mean(mean, 3) as twice", .limit: "1", .offset: "9"]))
        == text(
          QuoteQuestion([
            .columns: "mean(close, 2) as mean, mean(mean(close, 2), 3) as twice", .limit: "1", .offset: "9",
          ]))
    )
    // A name comes before its use.
    let error = #expect(throws: QuestionError.self) { try QuoteQuestion([.columns: "r * 2, close as r"]) }
    #expect(error?.field == .columns)
  }

  @Test func rows_come_with_their_columns() throws {
    let question = try QuoteQuestion([
      .let: "r = change(close)", .where: "r > 8%", .columns: "ticker, date, r", .tickers: "AAA", .limit: "3",
    ])
    var values: [Double] = []
    if case .rows(var rows) = try store.answer(question) {
      while let batch = try rows.next() { values += batch.computed("r") ?? [] }
    }
    let expected = store.quotes(for: "AAA").where(.change(.close) > 0.08).computing("r", .change(.close)).limited(
      to: 3)
    #expect(try values == expected.fetchColumns().computed("r"))
    #expect(try store.count(QuoteQuestion([.where: "close > 13"])) == store.allQuotes.where(.close > 13).count())
    #expect(try text(question).hasPrefix("ticker,date,r\nAAA,"))
    #expect(try store.explain(question).rowCount == 3)
  }

  @Test func groups_come_with_their_keys() throws {
    let question = try QuoteQuestion([
      .aggregates: "mean(close) as m, argmax(high), sum(volume)", .by: "ticker", .having: "m > 5", .order: "m desc",
    ])
    guard case .groups(let groups) = try store.answer(question) else {
      Issue.record("rows in place of groups")
      return
    }
    #expect(groups.columnNames == ["m", "argmax(high)", "sum(volume)"] && groups.quoteCount == 120)
    #expect(groups.groups.tickers.map { "\($0)" } == ["BBB", "AAA"])
    #expect(groups.doubles("m") == [24, 13] && groups.doubles("sum(volume)") == [1770, 1770])
    #expect(groups.doubles("argmax(high)") == [12_006, 12_006])
    #expect(groups.texts("argmax(high)") == ["2002-11-15", "2002-11-15"])
    #expect(
      try text(question)
        == "ticker,m,argmax(high),sum(volume)\nBBB,24.0,2002-11-15,1770\nAAA,13.0,2002-11-15,1770\n")
  }

  @Test func views_tops_and_last_rows_are_asked_for_alike() throws {
    #expect(
      try store.count(QuoteQuestion([.resample: "month"])) == store.resampled(by: .month).allQuotes.count())
    #expect(
      try text(QuoteQuestion([.top: "1 by close per day", .columns: "ticker", .limit: "2"])) == "ticker\nBBB\nBBB\n")
    #expect(try text(QuoteQuestion([.latest: "true", .columns: "ticker,volume"])) == "ticker,volume\nAAA,59\nBBB,59\n")
    #expect(try text(QuoteQuestion([:])).split(separator: "\n").count == 121)
  }

  @Test func a_mistake_names_its_field() {
    let error = #expect(throws: QuestionError.self) { try QuoteQuestion([.columns: "closee"]) }
    #expect(error?.field == .columns && error?.description == "columns: unknown column 'closee'; did you mean 'close'?")
    #expect(throws: QuestionError.self) { try QuoteQuestion([.limit: "1", .limit: "2"]) }
    #expect(throws: StoreError.unknownTicker("NOPE")) {
      try store.count(QuoteQuestion([.where: "close > close of NOPE"]))
    }
  }
}
