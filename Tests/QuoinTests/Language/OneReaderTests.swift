import Testing

@testable import Quoin

/// The language has one reader: an expression means the same wherever it stands.
@Suite struct OneReaderTests {
  /// What it means in a list of columns, in a condition, in an order and inside an aggregate; nil where it can't stand.
  private static func meanings(
    of text: String, _ names: Definitions = Definitions()
  ) -> [(place: String, meaning: QuoteExpression?)] {
    let listed = (try? ListedColumn.list(parsing: "ticker, \(text), \(text) as x, high", names)) ?? []
    var order: QuoteExpression?
    if case .keys(let keys) = try? RowOrder(parsing: text, names), keys.count == 1, !keys[0].isDescending {
      order = keys[0].expression
    }
    var aggregated: QuoteExpression?
    if let question = try? GroupQuestion(parsing: "sum(\(text))", names),
      case .aggregate(let aggregate) = question.columns[0].expression.node
    {
      aggregated = aggregate.expression
    }
    // Numbers have no sum: `sum(1)` is refused.
    if aggregated == nil, listed.first(where: { $0.name == "x" })?.expression?.isConstant ?? false {
      aggregated = listed.first { $0.name == "x" }?.expression
    }
    // A name by itself has no expression yet.
    let unnamed = listed.dropFirst().first.flatMap {
      $0.expression ?? (Attribute(named: $0.name)).map { .attribute($0) }
    }
    return [
      ("a column", unnamed), ("a column with a name", listed.count == 4 ? listed[2].expression : nil),
      // A number orders nothing, and is refused there.
      ("an order", unnamed.map(\.isConstant) ?? false ? unnamed : order), ("an aggregate", aggregated),
      ("an expression", names.phrases.isEmpty ? try? QuoteExpression(parsing: text) : unnamed),
    ]
  }

  private static func check(
    _ text: String, _ names: Definitions = Definitions(), _ source: SourceLocation = #_sourceLocation
  ) {
    let meanings = meanings(of: text, names)
    let first = meanings[0].meaning
    #expect(meanings.allSatisfy { $0.meaning == first }, "\(text): \(meanings)", sourceLocation: source)
    guard let first else { return }
    let condition = try? Quoin.Predicate.parsing("\(text) > prev(low, 7)", names).predicate
    #expect(condition == (first > .prev(.low, 7)), "\(text)", sourceLocation: source)
  }

  @Test(arguments: [
    "-close", "- close", "--close", "-volume", "(-close)", "close^2", "close ^ 2",
    "close of 'A(B'", "close of 'A)B'", "close--2", "close- -open", "ex-dividend", "-ex-dividend", "high-low",
    "Close",
    "ADJ_CLOSE", "adj.close", "close+1", "1-close", "if(close>open,1,0)", "mean(close,20)", "1e3", "-1", "inf", "-inf",
    "+close", "close-1", "close*-1",
  ]) func an_expression_means_the_same_wherever_it_stands(_ text: String) {
    Self.check(text)
    #expect(Self.meanings(of: text)[0].meaning != nil)
  }

  @Test func a_minus_is_never_lost() throws {
    for text in ["-close", "- close", "-volume", "-Adj_Close"] {
      let column = try #require(try ListedColumn.list(parsing: text).first)
      let name = try #require(Attribute(named: text.drop { "- ".contains($0) }))
      #expect(Attribute(named: text) == nil)
      #expect(column.expression == -.attribute(name) && column.name == text)
      let listed = try QuoteFormatter.Column.list(parsing: "\(name.wikiName), \(text)")
      #expect(listed.map(\.column) == [.attribute(name), .computed(text)])
    }
  }

