import Testing

@testable import Quoin
@testable import QuoteGenerator

/// The product reads a text as the written grammar does.
@Suite struct GrammarTests {
  private static let rows: [DailyQuoteSummary] = [
    DailyQuoteSummary(
      ticker: "A", date: "2018-01-02", open: 2.5, high: 3, low: 2, close: 2.75, volume: 1000, exDividend: 0.5,
      splitRatio: 1,
      adjustedClose: 1.375),
    DailyQuoteSummary(
      ticker: "A", date: "2018-01-03", open: 10, high: 12, low: 7, close: 10, volume: 12, exDividend: 2, splitRatio: 2,
      adjustedClose: 5),
    DailyQuoteSummary(
      ticker: "A", date: "2018-01-04", high: 0.25, low: 0.2, close: 0.25, volume: 2018, exDividend: 0, adjustedClose: -1
    ),
    DailyQuoteSummary(ticker: "A", date: "2018-01-05", open: 100, low: 99.5, volume: 7, splitRatio: 0.5),
  ]

  private static func cells(_ row: DailyQuoteSummary) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: Attribute.allCases.compactMap { name in row[name].map { (name.wikiName, $0) } })
  }

  /// `QUOIN_TEXTS` is how many.
  @Test func texts_without_parentheses_mean_what_the_written_grammar_says() throws {
    let grammar = try #require(WrittenGrammar())
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(Self.rows)
    var dice = TestSettings.dice("texts")
    var (sameCount, beyondCount) = (0, 0)
    let count = TestSettings.count("QUOIN_TEXTS", debug: 3000, release: 20_000)
    for _ in 0..<((count + 49) / 50) {
      var writer = TextWriter(dice: dice)
      let texts = (0..<50).map { _ in writer.text() }
      dice = writer.dice
      var query = store.allQuotes.selecting([])
      for (index, text) in texts.enumerated() {
        let expression = try #require(Self.expression(text), "\(text): \(Self.refusal(of: text))")
        query = query.computing("c\(index)", expression)
      }
      let batch = try query.fetchColumns()
      for (index, text) in texts.enumerated() {
        let values = try #require(batch.computed("c\(index)"))
        for (row, value) in zip(Self.rows, values) {
          let read = try #require(TextReader.value(of: text, Self.cells(row), grammar), "\(text)")
          // What is beyond numbers is decided elsewhere.
          if read.isBeyondNumbers {
            beyondCount += 1
          } else {
            sameCount += 1
            #expect(value.isSame(as: read.value.number), "'\(text)' on \(row.date): \(value), not \(read.value.number)")
          }
        }
      }
    }
    print("grammar: \(sameCount) values of random texts are as written, \(beyondCount) are beyond numbers")
    #expect(sameCount > 3 * beyondCount)
  }

  /// What a text means as an expression; a condition is 1, 0 or missing.
  private static func expression(_ text: String) -> QuoteExpression? {
    (try? QuoteExpression(parsing: text)) ?? (try? Predicate(parsing: text)).map { .truth($0) }
  }

  private static func refusal(of text: String) -> String {
    do throws(PredicateSyntaxError) { _ = try Predicate(parsing: text) } catch { return "\(error)" }
    return ""
  }

  @Test func what_the_documentation_calls_the_same_is_read_alike() throws {
    let grammar = try #require(WrittenGrammar())
    #expect(grammar.equals.count >= 8)
    var names = Definitions()
    try names.add("a = open; b = high; c = low")
    for (text, same) in grammar.equals {
      let columns = ["if(\(text), 1, 0)", "if(\(same), 1, 0)", text, same].map { text in
        (try? ListedColumn.list(parsing: "\(text) as x", names))?.first?.expression
      }
      let (a, b) = (columns[0] ?? columns[2], columns[1] ?? columns[3])
      #expect(a != nil && a == b, "\(text) and \(same)")
    }
  }

  @Test func every_sign_of_the_documentation_is_read() throws {
    let grammar = try #require(WrittenGrammar())
    let forms = [
      "like": "ticker like 'A%'", "in": "close in (1, 2)", "is": "close is missing", "between": "close between 1 and 2",
    ]
    for sign in grammar.between.keys {
      let text =
        forms[sign]
        ?? (sign.contains { "&|".contains($0) } || ["and", "or"].contains(sign)
          ? "close > 1 \(sign) open > 1" : "close \(sign) open")
      #expect(Self.expression(text) != nil, "\(text)")
    }
    for sign in grammar.before.keys {
      #expect(Self.expression("\(sign) close") ?? Self.expression("\(sign) close > 1") != nil, "\(sign)")
    }
    #expect(grammar.between.count >= 20 && grammar.before.count == 4)
  }

  @Test(arguments: [
    ("close--2", "close + 2"), ("close- -open", "close + open"), ("close--open", "close + open"),
    ("high-low--open", "(high - low) + open"), ("volume--1", "volume + 1"), ("adj-close-open", "adj_close - open"),
    ("open-adj-close", "open - adj_close"), ("a -1", "a - 1"), ("1- 1", "0"), ("1 -1", "0"), ("2018-1", "2017"),
    ("100/10/2", "5"), ("12/6/3", "12 / 6 / 3"), ("++close", "close"), ("close*-1", "close * -1"), ("1-a", "1 - a"),
    ("a--2", "a + 2"),
  ])
  func signs_are_never_lost(_ text: String, _ same: String) throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(Self.rows)
    var names = Definitions()
    try names.add("a = close")
    var query = store.allQuotes.selecting([])
    for (name, text) in [("x", text), ("y", same)] {
      query = query.computing(name, try #require(try ListedColumn.list(parsing: "\(text) as x", names)[0].expression))
    }
    let batch = try query.fetchColumns()
    let (x, y) = (try #require(batch.computed("x")), try #require(batch.computed("y")))
    #expect(zip(x, y).allSatisfy { $0.isSame(as: $1) })
  }
}
