/// A word of another language, and how what it means is written here. Words that mean exactly what a function does are among the
/// function's `synonyms`, and are taken as they are.
package struct ForeignWord: Sendable {
  /// Where the word stands.
  package enum Place: String, CaseIterable, Sendable {
    case function = "before a parenthesis"
    case name = "by itself"
    case sign = "as a sign"
    case after = "after a value"
    case aggregate = "as an aggregate"
  }

  package let words: [String]
  package let place: Place
  /// What to write, as it can be asked.
  package let form: String
  /// What should be known of the difference; empty if nothing.
  package let note: String

  /// The end of a sentence about the word: what to write.
  var advice: String { note.isEmpty ? "write \(form)" : "write \(form): \(note)" }

  /// The word in this place, whatever its case; nil if nobody is known to use it.
  static func named(_ word: String, _ place: Place) -> ForeignWord? { byPlace[place]?[word] }

  private static let byPlace = Dictionary(grouping: all, by: \.place).mapValues { entries in
    Dictionary(uniqueKeysWithValues: entries.flatMap { entry in entry.words.map { ($0, entry) } })
  }

  package static let all = functions + names + signs + after + aggregates

  private static func list(_ place: Place, _ rows: [(words: String, form: String, note: String)]) -> [ForeignWord] {
    rows.map { row in
      ForeignWord(words: row.words.split(separator: " ").map(String.init), place: place, form: row.form, note: row.note)
    }
  }

  private static let remainder = "close - 2 * floor(close / 2)"
  private static let trueRange = "larger(high, prev(close)) - smaller(low, prev(close))"
  private static let choice = "if(close > open, 1, 0)"

  private static let functions = list(
    .function,
    [
      (
        "crossunder crosses_below", "crosses(mean(close, 50), close)",
        "one crosses below another where that crosses above it"
      ),
      ("cross", "crosses(close, mean(close, 50))", "from below to above; the other way round, exchange the two"),
      (
        "rising", "close > max(prev(close), 3)",
        "above all of the 3 rows before; three rises are every(close > prev(close), 3)"
      ),
      (
        "falling", "close < min(prev(close), 3)",
        "below all of the 3 rows before; three falls are every(close < prev(close), 3)"
      ),
      ("rolling", "mean(close, 20)", "a window is a number of rows in the function"),
      ("na isnull isna isnan is_null isblank", "close is missing", ""),
      ("notnull notna is_not_null", "close is not missing", ""),
      ("between is_between isbetween inrange in_range", "close between 10 and 20", "also 10 <= close <= 20"),
      ("nz iferror", "coalesce(close, 0)", ""),
      ("cum", "sum(close)", "without a number of rows, all rows so far"),
      ("julianday", "day_number(date)", "days since 1970-01-01"),
      ("linreg", "close - resid(close, 20)", "what the line through the last rows has at the newest one"),
      (
        "dema", "2 * ema(close, 20) - ema(ema(close, 20), 20)",
        "the triple one is 3 * (e1 - e2) + e3, each the ema of the one before"
      ),
      ("hma kama tema zlema t3", "ema(close, 20)", "this average isn't there; ema, wilder and wmean are"),
      ("log_return logret", "log(close / prev(close))", ""),
      ("first_value", "first(close, 20)", "the oldest one of a window"),
      ("last_value", "last(close, 20)", "the newest one of a window"),
      ("nth_value", "prev(close, 5)", "so many rows before"),
      ("ntile qcut", "ceil(10 * pctrank(close by day))", "which tenth of the day's tickers"),
      ("datediff date_diff days_between", "date - prev(date)", "days of the calendar"),
      ("date_trunc strftime eomonth to_char extract", "month(date)", "year, quarter and weekday are parts too"),
      ("now today getdate current_date", "date = last", "the newest day that there is; date > last - 30 days"),
      ("trunc int", "sign(close) * floor(abs(close))", ""),
      ("exists", "close is not missing", ""),
      ("count_if countif countifs", "count(close > open, 20)", ""),
      ("sum_if sumif sumifs", "sum(if(close > open, volume), 20)", ""),
      ("greater", "larger(open, close)", "of two values; a comparison is open > close"),
      ("less", "smaller(open, close)", "of two values; a comparison is open < close"),
      ("ts_backfill", "fill(close, 5)", "at most 5 rows old"),
      ("ts_scale", "(close - min(close, 20)) / (max(close, 20) - min(close, 20))", ""),
      ("ts_quantile percentrank", "rank(close, 20)", "from 0 to 1, among the last rows"),
      ("ts_regression resi", "resid(close, volume, 20)", "slope and r2 are of the same line"),
      ("rsquare", "r2(close, 20)", ""),
      (
        "group_rank", "rank(close by day among ticker in ('KO', 'PEP'))",
        "groups of tickers aren't stored, so name them"
      ),
      (
        "winsorize", "larger(quantile(close, 0.01 by day), close)",
        "the other side is smaller(quantile(close, 0.99 by day), close)"
      ),
      (
        "max_drawdown maxdrawdown mdd", "min(close / max(close) - 1, 252)", "of the last rows, below the highest so far"
      ),
      ("sharpe sharpe_ratio", "mean(change(close), 252) / std(change(close), 252) * sqrt(252)", ""),
      ("volatility hv", "std(change(close), 20) * sqrt(252)", "of a year"),
      (
        "value_at_risk", "quantile(change(close), 252, 0.05)",
        "the mean beyond it is shortfall(change(close), 252, 0.05)"
      ),
      ("stochastic stochf", "stoch(5, 3)", "its average is stoch_signal(5, 3, 3)"),
      ("donchian", "max(high, 20)", "the lower channel is min(low, 20)"),
      ("keltner", "ema(close, 20) + 2 * atr(10)", ""),
      ("dx plus_di minus_di", "adx(14)", "the average of what these make"),
      (
        "large small", "max(close, 20)",
        "the largest of the last rows; a share of them lies below quantile(close, 20, 0.9)"
      ),
      ("ad adl", "sum((2 * close - high - low) / (high - low) * volume)", "of all rows so far"),
      ("cmf", "sum((2 * close - high - low) / (high - low) * volume, 20) / sum(volume, 20)", ""),
      ("consecutive", "streak(close > prev(close))", ""),
      ("new_high newhigh", "high > max(prev(high), 252)", ""),
      ("bfill backfill", "fill(close)", "the newest value before; what comes later isn't known on the day"),
      (
        "valuewhen value_when", "fill(if(close > open, close))", "the value in the last row in which the condition held"
      ),
      ("drawdown", "close / max(close) - 1", "of all rows so far; the deepest is min(close / max(close) - 1)"),
      (
        "cumreturn cum_return cumulative_return", "close / first(close) - 1",
        "since the first row; of the year so far it is close / first(prev(close), this year) - 1"
      ),
      ("longest longest_streak max_streak", "max(streak(close > prev(close)))", "of all rows so far"),
      (
        "ytd mtd qtd wtd", "close / first(prev(close), this year) - 1",
        "this quarter, this month and this week are windows too"
      ),
      ("pow power", "close ^ 2", ""),
      ("log10", "log(close) / log(10)", ""),
      ("log2", "log(close) / log(2)", ""),
      ("log1p", "log(1 + close)", ""),
      ("mod fmod", remainder, ""),
      ("clip", "larger(0, smaller(close, 1))", ""),
      ("case", choice, ""),
      ("cumsum", "sum(close)", "without a number of rows, all rows so far"),
      ("cumprod", "product(close / prev(close))", "without a number of rows, all rows so far"),
      ("cummax", "max(close)", "without a number of rows, all rows so far"),
      ("cummin", "min(close)", "without a number of rows, all rows so far"),
      ("row_number rownum cumcount", "count(true)", "1 in a ticker's first row"),
      ("scale", "close / sum(abs(close) by day)", ""),
      (
        "indneutralize group_neutralize", "demean(close by day among ticker in ('KO', 'PEP'))",
        "industries aren't stored, so name their tickers"
      ),
      ("signedpower signed_power", "sign(close) * abs(close) ^ 2", ""),
      ("ts_argmax", "20 - argmax(close, 20)", "argmax is how many rows ago it was"),
      ("ts_argmin", "20 - argmin(close, 20)", "argmin is how many rows ago it was"),
      ("idxmax", "argmax(close, 20)", "how many rows ago it was"),
      ("idxmin", "argmin(close, 20)", "how many rows ago it was"),
      ("ts_rank", "rank(close, 20)", "from 0 to 1, among the last rows"),
      ("ts_zscore", "(close - mean(close, 20)) / std(close, 20)", ""),
      ("percent_rank cs_rank", "pctrank(close by day)", ""),
      ("dense_rank", "rank(close by day)", ""),
      ("normalize standardize", "zscore(close by day)", ""),
      ("roc", "100 * change(close, 5)", "change is a share, and roc is in percent"),
      ("mom momentum", "diff(close, 10)", ""),
      ("returns ret", "change(close)", ""),
      (
        "stddev stdev ts_std ts_stddev ts_std_dev rolling_std", "std(close, 20)",
        "of a sample; std_p is of a population"
      ),
      ("variance", "var(close, 20)", "of a sample; var_p is of a population"),
      ("percentile percentile_cont", "quantile(close, 20, 0.9)", "a share from 0 to 1"),
      ("tr true_range trange", trueRange, ""),
      ("bbands bb_upper bollinger", "mean(close, 20) + 2 * std_p(close, 20)", ""),
      ("ewm ewma ewm_mean", "ema(close, 0.06)", "a number below 1 is what the newest value counts; others are rows"),
      ("dayofweek", "weekday(date)", "from 1 for Monday to 7 for Sunday"),
      ("vwap vwma", "sum(close * volume, 20) / sum(volume, 20)", ""),
    ])

  private static let names = list(
    .name,
    [
      ("hl2", "(high + low) / 2", ""),
      ("hlc3", "(high + low + close) / 3", ""),
      ("ohlc4", "(open + high + low + close) / 4", ""),
      ("hlcc4", "(high + low + 2 * close) / 4", ""),
      (
        "vwap", "(high + low + close) / 3",
        "the mean price of a day isn't stored; of 20 rows it is sum(close * volume, 20) / sum(volume, 20)"
      ),
      ("tr true_range trange", trueRange, ""),
      (
        "today yesterday now current_date", "date = last",
        "the newest day that there is; the one before is date = last - 1"
      ),
      ("gap gap_up gap_down", "open / prev(close) - 1", ""),
      ("sector industry subindustry", "ticker in ('KO', 'PEP')", "sectors aren't stored, so name their tickers"),
      ("interval", "date > last - 30 days", "days from a day are date - 30"),
      ("price px px_last settle", "close", ""),
      ("vol", "volume", ""),
      ("dividend dividends div", "ex-dividend", ""),
      ("split splits split_factor", "split_ratio", ""),
      ("symbol sym instrument security tic name", "ticker = 'FDX'", ""),
      ("returns return ret", "change(close)", ""),
      ("adv adv20", "mean(close * volume, 20)", "money that changed hands; mean(volume, 20) are shares"),
      ("time datetime timestamp", "date >= 2018-01-02", ""),
      ("bar_index row_number rownum", "count(true)", "1 in a ticker's first row"),
      ("case when", choice, ""),
      ("none nil na null", "close is missing", "nothing equals a missing value"),
      (
        "period periods length window timeperiod min_periods", "mean(close, 50)",
        "a number of rows has no name; of 50 rows of which 20 are enough it is mean(close, 50 min 20)"
      ),
    ])

  private static let signs = list(
    .sign,
    [
      ("%", "close > 5%", "a percent sign follows its number without a space; a remainder is \(remainder)"),
      ("? :", choice, ""),
      ("**", "close ^ 2", ""),
      ("//", "floor(close / 2)", ""),
      ("[", "prev(close, 1)", "a row before"),
      ("$", "close", "names and amounts have no sign before them"),
      (".", "mean(close, 20)", "a function stands before what it is of"),
      ("=>", "close >= 5", ""),
      ("=<", "close <= 5", ""),
      ("~", "not close > 5", ""),
    ])

  private static let windows = "a window is of rows, of which a year has 252, or of days of the calendar"

  private static let after = list(
    .after,
    [
      ("bar bars row rows", "mean(close, 50)", "a window is of rows"),
      ("day days", "mean(close, 30 days)", "in a function"),
      ("week weeks month months year years", "max(high, 365 days)", windows),
      ("ago yesterday", "prev(close, 5)", ""),
      ("million mm", "volume > 3M", "k, M and B follow their number without a space"),
      ("then else end", choice, ""),
      ("mod", remainder, ""),
      ("above", "close > open", ""),
      ("below under", "close < open", ""),
      ("crosses crossover cross", "crosses(close, mean(close, 200))", ""),
      ("isnull isna", "close is missing", ""),
      ("notnull notna", "close is not missing", ""),
      ("crossunder", "crosses(mean(close, 200), close)", ""),
      ("equals eq", "close = open", ""),
      ("percent pct", "close > 5%", ""),
    ])

  private static let aggregates = list(
    .aggregate,
    [
      ("stddev stdev", "std(close)", "of a sample"),
      ("percentile percentile_cont", "quantile(close, 0.9)", "a share from 0 to 1"),
      ("count_if countif", "count(close > open)", ""),
      ("sum_if sumif sumifs", "sum(if(close > open, volume, 0))", ""),
      ("avg_if averageif mean_if", "mean(if(close > open, volume))", ""),
      ("filter", "count(close > open)", ""),
      ("open", "first(open)", ""),
      ("close", "last(close)", ""),
      ("arg_max", "argmax(high)", "its day"),
      ("arg_min", "argmin(low)", "its day"),
      ("wavg", "weighted_mean(close, volume)", "the weights come last"),
      ("n size len nrows row_count", "count", ""),
      ("ohlc", "first(open), max(high), min(low), last(close)", ""),
    ])
}
