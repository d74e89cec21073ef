import Quoin
import Testing

@Suite struct PredicateSyntaxErrorTests {
  private static func unknown(_ name: String) -> String {
    "unknown attribute '\(name)'; there are date, open, high, low, close, volume, ex-dividend, split_ratio, adj_open, "
      + "adj_high, adj_low, adj_close, adj_volume"
  }

  /// A text, what is wrong with it, and the column of the caret.
  private static let errors: [(String, String, Int)] = [
    ("", "the predicate is empty; write a comparison such as high > 80", 0),
    ("   ", "the predicate is empty; write a comparison such as high > 80", 3),
    ("hgih > 80", "unknown attribute 'hgih'; did you mean 'high'?", 0),
    ("high > 80 and adjclse < 5", "unknown attribute 'adjclse'; did you mean 'adj_close'?", 14),
    ("80 < Dat", "unknown attribute 'Dat'; did you mean 'date'?", 5),
    ("xyzzy > 80", unknown("xyzzy"), 0),
    ("high", "expected a comparison after 'high', found the end", 4),
    ("high 80", "expected a comparison after 'high', found '80'", 5),
    ("high betwen 1 and 2", "expected a comparison after 'high', found 'betwen'; did you mean 'between'?", 5),
    ("high not 5", "expected 'between', 'in' or 'like', found '5'", 9),
    ("80", "expected a comparison after the value, found the end", 2),
    ("high >", "expected an attribute or a value, found the end", 6),
    ("high > and", "expected an attribute or a value, found 'and'", 7),
    ("> 80", "expected an attribute or a value, found '>'", 0),
    ("high > 80 adn low < 5", "expected 'and', 'or' or the end, found 'adn'; did you mean 'and'?", 10),
    ("high > 80 low < 5", "expected 'and', 'or' or the end, found 'low'", 10),
    ("high > 80)", "this parenthesis was not opened", 9),
    ("not (high > 80", "this parenthesis is not closed", 4),
    ("()", "expected an attribute or a value, found ')'", 1),
    ("high > 1,000", "a comma does not separate thousands; write 3_000_000 or 3000000", 8),
    ("volume between 1,000 and 2,000", "a comma does not separate thousands; write 3_000_000 or 3000000", 16),
    ("high > 80, 81", "expected 'and', 'or' or the end, found ','", 9),
    ("high between 1 or 2", "expected 'and', found 'or'", 15),
    ("high in 80, 83", "expected '(' or '[', found '80'", 8),
    ("high in (80 83)", "expected ',' or ')', found '83'", 12),
    ("high in [80, 81, 82]", "a range has two ends, as in [80, 83]; a list stands in round brackets: (80, 81, 82)", 8),
    ("high in (80, 83", "expected ',' or ')', found the end", 15),
    ("high between 81 and 80", "a range begins with its lower end; write 80 before 81", 13),
    ("high in [81, 80)", "a range begins with its lower end; write 80 before 81", 9),
    (
      "date between 2005-02-01 and 2005-01-03",
      "a range begins with its earlier day; write 2005-01-03 before 2005-02-01", 13
    ),
    ("high is mising", "expected 'missing', found 'mising'; did you mean 'missing'?", 8),
    ("high is not", "expected 'missing', found the end", 11),
    ("date is missing", "a date is never missing", 5),
    ("1 < 2", "two values cannot be compared; one side must be an attribute", 2),
    ("date > 2005", "the date is compared with a day such as 2005-01-03", 7),
    ("high > 2005-01-03", "high is compared with a number, not with a day", 7),
    ("volume > '2005-01-03'", "volume is compared with a number, not with a day", 9),
    ("date = 2005-02-30", "there is no day 2005-02-30 in the calendar", 7),
    ("date = 2005-1-3", "'2005-1-3' isn't a date of the form YYYY-MM-DD", 7),
    ("date = 1/3/2005", "'1/3/2005' isn't a date of the form YYYY-MM-DD", 7),
    ("date > 2018-1", "'2018-1' isn't a date of the form YYYY-MM-DD", 7),
    (
      "date > 2018-01", "'2018-01' isn't a date of the form YYYY-MM-DD, and a number has no zeros before its digits", 7
    ),
    (
      "high > 01/03/2005",
      "'01/03/2005' isn't a date of the form YYYY-MM-DD, and a number has no zeros before its digits", 7
    ),
    ("date = 2005-01-03x", "'2005-01-03x' isn't a date of the form YYYY-MM-DD", 7),
    ("high > 007", "'007' isn't a number; write it without the zeros before it", 7),
    ("high in (1,000, 2,000)", "a comma does not separate thousands; write 3_000_000 or 3000000", 10),
    ("high in (1,500, 2,500)", "a comma does not separate thousands; write 3_000_000 or 3000000", 10),
    ("mean(5 of MSFT, 20) > 1", "a number is the same for all tickers; write close of MSFT", 5),
    ("cl-ose > 1", "unknown attribute 'cl-ose'; did you mean 'close'?", 0),
    ("c.l.o.s.e > 1", unknown("c.l.o.s.e"), 0),
    ("close_ > 1", "unknown attribute 'close_'; did you mean 'close'?", 0),
    ("close2 > 1", "unknown attribute 'close2'; did you mean 'close'?", 0),
    ("close- > 1", "expected an attribute or a value, found '>'", 7),
    (
      "close of SPY-close > 1",
      "a ticker with a hyphen stands in quotes, 'SPY-close', and a difference has spaces around its sign", 9
    ),
    ("1/2 < 3", "two values cannot be compared; one side must be an attribute", 4),
    ("high > 5%2", "'5%2' isn't a number", 7),
    ("high > 1e3e", "'1e3e' isn't a number", 7),
    ("high > 0x10", "'0x10' isn't a number", 7),
    (
      "high > +(low > 1)",
      "a condition isn't a number; write if(condition, 1, 0), or count(condition, 20) over 20 rows", 8
    ),
    ("date = 'today'", "'today' isn't a date of the form YYYY-MM-DD", 7),
    ("date = '2005-01-03", "the quote is not closed", 7),
    ("high > 1.2.3", "'1.2.3' isn't a number", 7),
    ("high > 1__0_", "'1__0_' isn't a number", 7),
    ("high > 1e", "'1e' isn't a number", 7),
    ("high > 10X", "'10X' isn't a number", 7),
    ("high > close > ", "expected an attribute or a value, found the end", 15),
    ("close > '80'", "'80' is a text; write the number without quotes: 80", 8),
    ("\"Adj. Close\" > 80", "'Adj. Close' is a text; the attribute is adj_close, without quotes", 0),
    (
      "crossunder(close, open)",
      "unknown function 'crossunder'; write crosses(open, close): one crosses below another where that crosses above it",
      0
    ),
    ("rsi < 30", "'rsi' is written rsi(close, 14)", 0),
    ("sma > 30", "'sma' is written mean(close, 20)", 0),
    ("close > ta.sma(close, 20)", "unknown function 'ta.sma'; write mean(close, 20)", 8),
    ("close.shift(1) > 5", "unknown function 'close.shift'; write prev(close, 1)", 0),
    ("close[1] > 5", "expected a comparison after 'close', found '['; write prev(close, 1): a row before", 5),
    ("close ** 2 > 5", "expected an attribute or a value, found '*'; write close ^ 2", 7),
    (
      "close = null",
      "expected an attribute or a value, found 'null'; write close is missing: nothing equals a missing value", 8
    ),
    (
      "max(high, 52 weeks) > 5",
      "expected ',' or ')', found 'weeks'; write max(high, 364 days): a window is of rows, of which a year has 252, or of "
        + "days of the calendar",
      13
    ),
    ("distinct(close) > 1", "'distinct' is of groups, an aggregate such as distinct(close)", 0),
    ("change(date) > 1", Self.noNumber, 7),
    ("prev(date) > 1", Self.computedDay, 11),
    ("date - 5 > close", Self.computedDay, 9),
    ("prev(date) - 2 = 2005-01-03 + date", "two days can't be added; the days between them are date - prev(date)", 30),
    ("5 - date > 1", "a day can't be taken from a number; a day before is date - 5", 4),
    ("coalesce(date, close) > 2005-01-03", "coalesce takes days alone, or numbers alone", 15),
    ("sqrt(prev(date)) > 1", "a day isn't a number; the days between two are date - prev(date)", 5),
    ("last - date > 5", "days are counted from the newest one as in last - 30 days; compare a date with that", 7),
    ("days_since(close) > 5", "days_since takes a condition: days_since(ex-dividend > 0)", 11),
    ("coalesce(close) > 5", "coalesce is written coalesce(open, close)", 14),
    ("mean(30 days) > 5", "the rows of a window come last, as in mean(close, 30 days)", 5),
    ("mean(close, 5 days min 6) > 5", "a window of 5 days can't have 6", 23),
    ("mean(close, this month min 6) > 5", "expected ',' or ')', found 'min'", 23),
    ("prev(close, 5 days) > 5", "expected a number of rows, without 'days'", 12),
    ("ema(close, this month) > 5", "expected a number of rows", 11),
    ("rsi(close, 0.5) > 5", "a number of rows is a whole number from 1 to 1000000", 11),
    // Numbers are the same in every row.
    ("close > mean(200)", "mean of what? A number is the same in every row; write mean(close, 200)", 13),
    ("close > mean(2 * 100)", "mean of what? A number is the same in every row; write mean(close, 200)", 13),
    ("close > mean(abs(200))", "mean of what? A number is the same in every row; write mean(close, 20)", 13),
    ("change(5) > 1", "change of what? A number is the same in every row; write change(close, 5)", 7),
    ("prev(5, 3) > 1", "prev of what? A number is the same in every row; write prev(close, 3)", 5),
    ("sma(-5) > 1", "sma of what? A number is the same in every row; write mean(close, 20)", 4),
    ("count(20) > 1", "count of what? A number is the same in every row; write count(close, 20)", 6),
    (
      "quantile(5, 20, 0.5) > 1", "quantile of what? A number is the same in every row; write quantile(close, 20, 0.8)",
      9
    ),
    ("corr(close, 20) > 1", "corr of what? A number is the same in every row; write corr(close, volume, 20)", 12),
    ("ema(sqrt(5), 20) > 1", "ema of what? A number is the same in every row; write ema(close, 30)", 4),
    ("mean(200 by day) > 1", "mean of what? A number is the same in every row; write mean(close by day)", 5),
    ("rank(1 by day) > 1", "rank of what? A number is the same in every row; write rank(close by day)", 5),
    ("count(1 by day) > 1", "count of what? A number is the same in every row; write count(by day)", 6),
    ("crosses(1, 2)", "crosses of what? A number is the same in every row; write crosses(close, mean(close, 50))", 8),
    ("count(*) > 1", "count(*) is written count", 6),
    ("year = 2005", "'year' is written year(date)", 0),
    (
      "max(close, open) > 1", "max takes a number of rows: max(close, 20); of two numbers, write larger(open, close)",
      11
    ),
    ("mean(close, 20, 5) > 1", "mean is written mean(close, 20)", 16),
    ("mean(close, 0) > 1", "a number of rows is a whole number from 1 to 1000000", 12),
    ("max(high, 1M) > 1", "'1M' is 1000000 here; write 1000000, or 21 for the rows of a month", 10),
    ("prev(close, 2k) > 1", "'2k' is 2000 here; write 2000", 12),
    ("date > last - 3M", "'3M' is 3000000 here; write 3000000, or 3 months, as in last - 3 months", 14),
    ("date > prev(date) + 1k", "'1k' is 1000 here; write 1000", 20),
    ("date > -5 days", "days before the newest one are written last - 5 days", 7),
    ("close.isin([40, 41])", brackets, 11),
    ("[close] > [open]", brackets, 0),
    ("mean(close, 5 min 6) > 1", "a window of 5 rows can't have 6", 18),
    ("prev() > 1", "prev is written prev(close), or prev(close, 5) for 5 rows", 5),
    ("meen(close, 20) > 1", "unknown function 'meen'; did you mean 'mean'?", 0),
    ("close(5) > 1", "'close' is an attribute, not a function", 0),
    ("(high > 80) > 1", "a condition can't be compared; join conditions with and, or, not", 0),
    (
      "close + (high > 80) > 1",
      "a condition isn't a number; write if(condition, 1, 0), or count(condition, 20) over 20 rows", 8
    ),
    ("close + date > 1", Self.noNumber, 8),
    ("date + 0.5 > prev(date)", "a number of days is a whole number, as in date - 5", 7),
    ("close + 2005-01-03 > 1", "'2005-01-03' is a day, not a number", 8),
    ("quantile(close, 20, 2) > 1", "a quantile is a number from 0 to 1, as in quantile(close, 20, 0.8)", 20),
    (
      "prev(close, -1) > 1",
      "a number of rows is a whole number from 1 to 1000000; rows before are prev(close, 1), and rows after next(close, 1)",
      12
    ),
    ("high - low", "expected a comparison after 'high - low', found the end", 10),
    ("every(close > open) > 1", "every is written every(close > open, 3)", 18),
    ("high > 1e400", "'1e400' is beyond the largest float64; write inf", 7),
    ("high > 80 & low < 5", "unexpected '&'; write 'and' or '&&'", 10),
    ("high > 80 | low < 5", "unexpected '|'; write 'or' or '||'", 10),
    ("high \u{221e} 80", "unexpected '\u{221e}'", 5),
    (
      "high > 1\(String(repeating: "0", count: 60))x", "'1\(String(repeating: "0", count: 49))...' isn't a number", -1
    ),
    ("high > $80", "unexpected '$'; write close: names and amounts have no sign before them", 7),
    ("high > 2close", "'2close' isn't a number; write 2 * close", 7),
    ("hihg-low > 5", "unknown attribute 'hihg'; did you mean 'high'?", 0),
    (
      "close.rolling(20).mean() > 5", "unexpected '.'; write mean(close, 20): a function stands before what it is of",
      17
    ),
    ("close.rolling(20).min() > 5", "unexpected '.'; write min(close, 20): a function stands before what it is of", 17),
    ("df.low.expanding().max() > 5", "unexpected '.'; write max(low): a function stands before what it is of", 18),
    ("close.ewm(span=20).mean() > 5", "unexpected '.'; write ema(close, 20): \(Self.before)", 18),
    ("close.ewm(alpha=0.06).mean() > 5", "unexpected '.'; write ema(close, 0.06): \(Self.before)", 21),
    ("close.rolling(window=20, min_periods=5).mean() > 5", "unexpected '.'; write mean(close, 20): \(Self.before)", 39),
    ("close.rolling(20).nothing() > 5", "unexpected '.'; write mean(close, 20): \(Self.before)", 17),
    ("change(close, 1 year) > 2", "expected ',' or ')', found 'year'; write change(close, 252): \(Self.windows)", 16),
    ("prev(close, 2 months) > 2", "expected ',' or ')', found 'months'; write prev(close, 42): \(Self.windows)", 14),
    ("max(close, 1 year) > 2", "expected ',' or ')', found 'year'; write max(close, 365 days): \(Self.windows)", 13),
    ("close > mean(close, 20 > 40", "expected ')' before '>'; a parenthesis isn't closed", 23),
    (
      "max(close - open, 0) > 3",
      "a number of rows is a whole number from 1 to 1000000; of two values, write larger(close - open, 0)", 18
    ),
    (
      "min(open, 0.5) > 3",
      "a number of rows is a whole number from 1 to 1000000; of two values, write smaller(open, 0.5)", 10
    ),
    ("ytd > 3%", "unknown attribute 'ytd'; write close / first(prev(close), this year) - 1", 0),
    ("drawdown > 20%", "unknown attribute 'drawdown'; write close / max(close) - 1: \(Self.drawdown)", 0),
    ("golden_cross", "unknown attribute 'golden_cross'; write crosses(mean(close, 50), mean(close, 200))", 0),
    ("date in 2018", "expected '(' or '[', found '2018'; write year(date) = 2018", 8),
    ("close > 3 and volume not in 5M", "expected '(' or '[', found '5M'; write volume != 5M", 28),
    (
      "date like '2018%'",
      "only the ticker can be like a pattern: ticker like 'F%'; the days of a year are year(date) = 2018, and of a month "
        + "month(date) = 3", 5
    ),
    ("month(date) = 'March'", "'March' is a text; write month(date) = 3", 14),
    ("weekday(date) = 'friday'", "'friday' is a text; write weekday(date) = 5", 16),
    ("streak(5) > 3", "streak takes a condition: streak(close > open)", 7),
    ("every(close, 3)", "every takes a condition: every(close > open, 3)", 6),
  ]

