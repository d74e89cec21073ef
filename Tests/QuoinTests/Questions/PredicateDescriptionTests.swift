import Testing

@testable import Quoin

@Suite struct PredicateDescriptionTests {
  @Test(arguments: [
    "high > 80", "high in (80, 83]", "80 < high < 83", "high in [80, 83)", "83 <= high <= 80",
    "high between 80 and 83.5", "high = 0.1", "high between -inf and inf",
    "volume >= 3",
    "volume between -inf and inf", "date in [2005-01-03, 2006-01-01)", "ex-dividend is missing",
    "adj_close is not missing",
    "not (high = 80)", "high > 1 and (low > 2 or open > 3) and close > 4", "(high > 1 and low > 2) or open > 3",
    "true", "false", "high > nan", "high < -inf", "high = 1e+16", "high = 5e-324", "volume > 9223372036854775807",
  ])
  func a_description_is_the_language(_ text: String) throws {
    #expect(try Predicate(parsing: text).description == text)
  }

  @Test func unusual_predicates_are_described_too() {
    #expect((Predicate.all([.any([.isMissing(.high)])])).description == "high is missing")
    #expect(Predicate.not(.not(.all([]))).description == "true")
    #expect(Predicate.date(Bounds()).description == "date between 0001-01-01 and 9999-12-31")
    #expect(
      Predicate.all([.any([.all([.isMissing(.low), .isMissing(.high)])]), .isMissing(.open)]).description
        == "(low is missing and high is missing) and open is missing")
  }

  @Test func what_is_too_deep_for_a_scan_is_left_out() {
    let part = Predicate.range(.high, 1...)
    let deep = { (levels: Int) in (0..<levels).reduce(part) { predicate, _ in .not(.all([predicate, part])) } }
    let deepest = deep(Limits.predicateLevels / 2).description
    #expect(deepest.hasPrefix("not (not (not (") && deepest.contains("not (high >= 1 and high >= 1) and high >= 1"))
    for levels in [Limits.predicateLevels / 2 + 1, 10_000] { #expect(deep(levels).description == "...") }
  }

  @Test func a_description_reads_back_with_the_same_meaning() throws {
    let seed: UInt64 = 1_971
    var random = SplitMix(state: seed)
    var selectedCount = 0
    for _ in 0..<3_000 {
      let predicate = Self.predicate(depth: 4, &random)
      let text = predicate.description
      let parsed = try Predicate(parsing: text)
      for _ in 0..<20 {
        let quote = Self.quote(&random)
        let value = predicate.naiveValue(of: quote)
        #expect(parsed.naiveValue(of: quote) == value, "seed \(seed): \(text) on \(quote)")
        if value == true { selectedCount += 1 }
      }
    }
    #expect(selectedCount > 10_000 && selectedCount < 50_000)
  }

  private static let doubles: [Double] = [
    .nan, .infinity, -.infinity, 0, -0.0, 1, -1, 0.1, 80, 83, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    .greatestFiniteMagnitude, 86.9, 81.695807224729, 1e16, 0.1 + 0.2,
  ]
  private static let integers: [Int64] = [.min, .min + 1, .max, .max - 1, 0, 1, -1, 1_373_400, 1 << 53, 1 << 53 + 1]
  private static let days: [TradingDay] = ["0001-01-01", "1999-12-31", "2000-02-29", "2005-10-14", "9999-12-31"]

  private static func predicate(depth: Int, _ random: inout SplitMix) -> Predicate {
    let parts = { (random: inout SplitMix) in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in predicate(depth: depth - 1, &random) }
    }
    switch Int.random(in: depth > 0 ? 0...6 : 0...3, using: &random) {
    case 0: return .double(pick(TypedAttribute<Double>.all, &random), bounds(doubles, &random))
    case 1: return .integer(pick(TypedAttribute<Int64>.all, &random), bounds(integers, &random))
    case 2: return .date(bounds(days, &random))
    case 3: return .isMissing(pick(Attribute.allCases, &random))
    case 4: return .all(parts(&random))
    case 5: return .any(parts(&random))
    default: return .not(predicate(depth: depth - 1, &random))
    }
  }

  private static func bounds<Value>(_ values: [Value], _ random: inout SplitMix) -> Bounds<Value> {
    let bound = { (random: inout SplitMix) -> Bound<Value> in
      switch Int.random(in: 0...2, using: &random) {
      case 0: .unbounded
      case 1: .inclusive(pick(values, &random))
      default: .exclusive(pick(values, &random))
      }
    }
    return Bounds(lower: bound(&random), upper: bound(&random))
  }

  private static func quote(_ random: inout SplitMix) -> DailyQuoteSummary {
    let double = { (random: inout SplitMix) in pick(doubles, &random) }
    return DailyQuoteSummary(
      ticker: "A", date: pick(days, &random), open: double(&random), high: double(&random), low: double(&random),
      close: double(&random), volume: pick(integers, &random), exDividend: double(&random),
      splitRatio: double(&random), adjustedOpen: double(&random), adjustedHigh: double(&random),
      adjustedLow: double(&random), adjustedClose: double(&random), adjustedVolume: double(&random))
  }

  private static func pick<Element>(_ elements: [Element], _ random: inout SplitMix) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }
}
