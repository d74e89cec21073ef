import Testing

@testable import Quoin

/// A question is a value that is read field by field, by one table.
@Suite struct QuoteQuestionTests {
  private static func question(_ texts: [QuestionField.Name: String]) throws -> QuoteQuestion {
    try QuoteQuestion(texts.map { ($0.key, $0.value) })
  }

  private static func error(_ texts: [QuestionField.Name: String]) -> QuestionError? {
    do {
      _ = try question(texts)
      return nil
    } catch {
      return error as? QuestionError
    }
  }

  @Test func each_name_is_one_field_of_the_table() {
    #expect(QuestionField.all.map(\.name) == QuestionField.Name.allCases)
    for field in QuestionField.all { #expect(field.meaning.hasSuffix(".") && !field.example.isEmpty, "\(field.name)") }
  }

  /// What a field needs besides itself.
  private static func companions(of name: QuestionField.Name) -> [QuestionField.Name: String] {
    switch name {
    case .trustSplits: [.asOf: "2010-06-01"]
    case .barLabel: [.resample: "week"]
    case .by, .having: [.aggregates: "count"]
    case .pivot: [.aggregates: "count", .by: "year, ticker"]
    default: [:]
    }
  }

  @Test(arguments: QuestionField.Name.allCases) func each_example_is_read(_ name: QuestionField.Name) throws {
    var texts = Self.companions(of: name)
    texts[name] = QuestionField.named(name).example
    let question = try Self.question(texts)
    #expect(question.given.contains(name))
  }

  @Test(arguments: QuestionField.Name.allCases) func what_means_nothing_is_told_with_its_field(
    _ name: QuestionField.Name
  ) throws {
    // "((" is a ticker.
    for text in ["", "no such thing"] + (name == .tickers ? [] : ["(("]) {
      var texts = Self.companions(of: name)
      texts[name] = text
      let error = try #require(Self.error(texts), "\(name) \(text)")
      #expect(error.field == name && error.kind == .text)
      #expect(error.text().hasPrefix("\(name.rawValue): ") && error.text().count < 1000)
      #expect(error.text { "--\($0.rawValue)" }.hasPrefix("--\(name.rawValue): "))
    }
  }

  @Test(
    arguments: [
      ([.from: "2005-01-02", .to: "2005-01-01"], "from: 2005-01-02 is later than to 2005-01-01"),
      ([.barLabel: "period-end"], "bar_label applies to bars; say how long they are with resample"),
      ([.trustSplits: "true"], "trust_splits goes with as_of"),
      ([.by: "month"], "by needs aggregates, such as 'mean(close)'"),
      ([.having: "count > 1"], "having needs aggregates, such as 'mean(close)'"),
      ([.pivot: "true"], "pivot needs aggregates, such as 'mean(close)'"),
      (
        [.aggregates: "count", .by: "ticker", .pivot: "true"],
        "pivot makes columns of the last of several keys; name two with by, such as 'year, ticker'"
      ),
      ([.aggregates: "count", .columns: "close"], "columns applies to rows; what groups have is in aggregates"),
      (
        [.aggregates: "count as ticker", .by: "ticker"],
        "aggregates: there would be two columns 'ticker'; name one with 'as'"
      ),
      ([.columns: "close, close"], "columns: 'close' is listed twice"),
      ([.columns: "date, closs"], "columns: unknown column 'closs'; did you mean 'close'?"),
      (
        [.resample: "weak"], "resample: 'weak' isn't one of week, month, quarter, half-year, year; did you mean 'week'?"
      ),
      ([.limit: "-1"], "limit: '-1' isn't a whole number from 0 on"),
      ([.threads: "0"], "threads: '0' isn't a whole number from 1 on"),
    ] as [([QuestionField.Name: String], String)])
  func the_rules_between_fields_are_told(_ texts: [QuestionField.Name: String], _ sentence: String) {
    #expect(Self.error(texts)?.text() == sentence)
  }

  @Test func fields_are_read_in_the_order_of_the_table() throws {
    let question = try QuoteQuestion([
      (.order, "range desc"), (.having, "range > 1 and count > 2"), (.where, "r > 0"), (.where, "close > 1"),
      (.aggregates, "max(high) / min(low) as range"), (.let, "r = change(close)"), (.let, "s = r; t = s"),
      (.tickers, "KO"), (.tickers, "FDX, brk.a"),
    ])
    #expect(question.groups?.order.map(\.isDescending) == [true] && question.groups?.condition != nil)
    #expect(question.conditions == [.change(.close) > 0, .close > 1])
    #expect(question.tickers?.map(\.description) == ["KO", "FDX", "BRK.A"])
    #expect(throws: QuestionError.self) { try QuoteQuestion([(.limit, "1"), (.limit, "1")]) }
  }

  /// The rows of a view are those that are asked for, and others' values are there too.
  @Test func values_of_other_tickers_are_found_in_views() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for ticker in ["A", "B", "C"] as [TickerSymbol] { try store.upsert([ticker: .sample(40)]) }
    let question = try QuoteQuestion([
      (.tickers, "A"), (.resample, "week"), (.columns, "ticker, close, close of B as b, close of 'C' as c"),
    ])
    var rows = QuestionRows(question, in: store, rowsPerBatch: 1000)
    let batch = try #require(try rows.next())
    #expect(batch.rowCount > 1 && Set(batch.tickers) == ["A"] && rows.columns.count == 4)
    #expect(batch.computed("b") == batch.computed("c"))
    #expect(try rows.next() == nil)
    let wrong = try QuoteQuestion([(.tickers, "A"), (.resample, "week"), (.where, "close of NOPE > 1")])
    #expect { try store.asking(wrong) { query throws(StoreError) in try query.count() } } throws: {
      if case .unknownTicker("NOPE")? = $0 as? StoreError { true } else { false }
    }
  }

  @Test func rows_come_by_date_by_values_and_last_ones_alone() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for ticker in ["A", "B"] as [TickerSymbol] { try store.upsert([ticker: .sample(30)]) }
    func counts(_ texts: [QuestionField.Name: String]) throws -> [Int] {
      var (rows, counts) = (QuestionRows(try Self.question(texts), in: store, rowsPerBatch: 16), [Int]())
      while let batch = try rows.next() { counts.append(batch.rowCount) }
      return counts
    }
    #expect(try counts([:]).reduce(0, +) == 60 && counts([:]).count > 1)
    #expect(try counts([.order: "volume desc"]) == [60])
    #expect(try counts([.latest: "true"]) == [2])
    #expect(try counts([.latest: "true", .order: "close", .limit: "1"]) == [1])
    #expect(try counts([.offset: "50"]) == [10])
    #expect(try counts([.limit: "0"]).reduce(0, +) == 0)
  }
}
