import Testing

@testable import Quoin

@Suite struct PredicateParsingTests {
  /// What each text means, written with the Swift API. Ranges are compared as values, so none has a NaN end here.
  private static let language: [(String, Predicate)] = [
    ("high > 80", .double(.high, Bounds(lower: .exclusive(80)))),
    ("high >= 80", .double(.high, Bounds(lower: .inclusive(80)))),
    ("high < 80", .double(.high, Bounds(upper: .exclusive(80)))),
    ("high <= 80", .double(.high, Bounds(upper: .inclusive(80)))),
    ("high = 80", .range(.high, 80...80)),
    ("high == 80", .range(.high, 80...80)),
    ("high != 80", !.range(.high, 80...80)),
    ("high <> 80", !.range(.high, 80...80)),
    ("high>80", .double(.high, Bounds(lower: .exclusive(80)))),
    ("high<-1", .double(.high, Bounds(upper: .exclusive(-1)))),
    ("  HIGH\n>\t8_0 ", .double(.high, Bounds(lower: .exclusive(80)))),
    // Either side first, and chains.
    ("80 < high", .double(.high, Bounds(lower: .exclusive(80)))),
    ("80 != high", !.range(.high, 80...80)),
    ("80 < high <= 83", .double(.high, Bounds(lower: .exclusive(80), upper: .inclusive(83)))),
    ("83 >= high > 80", .double(.high, Bounds(lower: .exclusive(80), upper: .inclusive(83)))),
    ("70 < high < 80", .double(.high, Bounds(lower: .exclusive(70), upper: .exclusive(80)))),
    (
      "high > 80 < low",
      .double(.high, Bounds(lower: .exclusive(80))) && .double(.low, Bounds(lower: .exclusive(80)))
    ),
    ("80 < high != 83", .double(.high, Bounds(lower: .exclusive(80))) && !.range(.high, 83...83)),
    // Ranges.
    ("high between 80 and 83", .range(.high, 80...83)),
    ("high not between 80 and 83", !.range(.high, 80...83)),
    ("83 <= high <= 80", .double(.high, Bounds(lower: .inclusive(83), upper: .inclusive(80)))),
    ("high between 80 and 83 and low < 1", .range(.high, 80...83) && .double(.low, Bounds(upper: .exclusive(1)))),
    ("high in range (80, 83)", .double(.high, Bounds(lower: .exclusive(80), upper: .exclusive(83)))),
    ("high in range [80, 83]", .range(.high, 80...83)),
    ("high in (80, 83)", .any([.range(.high, 80...80), .range(.high, 83...83)])),
    ("high in (80,83,1)", .any([.range(.high, 80...80), .range(.high, 83...83), .range(.high, 1...1)])),
    ("high in (80,100)", .any([.range(.high, 80...80), .range(.high, 100...100)])),
    ("high not in (80)", !.range(.high, 80...80)),
    (
      "date in ('2005-01-03', 2005-01-05)",
      .any([.dates(from: "2005-01-03", to: "2005-01-03"), .dates(from: "2005-01-05", to: "2005-01-05")])
    ),
    ("high in [80, 83)", .range(.high, 80..<83)),
    ("high in (80, 83]", .double(.high, Bounds(lower: .exclusive(80), upper: .inclusive(83)))),
    ("high not in [80, 83]", !.range(.high, 80...83)),
    ("high is missing", .isMissing(.high)),
    ("high is not missing", !.isMissing(.high)),
    ("high is null", .isMissing(.high)),
    ("high is not null", !.isMissing(.high)),
    // Names.
    ("ex-dividend > 0", .double(.exDividend, Bounds(lower: .exclusive(0)))),
    ("ex_dividend>0", .double(.exDividend, Bounds(lower: .exclusive(0)))),
    ("adjClose is missing", .isMissing(.adjustedClose)),
    ("adj_close is missing", .isMissing(.adjustedClose)),
    ("ADJ-CLOSE IS MISSING", .isMissing(.adjustedClose)),
    ("adj.close is missing", .isMissing(.adjustedClose)),
    ("adjustedVolume is missing", .isMissing(.adjustedVolume)),
    ("Adj. Close is missing", .isMissing(.adjustedClose)),
    ("Split Ratio is missing", .isMissing(.splitRatio)),
    ("adjusted_close is missing", .isMissing(.adjustedClose)),
    ("high>-2", .double(.high, Bounds(lower: .exclusive(-2)))),
    ("high < -2^2", .high < -.power(2, 2)),
    ("high>12/6/3", .double(.high, Bounds(lower: .exclusive(12.0 / 6 / 3)))),
    ("high > 10-5-2", .double(.high, Bounds(lower: .exclusive(3)))),
    ("high > 5%-3%", .double(.high, Bounds(lower: .exclusive(0.05 - 0.03)))),
    ("high between -1 and 100/10/2", .range(.high, -1...5)),
    ("!high > 5", !.double(.high, Bounds(lower: .exclusive(5)))),
    ("not high = 5", !.range(.high, 5...5)),
    ("high = 1 = low", .range(.high, 1...1) && .range(.low, 1...1)),
    ("high between 1 and 2 and close > 3", .range(.high, 1...2) && .double(.close, Bounds(lower: .exclusive(3)))),
    ("high\u{a0}\u{2265}\u{a0}80", .double(.high, Bounds(lower: .inclusive(80)))),
    ("high \u{2264} \u{2212}80", .double(.high, Bounds(upper: .inclusive(-80)))),
    ("high \u{2260} 6 \u{d7} 4 \u{f7} 3", !.range(.high, 8...8)),
    ("date = \u{201c}2005-01-03\u{201d}", .dates(from: "2005-01-03", to: "2005-01-03")),
    ("date = \u{2018}2005-01-03\u{2019}", .dates(from: "2005-01-03", to: "2005-01-03")),
    // Dates.
    ("date = 2005-01-03", .dates(from: "2005-01-03", to: "2005-01-03")),
    ("date > '2005-01-03'", .date(Bounds(lower: .exclusive("2005-01-03")))),
    (
      "\"2005-01-03\" <= date < 2006-01-01",
      .date(Bounds(lower: .inclusive("2005-01-03"), upper: .exclusive("2006-01-01")))
    ),
    (
      "Date in [2005-01-03,2005-02-01)", .date(Bounds(lower: .inclusive("2005-01-03"), upper: .exclusive("2005-02-01")))
    ),
    ("date not between 2005-01-03 and 2005-02-01", !.dates(from: "2005-01-03", to: "2005-02-01")),
    // Numbers.
    ("high > .5", .double(.high, Bounds(lower: .exclusive(0.5)))),
    ("high > 5.", .double(.high, Bounds(lower: .exclusive(5)))),
    ("high > +1e2", .double(.high, Bounds(lower: .exclusive(100)))),
    ("high > 1E-2", .double(.high, Bounds(lower: .exclusive(0.01)))),
    ("high > -2.5e+1", .double(.high, Bounds(lower: .exclusive(-25)))),
    ("high > 3_000_000", .double(.high, Bounds(lower: .exclusive(3_000_000)))),
    ("high > 86.9", .double(.high, Bounds(lower: .exclusive(86.9)))),
    ("high > 0.1000000000000000055511151231257827", .double(.high, Bounds(lower: .exclusive(0.1)))),
    ("high >= 1e-400", .double(.high, Bounds(lower: .inclusive(0)))),
    ("volume > 10M", .integer(.volume, Bounds(lower: .exclusive(10_000_000)))),
    ("high > 5%", .double(.high, Bounds(lower: .exclusive(0.05)))),
    ("high > 1.5k", .double(.high, Bounds(lower: .exclusive(1500)))),
    ("high > -(2)", .double(.high, Bounds(lower: .exclusive(-2)))),
    ("high > - 5", .double(.high, Bounds(lower: .exclusive(-5)))),
    ("high > 2 * 3", .double(.high, Bounds(lower: .exclusive(6)))),
    ("high < inf", .double(.high, Bounds(upper: .exclusive(.infinity)))),
    ("high = -inf", .double(.high, Bounds(lower: .inclusive(-.infinity), upper: .inclusive(-.infinity)))),
    // Precedence: not, then and, then or.
    (
      "open=1 or high=2 and not low=3",
      .any([.range(.open, 1...1), .all([.range(.high, 2...2), .not(.range(.low, 3...3))])])
    ),
    ("open=1||high=2&&!low=3", .any([.range(.open, 1...1), .all([.range(.high, 2...2), .not(.range(.low, 3...3))])])),
    ("(open=1 or high=2) AND low=3", .all([.any([.range(.open, 1...1), .range(.high, 2...2)]), .range(.low, 3...3)])),
    ("open=1 and high=2 and low=3", .all([.range(.open, 1...1), .range(.high, 2...2), .range(.low, 3...3)])),
    ("not not high = 1", .range(.high, 1...1)),
    ("!!! high = 1", !.range(.high, 1...1)),
    ("not (high not in range (1, 2))", .double(.high, Bounds(lower: .exclusive(1), upper: .exclusive(2)))),
    ("true", .all([])),
    ("not FALSE", !.any([])),
    // Volumes are exact.
    ("volume > 2.5", .range(.volume, 3...)),
    ("volume >= 2.5", .range(.volume, 3...)),
    ("volume < 2.5", .range(.volume, ...2)),
    ("volume <= -2.5", .range(.volume, ...(-3))),
    ("volume > -2.5", .range(.volume, (-2)...)),
    ("volume > -0.5", .range(.volume, 0...)),
    ("volume < -0.5", .range(.volume, ...(-1))),
    ("volume = 2.0", .range(.volume, 2...2)),
    ("volume = 25e-1", .integer(.volume, Bounds(lower: .inclusive(3), upper: .inclusive(2)))),
    ("volume > 1e3", .integer(.volume, Bounds(lower: .exclusive(1000)))),
    ("volume < 1e30", .integer(.volume, Bounds())),
    ("volume > -1e999999999999999999999", .integer(.volume, Bounds())),
    ("volume > 1e30", .integer(.volume, Bounds(lower: .exclusive(.max)))),
    ("volume < -1e30", .integer(.volume, Bounds(upper: .exclusive(.min)))),
    ("volume in [-inf, inf]", .integer(.volume, Bounds())),
    ("volume > nan", .integer(.volume, Bounds(lower: .exclusive(.max)))),
    ("volume < nan", .integer(.volume, Bounds(upper: .exclusive(.min)))),
    ("volume > 9223372036854775806", .integer(.volume, Bounds(lower: .exclusive(.max - 1)))),
    ("volume = 9223372036854775807", .range(.volume, Int64.max...Int64.max)),
    ("volume <= 9223372036854775806.5", .range(.volume, ...(Int64.max - 1))),
    ("volume < 9223372036854775807.5", .integer(.volume, Bounds())),
    ("volume < 9223372036854775808", .integer(.volume, Bounds())),
    ("volume > 9223372036854775807.000001", .integer(.volume, Bounds(lower: .exclusive(.max)))),
    ("volume >= -9223372036854775808", .range(.volume, Int64.min...)),
    ("volume > -9223372036854775808.5", .integer(.volume, Bounds())),
    ("volume < -9223372036854775807.5", .range(.volume, ...Int64.min)),
    ("volume > 1e-999999999999999999999", .range(.volume, 1...)),
    ("volume > 0e99999999999999999999", .integer(.volume, Bounds(lower: .exclusive(0)))),
  ]

