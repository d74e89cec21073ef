import Testing

@testable import Quoin

/// Words of other languages are taken if they mean exactly the same; else whoever writes them reads what to write.
@Suite struct ForeignWordTests {
  @Test(arguments: LanguageReference.entries.filter { !$0.synonyms.isEmpty })
  func others_names_mean_the_same(_ entry: LanguageEntry) throws {
    for word in entry.synonyms {
      let text = word + entry.example.dropFirst(entry.name.count)
      if entry.kind == .aggregate {
        let columns = try [text, entry.example].map { try GroupQuestion(parsing: $0).columns[0].expression }
        #expect(columns[0] == columns[1], "\(text)")
      } else if let expression = try? QuoteExpression(parsing: entry.example) {
        #expect(try QuoteExpression(parsing: text) == expression, "\(text)")
      } else {
        #expect(try Predicate(parsing: text) == Predicate(parsing: entry.example), "\(text)")
      }
    }
  }

  @Test func a_word_means_one_thing() {
    for isOfGroups in [false, true] {
      let entries = LanguageReference.entries.filter { ($0.kind == .aggregate) == isOfGroups }
      let (names, synonyms) = (Set(entries.map(\.name)), entries.flatMap(\.synonyms))
      #expect(Set(synonyms).count == synonyms.count && names.isDisjoint(with: synonyms))
      let words = ForeignWord.all.filter { $0.place == (isOfGroups ? .aggregate : .function) }.flatMap(\.words)
      #expect(names.union(synonyms).isDisjoint(with: words))
    }
    for place in ForeignWord.Place.allCases {
      let words = ForeignWord.all.filter { $0.place == place }.flatMap(\.words)
      #expect(Set(words).count == words.count && !words.isEmpty)
    }
  }

  @Test(arguments: ForeignWord.all) func what_to_write_can_be_asked(_ word: ForeignWord) {
    let isOfRows = (try? Predicate(parsing: word.form)) != nil || (try? QuoteExpression(parsing: word.form)) != nil
    #expect(isOfRows || word.place == .aggregate && (try? GroupQuestion(parsing: word.form)) != nil, "\(word.form)")
    #expect(word.place != .aggregate || (try? GroupQuestion(parsing: word.form)) != nil, "\(word.form)")
    #expect(word.note.isEmpty || word.note.last != ".")
  }

