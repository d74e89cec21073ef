import CQuoin
import Foundation
import Quoin
import Testing

@testable import QuoteGenerator
@testable import quoin_sql

extension CInterface {
  /// Questions that the grammar makes, asked in C by the names of their fields: each is answered as Swift answers it, or refused, or given up
  /// within its time and memory. `QUOIN_FUZZ_QUESTIONS` is how many.
  @Suite struct QuestionFuzzTests {
    @Test func c_and_swift_answer_alike_within_the_budget() throws {
      let count = TestSettings.count("QUOIN_FUZZ_QUESTIONS", debug: 100, release: 500)
      let market = try TestMarket(Self.rows)
      let store = try CStore(market)
      var error: OpaquePointer?
      #expect(quoin_limit_questions(store.handle, 1, 48, &error) == QUOIN_OK)
      let swift = try QuoteStore(at: market.path).within(QuestionLimits(seconds: 1, megabytes: 48))
      var dice = TestSettings.dice("questions in C")
      var (answered, refused) = (0, 0)
      for _ in 0..<count {
        var writer = QuestionWriter(dice)
        let texts = writer.question()
        dice = writer.dice
        let fields = texts.fields.filter { !["aggregates", "by", "having", "columns", "limit"].contains($0.name) }
        let start = ContinuousClock.now
        let found = try? store.count(CQuery(fields: fields.map { ($0.name, $0.text as String?) }))
        #expect(ContinuousClock.now - start < .seconds(30), "\(fields)")
        let expected = try? swift.count(
          QuoteQuestion(fields.compactMap { name, text in QuestionField.Name(rawValue: name).map { ($0, text) } }))
        // Time may run out in one of them.
        if let found, let expected { #expect(found == expected, "\(fields)") }
        if found == nil { refused += 1 } else { answered += 1 }
      }
      print(
        "promise 26: \(count) random questions in C: \(answered) answered as in Swift, \(refused) refused"
      )
      #expect(answered > count / 4)
    }

    @Test func sql_and_c_answer_alike_within_the_budget() throws {
      let count = TestSettings.count("QUOIN_FUZZ_QUESTIONS", debug: 60, release: 300)
      let market = try TestMarket(Self.rows)
      let store = try CStore(market)
      try store.limitQuestions(seconds: 1, megabytes: 48)
      let database = try Database(at: nil, store: market.path, QuestionLimits(seconds: 1, megabytes: 48))
      var dice = TestSettings.dice("questions in SQL")
      var (answered, refused) = (0, 0)
      while answered + refused < count {
        var writer = QuestionWriter(dice)
        let texts = writer.question()
        dice = writer.dice
        // SQL has neither names of its own for parts, nor the best of a day.
        guard texts.names.isEmpty, texts.top == nil else { continue }
        let start = ContinuousClock.now
        let (found, expected) =
          texts.kind == 4
          ? (
            Self.rowCount(database, "quoin_aggregate", [texts.aggregates, "ticker, month", texts.condition]),
            try? store.aggregate(texts.aggregates, by: "ticker, month", CQuery(condition: texts.condition)).rowCount()
          )
          : (
            Self.rowCount(database, "quoin_columns", [texts.columns, texts.condition]),
            try? store.scan(CQuery(condition: texts.condition, columns: "ticker, date, \(texts.columns)")).rowCount()
          )
        #expect(ContinuousClock.now - start < .seconds(30), "\(texts)")
        // Time may run out in one of them.
        if let found, let expected { #expect(found == expected, "\(texts)") }
        if found == nil { refused += 1 } else { answered += 1 }
      }
      print("promise 26: \(count) random questions in SQL: \(answered) answered as in C, \(refused) refused")
      #expect(answered > count / 4)
    }

    /// How many rows a table of answers has; nil if it has none to give.
    private static func rowCount(_ database: Database, _ function: String, _ arguments: [String?]) -> Int? {
      let texts = arguments.map { $0.map { "'\($0.replacing("'", with: "''"))'" } ?? "null" }
      return database.texts("select count(*) from \(function)('quotes', \(texts.joined(separator: ", ")))").first
        .flatMap { Int($0) }
    }

    private static var rows: [TickerSymbol: QuoteColumns] {
      get throws {
        var rows: [TickerSymbol: QuoteColumns] = [:]
        for (index, ticker) in (["FDX", "KO", "SPY"] as [TickerSymbol]).enumerated() {
          let days = (0..<2000).map { TradingDay(daysSince1970: 1000 + $0)! }
          rows[ticker] = try QuoteColumns(
            days: days,
            doubles: [
              .open: days.indices.map { Double($0 * 31 % 97) / 4 + Double(20 * index) },
              .close: days.indices.map { Double($0 * 37 % 101) / 4 + Double(20 * index) },
            ], integers: [.volume: days.indices.map { Int64($0 * 1000) }])
        }
        return rows
      }
    }
  }
}