  @Test(arguments: language.indices)
  func a_text_means_its_predicate(_ index: Int) throws {
    let (text, expected) = Self.language[index]
    #expect(try Predicate(parsing: text).ofWholeNumbers == expected, "\(text)")
  }

  @Test func nothing_compares_with_nan_but_its_negation_selects_what_is_there() throws {
    for text in ["high > nan", "high <= nan", "high = nan", "high between nan and 1", "volume = nan", "volume >= NaN"] {
      let predicate = try Predicate(parsing: text)
      let negated = try Predicate(parsing: "not (\(text))")
      for value in [-Double.infinity, -1, 0, 1, .infinity] {
        let row = DailyQuoteSummary(ticker: "A", date: "2001-01-05", high: value, volume: value < 0 ? .min + 1 : 5)
        #expect(predicate.naiveValue(of: row) == false && negated.naiveValue(of: row) == true, "\(text)")
      }
      let missing = DailyQuoteSummary(ticker: "A", date: "2001-01-05")
      #expect(predicate.naiveValue(of: missing) == nil && negated.naiveValue(of: missing) == nil)
    }
  }

  @Test func the_deepest_text_is_no_deeper_than_a_scan_may_be() throws {
    let text = (0..<Limits.predicateDepth).reduce("low > 2") { text, _ in "high > 1 or open > 3 and not (\(text))" }
    let predicate = try Predicate(parsing: text)
    #expect(!predicate.size.isTooDeep && predicate.size.levelCount > 2 * Limits.predicateDepth)
    // It is computed as a whole.
    #expect(try NormalizedPredicate(predicate, hasFractions: false).conditions.count == 1)
  }

