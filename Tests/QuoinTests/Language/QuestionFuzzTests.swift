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
    print("questions: \(counts); the longest took \(longest), the largest held \(largest >> 20) MB")
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
        if case .computed(_, let expression) = column { query = query.computing("\(index)", expression) }
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

struct QuestionTexts {
  var names: [String] = []
  var condition: String?
  var columns = "date"
  var top: String?
  var aggregates = "count"
  var having: String?
  var kind = 0
}

/// Writes questions, each name from those before it.
private struct QuestionWriter {
  var dice: SeededRandom
  private var numbers = ["close", "volume"]
  private var conditions: [String] = []

  init(_ dice: SeededRandom) { self.dice = dice }

  mutating func question() -> QuestionTexts {
    var texts = QuestionTexts()
    let (count, depth) = (dice.element(of: [0, 1, 3, 10, 40, 120]), dice.element(of: [1, 1, 2, 3]))
    for index in 0..<count {
      // Mostly of the names before it: so trees double.
      if dice.chance(0.3) {
        texts.names.append("c\(index) = \(condition(depth))")
        conditions.append("c\(index)")
      } else {
        texts.names.append("x\(index) = \(number(depth))")
        numbers.append("x\(index)")
      }
    }
    if dice.chance(0.8) { texts.condition = condition(depth + 1) }
    if dice.chance(0.5) {
      texts.columns = (0..<(1 + dice.below(8))).map { "\(number(depth)) as n\($0)" }.joined(separator: ", ")
    }
    if dice.chance(0.1) { texts.top = "\(1 + dice.below(3)) by \(number(depth)) per day" }
    texts.kind = dice.below(5)
    texts.aggregates = aggregates(depth)
    if dice.chance(0.3) { texts.having = "count > 1 and a0 > 0" }
    return texts
  }

  private mutating func aggregates(_ depth: Int) -> String {
    let function = dice.element(of: ["sum", "max", "mean", "median", "std", "first"])
    var list = ["\(function)(\(number(depth))) as a0"]
    for index in 1..<dice.element(of: [2, 5, 40]) { list.append("a\(index - 1) + a\(index - 1) as a\(index)") }
    return list.joined(separator: ", ")
  }

  private mutating func number(_ depth: Int) -> String {
    if depth == 0 || dice.chance(0.1) {
      return dice.chance(0.8)
        ? dice.element(of: Array(numbers.suffix(4)))
        : dice.element(of: ["open", "high", "low", "adj_close", "1", "-2.5", "1e300", "nan", "year(date)", "0"])
    }
    let x = number(depth - 1)
    let rows = dice.element(of: [1, 2, 20, 250, 5000, 1_000_000])
    switch dice.below(12) {
    case 0, 1, 2, 3: return "(\(x) \(dice.element(of: ["+", "-", "*", "/", "^"])) \(number(depth - 1)))"
    case 4: return "\(dice.element(of: ["abs", "log", "exp", "sqrt", "round"]))(\(x))"
    case 5, 6:
      let function = dice.element(of: WindowFunction.allCases.filter { $0.inputCounts.contains(1) && $0 != .quantile })
      return "\(function.rawValue)(\(x), \(rows) min 1)"
    case 7: return "\(dice.element(of: ["prev", "change", "diff"]))(\(x), \(rows))"
    case 8: return "\(dice.element(of: ["rank", "pctrank", "mean", "zscore"]))(\(x) by day)"
    case 9: return "if(\(condition(depth - 1)), \(x), \(number(depth - 1)))"
    case 10: return "(\(x)) of '\(dice.element(of: ["KO", "SPY", "NONE"]))'"
    default: return "\(dice.element(of: ["count", "share"]))(\(condition(depth - 1)), \(rows) min 1)"
    }
  }

  private mutating func condition(_ depth: Int) -> String {
    if depth == 0 || dice.chance(0.1) {
      return conditions.isEmpty || dice.chance(0.2) ? "close > 30" : dice.element(of: Array(conditions.suffix(3)))
    }
    switch dice.below(6) {
    case 0, 1: return "(\(condition(depth - 1)) \(dice.element(of: ["and", "or"])) \(condition(depth - 1)))"
    case 2: return "not (\(condition(depth - 1)))"
    case 3: return "\(dice.element(of: ["every", "any"]))(\(condition(depth - 1)), 20)"
    case 4: return "(\(number(depth - 1))) between 1 and 100"
    default: return "\(number(depth - 1)) \(dice.element(of: ["<", ">=", "=", "!="])) \(number(depth - 1))"
    }
  }
}
