import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a question may take, and how little it takes.
@Suite struct QuestionBudgetTests {
  /// Two tickers of some blocks.
  private static func store(rowCount: Int = 3000) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for (ticker, base) in [("FDX" as TickerSymbol, 40.0), ("KO", 20)] {
      try store.upsert(
        (0..<rowCount).map { day in
          let close = base + Double(day % 97) / 4
          return DailyQuoteSummary(
            ticker: ticker, date: TradingDay(daysSince1970: 1000 + day)!, open: close - 1, high: close + 2,
            low: close - 2,
            close: close, volume: Int64(1000 + day))
        })
    }
    return store
  }

  /// `x1 = combine(x0, x0)`, `x2 = combine(x1, x1)` and so on.
  private static func doubled<Part>(_ start: Part, _ count: Int, _ combine: (Part, Part) -> Part) -> Part {
    (0..<count).reduce(start) { part, _ in combine(part, part) }
  }

  @Test func a_question_may_hold_three_quarters_of_the_memory() throws {
    let byteCount = try #require(QuestionLimits.standard.byteCount)
    #expect((byteCount - max(256 << 20, ProcessMemory.byteCount / 4 * 3)).magnitude < 1 << 20)
    #expect(QuestionLimits.standard.seconds == 3600)
  }

  @Test func the_room_that_long_windows_need_counts() throws {
    let query = try Self.store(rowCount: 30_000).quotes(for: .fedEx).threads(1).within(QuestionLimits(megabytes: 1))
    #expect(try query.where(.mean(.close, 5000) > 0).count() == 25_001)
    for long in [QuoteExpression.std(.close, 5000), .rank(.close, 5000), .slope(.close, 5000)] {
      let error = #expect(throws: StoreError.self) { try query.where(long > 0).count() }
      guard case .questionTooBig = error else {
        Issue.record("\(long): \(String(describing: error))")
        continue
      }
    }
  }

  // Names.

  @Test func a_name_that_is_used_twice_is_one_step() throws {
    let sum = Self.doubled(QuoteExpression.close, 60, +)
    #expect(try Program([sum]).steps.count == 61)
    let choice = Self.doubled(QuoteExpression.close) { .if($0 > 1, $0, $1) }
    #expect(try Program([choice]).steps.count < 200)
    let values = try Self.store().quotes(for: .fedEx).limited(to: 2).computing("x", sum).fetchColumns().computed("x")
    #expect(values.map { Array($0) } == [40 * 0x1p60, 40.25 * 0x1p60])
  }

  private static func doubled(
    _ start: QuoteExpression, _ combine: (QuoteExpression, QuoteExpression) -> QuoteExpression
  )
    -> QuoteExpression
  { doubled(start, 60, combine) }

  @Test func conditions_of_names_that_double_have_their_answers() throws {
    let store = try Self.store()
    let rising: Quoin.Predicate = .close > .prev(.close)
    let count = try store.allQuotes.where(rising).count()
    for depth in [1, 5, 9, 10, 11, 12, 20, 60] {
      for (name, start, expected) in [
        ("range", Quoin.Predicate.range(.close, above: 50), nil as Int?), ("computed", rising, count),
      ] {
        let expected = try expected ?? store.allQuotes.where(start).count()
        #expect(
          try store.allQuotes.where(Self.doubled(start, depth) { .all([$0, $1]) }).count() == expected,
          "\(name) \(depth)")
        #expect(
          try store.allQuotes.where(Self.doubled(start, depth) { .any([$0, $1]) }).count() == expected,
          "\(name) \(depth)")
        #expect(
          try store.allQuotes.where(Self.doubled(start, depth) { .any([.not(.all([$0, .close > 1e9])), $1]) }).count()
            == store.allQuotes.where(.close < 1e9).count(), "\(name) \(depth)")
        #expect(
          try store.allQuotes.where(Self.doubled(start, depth) { .all([$0, .not($1)]) }).count() == 0,
          "\(name) \(depth)")
      }
    }
  }

  /// Predicates over few shared parts, in which each part is used again and again.
  @Test func a_predicate_that_repeats_itself_selects_what_its_parts_say() throws {
    var dice = TestSettings.dice("predicates that repeat themselves")
    var repeatingCount = 0
    for _ in 0..<TestSettings.count(debug: 40, release: 400) {
      let market = try RandomMarket(&dice)
      var parts = (0..<3).map { _ in market.predicate(&dice, depth: 0) }
      for _ in 0..<14 {
        let (a, b) = (parts[parts.count - 1], dice.element(of: Array(parts.suffix(3))))
        let next: Quoin.Predicate =
          switch dice.below(4) {
          case 0: .all([a, b])
          case 1: .any([a, b])
          case 2: .not(.any([b, a]))
          default: .any([.not(a), .all([a, b])])
          }
        parts.append(next)
      }
      guard let last = parts.last else { continue }
      repeatingCount += last.repeatsItself ? 1 : 0
      // The oracle walks the tree of each row, so it gets the truth of each part once.
      for ticker in market.tickers {
        guard let rows = market.rows[ticker] else { continue }
        let known = NamedTruths(rows, ticker)
        let wanted = known.truths(last).indices.filter { known.truths(last)[$0] == yes }
        let found = try market.store.quotes(for: ticker).where(last).fetchColumns()
        #expect(found.columns.days == wanted.map { rows.days[$0] }, "\(ticker)")
      }
    }
    #expect(repeatingCount > 0)
  }

  /// The truth of each predicate in each row, remembered by its place in memory of the test.
  private final class NamedTruths {
    private let (rows, ticker): (QuoteColumns, TickerSymbol)
    private var known: [Quoin.Predicate: [Truth]] = [:]

    init(_ rows: QuoteColumns, _ ticker: TickerSymbol) { (self.rows, self.ticker) = (rows, ticker) }

    func truths(_ predicate: Quoin.Predicate) -> [Truth] {
      if let truths = known[predicate] { return truths }
      var result: [Truth]
      switch predicate.form {
      case .all(let parts):
        result = rows.days.map { _ in yes }
        for part in parts { result = zip(result, truths(part)).map { $0 == no || $1 == no ? no : $0 == yes ? $1 : $0 } }
      case .any(let parts):
        result = rows.days.map { _ in no }
        for part in parts {
          result = zip(result, truths(part)).map { $0 == yes || $1 == yes ? yes : $0 == no ? $1 : $0 }
        }
      case .not(let part): result = truths(part).map { $0 == yes ? no : $0 == no ? yes : $0 }
      default: result = QuoinTests.truths(predicate, rows, of: ticker)
      }
      known[predicate] = result
      return result
    }
  }

  @Test func descriptions_end() {
    let sum = Self.doubled(QuoteExpression.close, 100, +)
    #expect("\(sum)" == "...")
    #expect("\(sum > 1)" == "...")
    #expect("\(Self.doubled(QuoteExpression.close, 3, +))".count { $0 == "+" } == 7)
    #expect("\(Self.doubled(Quoin.Predicate.range(.close, above: 1), 300) { .all([$0, .not($1)]) })" == "...")
  }

  @Test func equal_expressions_have_equal_digests_and_others_do_not() {
    let texts = [
      "close", "open", "close + open", "open + close", "close - open", "prev(close)", "prev(close, 2)", "next(close)",
      "mean(close, 20)",
      "mean(close, 20 min 1)", "mean(close, 21)", "mean(open, 20)", "quantile(close, 20, 0.5)",
      "quantile(close, 20, 0.25)", "-close",
      "if(close > 1, close, open)", "if(close >= 1, close, open)", "if(close > 2, close, open)", "rank(close by day)",
      "rank(close desc by day)", "rank(close by day among volume > 1)", "close of 'SPY'",
      "close of 'SPY' within 3 days", "count(close > 1, 20)",
      "since(close > 1)", "streak(close > 1)", "rsi(close, 14)", "rsi(close, 15)", "year(date)", "month(date)",
      "close * 0", "close * -0",
      "close * nan", "close + 1", "close + (open + high)", "(close + open) + high",
    ]
    let (a, b) = (texts.map { try! QuoteExpression(parsing: $0) }, texts.map { try! QuoteExpression(parsing: $0) })
    for (i, x) in a.enumerated() {
      for (j, y) in b.enumerated() {
        #expect((x == y) == (i == j), "\(texts[i]) and \(texts[j])")
        if i == j { #expect(x.hashValue == y.hashValue) }
      }
    }
  }

  @Test func more_steps_than_a_question_may_have_are_refused() throws {
    let sums = (0...Limits.questionSteps).map { QuoteExpression.close + .number(Double($0)) }
    var query = try Self.store(rowCount: 3).allQuotes
    for (index, sum) in sums.enumerated() { query = query.computing(also: ("\(index)", sum)) }
    #expect(throws: StoreError.questionTooLarge(stepCountMax: Limits.questionSteps)) { try query.fetchColumns() }
  }

  // Time.

  @Test func a_question_is_given_up_when_its_time_is_over() throws {
    let store = try Self.store(rowCount: 20_000)
    // Some seconds of work.
    var query = store.allQuotes
    for number in 1...400 { query = query.where(.mad(.close * .number(Double(number)), 400, minimum: 1) >= 0) }
    let limits = QuestionLimits(seconds: 0.001)
    let asks: [(String, (QuoteQuery) throws -> Void)] = [
      ("count", { _ = try $0.count() }), ("isEmpty", { _ = try $0.where(.close < 0).isEmpty() }),
      ("fetch", { _ = try $0.fetch() }), ("fetchColumns", { _ = try $0.fetchColumns() }),
      ("fetchOne", { _ = try $0.offset(by: 39_999).fetchOne() }), ("latest", { _ = try $0.latest() }),
      ("sorted", { _ = try $0.limited(to: 3).sorted(by: .close) }), ("explain", { _ = try $0.explain() }),
      ("aggregate", { _ = try $0.aggregate([.max(.close)], by: .month) }),
      ("aggregate of rows", { _ = try $0.aggregate([.first(.close)]) }),
      ("groups", { _ = try $0.answer(GroupQuestion(parsing: "max(close) - min(close) as r"), by: .month) }),
      ("ranks", { _ = try store.allQuotes.within(limits).where(.rankByDay(.close, among: $0.predicate) > 1).count() }),
    ]
    for (name, ask) in asks {
      let start = ContinuousClock.now
      #expect(throws: StoreError.questionTooLong(seconds: 0.001), "\(name)") { try ask(query.within(limits)) }
      #expect(ContinuousClock.now - start < .seconds(TestSettings.isDebug ? 20 : 2), "\(name)")
    }
  }

  @Test func the_time_of_a_consumer_does_not_count() throws {
    let cursor = try Self.store().allQuotes.within(QuestionLimits(seconds: 2)).cursor(rowsPerBatch: 1)
    var count = 0
    while let batch = try cursor.next() {
      count += batch.rowCount
      if count < 3000 { usleep(700_000) }
    }
    #expect(count == 6000)
  }

  // Memory.

  @Test func a_question_that_would_hold_too_much_is_refused_before_it_holds_it() throws {
    let store = try Self.store(rowCount: 60_000)
    let query = store.allQuotes.within(QuestionLimits(megabytes: 1))
    #expect(try query.count() == 120_000)
    let asks: [(String, () throws -> Void)] = [
      ("fetch", { _ = try query.fetch() }), ("fetchColumns", { _ = try query.fetchColumns() }),
      ("sorted", { _ = try query.sorted(by: .close) }),
      ("distinct", { _ = try query.aggregate([Aggregation(.distinct, of: .close)]) }),
      ("groups", { _ = try query.aggregate([.first(.close)], by: Grouping(.ticker, .day)) }),
      ("window", { _ = try query.where(.mean(.close, 60_000, minimum: 1) > 0).count() }),
      ("rank", { _ = try query.where(.rankByDay(.close) > 1).count() }),
    ]
    for (name, ask) in asks {
      #expect("\(name)") { try ask() } throws: { error in
        guard case StoreError.questionTooBig(let count, let limit) = error else { return false }
        return count > limit && limit == 1 << 20
      }
    }
    // Batches are held one by one.
    var count = 0
    try query.forEachBatch(rowsPerBatch: 1000) { count += $0.rowCount }
    #expect(count == 120_000)
  }

  @Test func questions_that_share_memory_leave_what_they_held() throws {
    let store = try Self.store(rowCount: 30_000)
    let account = MemoryAccount(byteCountMax: 16 << 20)
    let budget = QuestionBudget(QuestionLimits(megabytes: 8), sharing: account)
    _ = try store.taking(from: budget).allQuotes.where(.rankByDay(.mean(.close, 20)) > 0).count()
    #expect(budget.peakByteCount > 1000 && account.peakByteCount == budget.peakByteCount)
    #expect(Self.isEmptySoon(account))
    let held = try QuestionBudget(sharing: account).hold(16 << 20)
    #expect(throws: StoreError.self) { try store.taking(from: budget).allQuotes.fetchColumns() }
    withExtendedLifetime(held) {}
    #expect(account.byteCount <= 16 << 20)
  }

  /// A helper may be about to let its part go.
  private static func isEmptySoon(_ account: MemoryAccount) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while account.byteCount != 0, ContinuousClock.now < end { usleep(1000) }
    return account.byteCount == 0
  }

  @Test func views_and_checks_have_the_budget_of_their_store() throws {
    let store = try Self.store(rowCount: 60_000).within(QuestionLimits(seconds: 0))
    #expect(throws: StoreError.questionTooLong(seconds: 0)) { try store.asOf("2100-01-01") }
    #expect(throws: StoreError.questionTooLong(seconds: 0)) { try store.resampled(by: .month) }
    #expect(throws: StoreError.questionTooLong(seconds: 0)) { try store.audit { _ in } }
    #expect(throws: StoreError.questionTooLong(seconds: 0)) { try store.allQuotes.count() }
    let small = store.within(QuestionLimits(megabytes: 1))
    #expect(throws: StoreError.self) { try small.resampled(by: .day) }
  }

  @Test func the_usual_limits_are_those_of_the_machine() {
    let limits = QuestionLimits.standard
    #expect(limits.seconds == 3600 && (limits.megabytes ?? 0) >= 256)
    #expect((limits.megabytes ?? .max) << 20 <= sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)))
  }
}
