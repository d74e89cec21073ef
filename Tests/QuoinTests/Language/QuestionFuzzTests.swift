import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Questions that the grammar makes, with names that are used again and again: each has an answer, or is given up within its time and
/// memory, or can't be asked. `QUOIN_FUZZ_QUESTIONS` is how many.
@Suite struct QuestionFuzzTests {
  private static let limits = QuestionLimits(seconds: 1, megabytes: 48)

  @Test func a_question_ends_within_its_budget() throws {
    let store = try Self.store()
    var dice = TestSettings.dice("questions")
    var outcomes: [String: Int] = [:]
    var (longest, largest) = (Duration.zero, 0)
    for _ in 0..<TestSettings.count("QUOIN_FUZZ_QUESTIONS", debug: 150, release: 1000) {
      var writer = QuestionWriter(dice)
      let texts = writer.question()
      dice = writer.dice
      let account = MemoryAccount(byteCountMax: nil)
      let budget = QuestionBudget(Self.limits, sharing: account)
      let start = ContinuousClock.now
      let outcome = Self.ask(texts, of: store.taking(from: budget))
      let time = ContinuousClock.now - start
      outcomes[outcome, default: 0] += 1
      (longest, largest) = (max(longest, time), max(largest, budget.peakByteCount))
      // What isn't a step or a chunk of blocks takes little, also while other tests run.
      #expect(time < .seconds(TestSettings.isDebug ? 20 : 5), "\(texts)")
      #expect(budget.peakByteCount <= 48 << 20, "\(texts)")
      // A helper may be about to let its part go.
      while account.byteCount != 0, ContinuousClock.now - start < .seconds(60) { usleep(1000) }
      #expect(account.byteCount == 0, "\(texts)")
      #expect(outcome != "unexpected", "\(texts)")
    }
    let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print("promise 26: random questions: \(counts); the longest took \(longest), the largest held \(largest >> 20) MB")
    #expect(outcomes["answered", default: 0] > 10)
  }

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for (ticker, base) in [("FDX" as TickerSymbol, 40.0), ("KO", 20), ("SPY", 100)] {
      try store.upsert(
        (0..<3000).map { day in
          let close = base + Double((day * 7919) % 97) / 4
          return DailyQuoteSummary(
            ticker: ticker, date: TradingDay(daysSince1970: 1000 + day)!, open: close - 1, high: close + 2,
            low: close - 2,
            close: close, volume: Int64(1000 + day))
        })
    }
    return store
  }

  /// What came of a question.
  private static func ask(_ texts: QuestionTexts, of store: QuoteStore) -> String {
    do {
      var names = Definitions()
      for text in texts.names { try names.add(text) }
      var query = store.allQuotes
      if let text = texts.condition { query = query.where(try Quoin.Predicate.parsing(text, names).predicate) }
      if let text = texts.top { query = query.top(try TopRows(parsing: text, names)) }
      for (index, column) in try ListedColumn.list(parsing: texts.columns, names).enumerated() {
        if let expression = column.expression { query = query.computing("\(index)", expression) }
      }
      _ = try query.estimatedCost()
      switch texts.kind {
      case 0: _ = try query.count()
      case 1: _ = try query.limited(to: 100).fetchColumns()
      case 2: _ = try query.explain().text
      case 3: _ = try query.limited(to: 10).sorted(by: .close)
      default:
        _ = try query.answer(
          GroupQuestion(parsing: texts.aggregates, condition: texts.having, names), by: Grouping(.ticker, .month))
      }
      return "answered"
    } catch is PredicateSyntaxError {
      return "not of the language"
    } catch let error as StoreError {
      switch error {
      case .questionTooLong: return "over its time"
      case .questionTooBig: return "over its memory"
      case .questionTooLarge, .predicateTooDeep, .unknownTicker: return "refused"
      default: return "unexpected"
      }
    } catch {
      return "unexpected"
    }
  }
}