  @Test func depth_and_length_have_limits() throws {
    let nested = { (depth: Int) in
      String(repeating: "(", count: depth) + "high > 1" + String(repeating: ")", count: depth)
    }
    #expect(try Predicate(parsing: nested(Limits.predicateDepth)) == .double(.high, Bounds(lower: .exclusive(1))))
    let error = #expect(throws: PredicateSyntaxError.self) { try Predicate(parsing: nested(Limits.predicateDepth + 1)) }
    #expect(error?.message == "more than 100 parentheses inside each other" && error?.offset == 100)
    let unclosed = String(repeating: "(", count: Limits.predicateByteCount)
    #expect(throws: PredicateSyntaxError.self) { try Predicate(parsing: unclosed) }
    let nots = String(repeating: "!", count: Limits.predicateByteCount - 8) + "high > 1"
    #expect(try Predicate(parsing: nots) == .double(.high, Bounds(lower: .exclusive(1))))
    let long = #expect(throws: PredicateSyntaxError.self) { try Predicate(parsing: nots + " ") }
    #expect(long?.message == "the predicate has 65537 bytes, more than the 65536 allowed")
    #expect((long?.description.count ?? .max) < 300)
  }

  @Test func random_bytes_are_parsed_or_refused() {
    let words = [
      "high", "volume", "date", ">", "<=", "=", "!", "!=", "and", "or", "not", "between", "in", "is", "missing", "(",
      ")", "[", "]", ",", "1", "2.5", "-", "+", "e", ".", "_", "1e400", "2005-01-03", "'", "\"", "inf", "nan", "\u{e9}",
      "\u{0}", "&", "|", "1,000", " ", "\n", "-inf", "true",
    ]
    var random = SplitMix(state: 7)
    var parsedCount = 0
    for _ in 0..<50_000 {
      let count = Int.random(in: 0...12, using: &random)
      let text = (0..<count).map { _ in words[Int.random(in: words.indices, using: &random)] }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      do {
        let predicate = try Predicate(parsing: text)
        parsedCount += 1
        #expect(throws: Never.self, "\(text)") { try Predicate(parsing: predicate.description) }
      } catch {
        #expect(error.offset >= 0 && error.offset <= text.utf8.count && !error.description.isEmpty, "\(text)")
      }
    }
    #expect(parsedCount > 100)
  }
}

extension Predicate {
  /// Whether the predicate holds, as SQL would have it; nil where that is unknown because a cell is missing.
  func naiveValue(of quote: DailyQuoteSummary) -> Bool? {
    switch form {
    case .double(let key, let bounds): return quote[key.name].map { bounds.contains($0) }
    case .integer(let key, let bounds): return quote.integer(key.name).map { bounds.whole.contains($0) }
    case .date(let bounds): return bounds.contains(quote.date)
    case .isMissing(let name):
      return quote[name] == nil
    case .all(let parts):
      let values = parts.map { $0.naiveValue(of: quote) }
      return values.contains(false) ? false : values.contains(nil) ? nil : true
    case .any(let parts):
      let values = parts.map { $0.naiveValue(of: quote) }
      return values.contains(true) ? true : values.contains(nil) ? nil : false
    case .not(let part): return part.naiveValue(of: quote).map { !$0 }
    case .tooDeep: return nil
    case .ticker, .comparison, .hasNoValue, .holds: preconditionFailure("\(self) looks at other rows")
    }
  }
}