  @Test(arguments: ForeignWord.all) func whoever_writes_another_word_reads_what_to_write(_ word: ForeignWord) {
    for name in word.words {
      let text =
        switch word.place {
        case .function: "\(name)(close, 20) > 1"
        case .longer: "\(name)(close, 20\(DayFunction.named(name) == nil ? "" : " ")) > 1"
        case .name: "\(name) > 1"
        case .sign: "close \(name) 2 > 1"
        case .after: "close > 5 \(name)"
        case .aggregate: "\(name)(close)"
        }
      let message = Self.refusal(of: text, isOfGroups: word.place == .aggregate)
      #expect(
        message.map { $0.contains("write \(word.form)") || Self.canBePasted($0, word) } ?? false,
        "\(text): \(message ?? "")")
    }
  }

  /// Whether what the message says to write means something.
  private static func canBePasted(_ message: String, _ word: ForeignWord) -> Bool {
    guard let start = message.firstRange(of: "write ")?.upperBound else { return false }
    let rest = message[start...]
    let form = String(word.note.isEmpty ? rest : rest.dropLast(word.note.count + 2))
    return refusal(of: form, isOfGroups: word.place == .aggregate) == nil
      || (try? QuoteExpression(parsing: form)) != nil
  }

  private static func refusal(of text: String, isOfGroups: Bool = false) -> String? {
    do throws(PredicateSyntaxError) {
      if isOfGroups { _ = try GroupQuestion(parsing: text) } else { _ = try Predicate(parsing: text) }
      return nil
    } catch { return error.message }
  }

  @Test(arguments: [
    ("every(close > open, 3)", "'every' is of rows, not of groups; write it inside: count(every(close > open, 3))"),
    ("mean(5)", "mean of what? A number is the same in every row; write mean(close)"),
    ("sum(1)", "sum of what? A number is the same in every row; write sum(close), or count for the number of rows"),
    ("count(1)", "count of what? A number is the same in every row; write count"),
    ("count(distinct 1)", "count of what? A number is the same in every row; write count"),
    (
      "weighted_mean(close, 1)",
      "weighted_mean of what? A number is the same in every row; write weighted_mean(close, volume)"
    ),
  ])
  func what_is_no_aggregate_is_refused(_ text: String, _ message: String) {
    #expect(Self.refusal(of: text, isOfGroups: true) == message)
  }

  @Test(arguments: [
    ("sma(close, 50) crosses below sma(close, 200)", "crosses(sma(close, 200), sma(close, 50))"),
    ("crossunder(sma(close, 50), sma(close, 200)) and volume > 1M", "crosses(sma(close, 200), sma(close, 50))"),
    ("close > 1 and close crosses under 45", "crosses(45, close)"),
    ("close crosses above open", "crosses(close, open)"),
    ("rsi(14) below 30", "rsi(14) < 30"), ("close above sma(close, 50) or volume > 1", "close > sma(close, 50)"),
    ("close > previous close", "prev(close)"), ("open > prev high", "prev(high)"),
    ("close > yesterday close", "prev(close)"),
    ("close > close 5 days ago", "prev(close, 5)"), ("open > high[2]", "prev(high, 2)"),
    ("open > max(high, 20)[1]", "prev(max(high, 20), 1)"), ("close.shift(1) > 5", "prev(close, 1)"),
    ("ta.sma(close, 50) > 5", "mean(close, 50)"), ("np.log(close) > 5", "log(close)"),
    ("df.close.diff(3) > 5", "diff(close, 3)"), ("roc(close, 1) > 5", "100 * change(close, 1)"),
    ("max(high, 252 rows) > 5", "max(high, 252)"), ("max(high, 52 weeks) > 5", "max(high, 364 days)"),
    ("close > mean(close, 3 months)", "mean(close, 91 days)"), ("mean(close, 2 years) > 1", "mean(close, 730 days)"),
    ("round(close, 1) > 5", "round(close * 10 ^ 1) / 10 ^ 1"),
    ("log(close - open, 2) > 5", "log(close - open) / log(2)"),
    ("zscore(high - low, 20) > 2", "((high - low) - mean(high - low, 20)) / std(high - low, 20)"),
    ("pctrank(close, 252) > 0.9", "rank(close, 252)"), ("bars_since(close > open) > 5", "since(close > open)"),
    ("rolling_corr(close, volume, 20) > 0", "corr(close, volume, 20)"), ("close.shift(-1) > 5", "next(close, 1)"),
    ("close >= 5 and <= 6", "close <= 6"),
    ("volume > 200% of mean(volume, 20)", "200% * mean(volume, 20)"), ("close > 50% of open", "50% * open"),
    ("AND(close > 5, open > 6)", "close > 5 and open > 6"), ("OR(close > 5, open > 6)", "close > 5 or open > 6"),
    ("close > 60 or 70", "close > 70"), ("volume > 10 M", "volume > 10M"), ("volume > 5bn", "5B"),
    ("close =! open", "close != open"), ("close => open", "close >= open"), ("stdev.s(close, 5) > 1", "std(close, 5)"),
    ("all(close > open, 4)", "every(close > open, 4)"), ("math.max(open, close)", "larger(open, close)"),
    ("month(date) = june", "month(date) = 6"), ("weekday(date) = monday", "weekday(date) = 1"), ("C > O", "close"),
    ("close > AAPL.open", "open of AAPL"), ("close / AAPL > 1", "close of AAPL"), ("stddev(20) > 1", "std(close, 20)"),
    ("pow(high - low, 2) > 1", "(high - low) ^ 2"), ("ticker in (ko, AAPL)", "ticker in ('KO', 'AAPL')"),
    ("close > 43,5", "43.5"), ("date > 2017-02-30", "no day 2017-02-30"),
    ("ref(close, -1) > 1", "rows before are prev(close, 1)"),
    ("close > mean(prev(close, 5 days), 3)", "without 'days'"), ("dense_rank(close by day) = 1", "rank(close by day)"),
    ("rank(close per day) = 1", "rank(close by day)"), ("ticker = 'KO' or 'PEP'", "ticker in ("),
    ("if(close > open, 1, null) = 1", "leave it out"), ("nullif(close, 0) > 1", "if(close != 0, close)"),
    ("date > 2018-03-01 - 1 month", "date - 30"), ("ticker in ['KO', 'AAPL']", "round brackets"),
    ("day of week = 1", "weekday(date)"), ("max(high, 1y) > 5", "1 year"), ("date is last", "date = last"),
    ("date = max(date)", "as in date = last"),
    ("date > last(date) - 5", "as in date = last"),
    ("date = 'last'", "without quotes"),
  ])
  func what_to_write_has_what_was_written(_ text: String, _ form: String) {
    #expect(Self.refusal(of: text)?.contains(form) ?? false, "\(text): \(Self.refusal(of: text) ?? "")")
  }

  @Test(arguments: [
    ("mdd(adj_close)", "min(adj_close / max(adj_close) - 1)"), ("ytd", "last(close) / first(prev(close)) - 1"),
    ("mod(close, 3)", "mean(close - 3 * floor(close / 3))"), ("crossunder(close, open)", "count(crosses(open, close))"),
    ("cumsum(volume)", "sum(volume)"), ("maximum_of(close)", "there are"),
    ("log10(close)", "mean(log(close) / log(10))"),
    ("max(date) - min(date)", "max(day_number(date))"), ("abs(max(date))", "is a day"),
    ("ticker, mean(close)", "by ticker"),
  ])
  func so_has_that_for_an_aggregate(_ text: String, _ form: String) {
    let message = Self.refusal(of: text, isOfGroups: true)
    #expect(message?.contains(form) ?? false, "\(text): \(message ?? "")")
  }

  @Test(arguments: ["maximum(high, 20)", "avg(close, 5)", "regr_slope(close, volume, 20)"])
  func a_word_for_groups_is_one_for_rows_too(_ text: String) throws { _ = try QuoteExpression(parsing: text) }

  @Test func a_definition_is_no_comparison() throws {
    var names = Definitions()
    let error = #expect(throws: PredicateSyntaxError.self) { try names.add("r == close") }
    #expect(error?.message.contains("r = close") ?? false)
  }

  @Test(arguments: ["3 desc", "1", "volume, 2 desc", "5%"]) func a_number_orders_nothing(_ text: String) throws {
    let error = #expect(throws: PredicateSyntaxError.self) { _ = try RowOrder(parsing: text) }
    #expect(error?.message == "a number orders nothing; name the column, as in volume desc")
    #expect(throws: PredicateSyntaxError.self) { _ = try GroupQuestion(parsing: "count", order: text) }
  }

  @Test(arguments: [
    "mean(close, period=50) > 1", "close > 1 ? 2 : 3", "case when close > 1 then 2 end", "$close > 5", "close > 5 %",
    "close % 2 = 1",
  ])
  func other_forms_have_an_answer_too(_ text: String) {
    #expect(Self.refusal(of: text)?.contains("write ") ?? false, "\(Self.refusal(of: text) ?? "")")
  }

  @Test func numbers_of_rows_may_have_a_name_or_be_calculated() throws {
    var names = Definitions()
    try names.add("n = 20")
    #expect(try ListedColumn.list(parsing: "mean(close, n)", names)[0].expression == .mean(.close, 20))
    #expect(try QuoteExpression(parsing: "mean(close, 4 * 5)") == .mean(.close, 20))
    #expect(try QuoteExpression(parsing: "ema(20)") == .ema(.close, 20))
    let error = #expect(throws: PredicateSyntaxError.self) { try ListedColumn.list(parsing: "mean(n)", names) }
    #expect(error?.message == "mean of what? A number is the same in every row; write mean(close, 20)")
  }
}