  private static let computedDay =
    "a day that is computed is compared with another one, as in date > prev(date) + 5; days between are date - prev(date)"
  private static let brackets =
    "expected an attribute or a value, found '['; a list stands in parentheses, as in close in (40, 41), and a name without "
    + "brackets"
  private static let windows = "a window is of rows, of which a year has 252, or of days of the calendar"
  private static let before = "a function stands before what it is of"
  private static let drawdown = "of all rows so far; the deepest is min(close / max(close) - 1)"
  private static let noNumber =
    "a date isn't a number; its parts are year(date), month(date), day(date), weekday(date), and days between are "
    + "date - prev(date)"

  @Test(arguments: errors.indices)
  func an_error_says_what_is_wrong_and_points_at_it(_ index: Int) {
    let (text, message, column) = Self.errors[index]
    let error = #expect(throws: PredicateSyntaxError.self, "\(text)") { try Predicate(parsing: text) }
    guard column >= 0 else {
      #expect(error?.message == message)
      return
    }
    let caret = String(repeating: " ", count: column) + "^"
    #expect(error?.description == "\(message)\n  \(text)\n  \(caret)")
  }

  @Test func only_the_line_in_question_is_shown_and_of_it_the_neighborhood() {
    let padding = String(repeating: "high > 1 or ", count: 20)
    let text = "open > 1 and\n" + padding + "hgih > 1 or\u{1b}" + padding + "\nlow > 1"
    let error = #expect(throws: PredicateSyntaxError.self) {
      try Predicate(parsing: text.replacing("\u{1b}", with: " "))
    }
    let before = String(padding.suffix(50))
    #expect(
      error?.description == """
        unknown attribute 'hgih'; did you mean 'high'?
          ...\(before)hgih > 1 or \(padding.prefix(38))...
          \(String(repeating: " ", count: 53))^
        """)
  }

  @Test func control_characters_are_not_shown() {
    let error = #expect(throws: PredicateSyntaxError.self) { try Predicate(parsing: "high > \u{1b}[31m") }
    #expect(error?.description.contains("\u{1b}") == false)
    #expect(PredicateSyntaxError(message: "no", offset: -5, text: "a").description == "no\n  a\n  ^")
    #expect(PredicateSyntaxError(message: "no", offset: 50, text: "\u{e9}").description == "no\n  \u{e9}\n   ^")
  }
}

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("adj-close", "adj_close"), ("ADJ_CLSOE", "adj_close"), ("volum", "volume"), ("splitratio", "split_ratio"),
    ("clos", "close"), ("xyz", nil), ("", nil), (String(repeating: "high", count: 100), nil),
  ])
  func the_nearest_name_is_found(_ typed: String, _ name: String?) {
    let names = ["open", "high", "close", "volume", "split_ratio", "adj_close"]
    #expect(Suggestion.nearestName(to: typed, among: names) == name)
  }

  @Test func of_no_names_none_is_nearest() {
    #expect(Suggestion.nearestName(to: "high", among: []) == nil)
  }

  @Test func a_hint_asks_about_the_nearest_name_or_lists_all() {
    #expect(Suggestion.hint(for: "hgih", among: ["open", "high"]) == "did you mean 'high'?")
    #expect(Suggestion.hint(for: "xyzzy", among: ["open", "high"]) == "there are open, high")
    #expect(Suggestion.hint(for: "xyzzy", among: []) == "there are none")
    #expect(Suggestion.question(for: "FXD", among: ["FDX"], .none) == "did you mean FDX?")
    #expect(Suggestion.question(for: "xyzzy", among: ["FDX"]) == nil)
  }
}