  @Test func a_condition_as_a_column_is_1_or_0() throws {
    let list = try ListedColumn.list(
      parsing: "close > open as up, close>open, *, mean(close, 20) as \"20 days, \u{201c}mean\u{201d}\"")
    #expect(list[0].expression == .if(.close > .open, 1, 0) && list[1].expression == list[0].expression)
    #expect(list.map(\.name) == ["up", "close>open", "*", "20 days, \u{201c}mean\u{201d}"])
    let columns = try QuoteFormatter.Column.list(parsing: "close, *, change(close) as r").map(\.column)
    #expect(columns.first == .attribute(.close) && columns.last == .computed("r") && columns.count == 15)
    let groups = try GroupQuestion(parsing: "max(high) > 5 as up, mean(close) as \"a b\"")
    #expect(groups.columns.map(\.name) == ["up", "a b"])
  }

  @Test func names_that_are_defined_are_read_as_others() throws {
    var names = Definitions()
    try names.add("x2 = close; a = 'A;B' = ticker ; r=x2-1;")
    for text in ["x2^2", "x2", "-x2", "x2-r", "mean(r, 2)", "x2 of 'A;B'"] {
      #expect(Self.meanings(of: text, names)[0].meaning != nil, "\(text)")
      Self.check(text, names)
    }
    #expect(try Quoin.Predicate.parsing("a", names).predicate == Quoin.Predicate(parsing: "ticker = 'A;B'"))
    #expect(try ListedColumn.list(parsing: "r", names)[0].expression == .close - 1)
  }

  @Test func what_columns_are_called() throws {
    let texts =
      "date, Adj. Close, close - open , close as a_name_of_more_than_fifty_characters_is_kept_as_it_is_written, Foo"
    let columns = try ListedColumn.list(parsing: texts)
    #expect(
      columns.map(\.name) == [
        "date", "Adj. Close", "close - open", "a_name_of_more_than_fifty_characters_is_kept_as_it_is_written", "Foo",
      ])
    #expect(columns.map { $0.expression == nil } == [true, true, false, false, true])
    #expect(columns[3].text == "close")
  }

  @Test(arguments: [
    "", ",", "date,", "date,,close", "close as", "close as 1", "close as x y", "close as inf", "close as ''",
    "close as nan", "close as ma-5", "close as high-low", "close open", "mean close",
  ])
  func what_is_no_list_is_refused(_ text: String) {
    #expect(throws: PredicateSyntaxError.self) { try ListedColumn.list(parsing: text) }
  }

  @Test func an_order_is_a_direction_or_keys() throws {
    for (text, expected) in [("asc", DateOrder.ascending), ("desc", .descending), ("DESCENDING", .descending)] {
      guard case .date(expected) = try RowOrder(parsing: text) else {
        Issue.record("\(text)")
        continue
      }
    }
    for (text, expected) in [
      ("date", [RowKey(.period(.day))]), ("DATE  desc", [RowKey(.period(.day), .descending)]),
      ("close desc", [RowKey(.expression(.close), .descending)]),
      (
        "date\tdescending, ticker ,volume asc",
        [RowKey(.period(.day), .descending), RowKey(.ticker), RowKey(.expression(.volume))]
      ),
    ] {
      guard case .keys(expected) = try RowOrder(parsing: text) else {
        Issue.record("\(text)")
        continue
      }
    }
    for text in ["", "date volume", "desc desc", "date desc desc", "date,", ", date", "close > open"] {
      #expect(throws: PredicateSyntaxError.self, "\(text)") { try RowOrder(parsing: text) }
    }
  }

  /// `QUOIN_EXPRESSIONS` is how many.
  @Test func it_is_so_for_random_expressions() {
    var dice = TestSettings.dice("expressions")
    var readCount = 0
    let count = TestSettings.count("QUOIN_EXPRESSIONS", debug: 300, release: 5000)
    for _ in 0..<count {
      var writer = QuestionWriter(dice)
      let text = writer.typedNumber()
      dice = writer.dice
      Self.check(text)
      readCount += Self.meanings(of: text)[0].meaning == nil ? 0 : 1
    }
    #expect(readCount > count / 2)
    print("one reader: \(readCount) of \(count) random expressions mean something, and the same in each place")
  }
}
