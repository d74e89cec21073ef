/// A word of another language, and how what it means is written here. Words that mean exactly what a function does are among the
/// function's `synonyms`, and are taken as they are.
package struct ForeignWord: Sendable {
  /// Where the word stands.
  package enum Place: String, CaseIterable, Sendable {
    case function = "before a parenthesis"
    case longer = "with more arguments"
    case name = "by itself"
    case sign = "as a sign"
    case after = "after a value"
    case aggregate = "as an aggregate"
  }

  package let words: [String]
  package let place: Place
  /// What to write, with places for what somebody wrote.
  let template: WrittenForm
  /// What should be known of the difference; empty if nothing.
  package let note: String

  /// What to write, as it can be asked.
  package var form: String { template.usual }

  /// The end of a sentence about the word: what to write.
  var advice: String { advice(form) }

  func advice(_ form: String) -> String { note.isEmpty ? "write \(form)" : "write \(form): \(note)" }

  /// The word in this place, whatever its case; nil if nobody is known to use it.
  static func named(_ word: String, _ place: Place) -> ForeignWord? { byPlace[place]?[word] }

  private static let byPlace = Dictionary(grouping: all, by: \.place).mapValues { entries in
    Dictionary(uniqueKeysWithValues: entries.flatMap { entry in entry.words.map { ($0, entry) } })
  }

  package static let all = functions + longer + names + signs + after + aggregates

  private static func list(_ place: Place, _ rows: [(words: String, form: String, note: String)]) -> [ForeignWord] {
    rows.map { row in
      ForeignWord(
        words: row.words.split(separator: " ").map(String.init), place: place, template: WrittenForm(row.form),
        note: row.note)
    }
  }

  private static let remainder = "{1:close} - {2:2} * floor({1:close} / {2:2})"
  private static let trueRange = "larger(high, prev(close)) - smaller(low, prev(close))"
  private static let choice = "if(close > open, 1, 0)"
  private static let flow = "(2 * close - high - low) / (high - low) * volume"

  private static let functions = list(
    .function,
    [
      (
        "crossunder crosses_below", "crosses({2:mean(close, 50)}, {1:close})",
        "one crosses below another where that crosses above it"
      ),
      (
        "cross", "crosses({1:close}, {2:mean(close, 50)})", "from below to above; the other way round, exchange the two"
      ),
      (
        "rising", "{1:close} > max(prev({1:close}), {2:3})",
        "above all of the 3 rows before; three rises are every(close > prev(close), 3)"
      ),
      (
        "falling", "{1:close} < min(prev({1:close}), {2:3})",
        "below all of the 3 rows before; three falls are every(close < prev(close), 3)"
      ),
      (
        "rolling", "mean(close, 20)",
        "a window is a number of rows in its function, as in min(close, 20) and std(close, 20)"
      ),
      ("isin is_in", "{1:close} in (40, 41)", ""),
      ("na isnull isna isnan is_null isblank", "{1:close} is missing", ""),
      ("notnull notna is_not_null", "{1:close} is not missing", ""),
      (
        "between is_between isbetween inrange in_range", "{1:close} between {2:10} and {3:20}", "also 10 <= close <= 20"
      ),
      ("nz iferror", "coalesce({1:close}, {2:0})", ""),
      (
        "nth", "{1:close > open} and count({1:close > open}) = {2:2}",
        "a condition that holds in one row, the second here"
      ),
      ("cum", "sum({1:close})", "without a number of rows, all rows so far"),
      ("julianday", "day_number(date)", "days since 1970-01-01"),
      ("linreg", "{1:close} - resid({1:close}, {2:20})", "what the line through the last rows has at the newest one"),
      (
        "dema", "2 * ema({1:close}, {2:20}) - ema(ema({1:close}, {2:20}), {2:20})",
        "the triple one is 3 * (e1 - e2) + e3, each the ema of the one before"
      ),
      ("hma kama tema zlema t3", "ema({1:close}, {2:20})", "this average isn't there; ema, wilder and wmean are"),
      ("log_return logret", "log({1:close} / prev({1:close}))", ""),
      ("first_value", "first({1:close}, 20)", "the oldest one of a window"),
      ("last_value", "last({1:close}, 20)", "the newest one of a window"),
      ("nth_value", "prev(close, 5)", "so many rows before"),
      ("ntile", "ceil({1:10} * pctrank(close by day))", "which tenth of the day's tickers"),
      ("qcut", "ceil({2:10} * pctrank({1:close} by day))", "which tenth of the day's tickers"),
      ("datediff date_diff days_between", "{1:date} - {2:prev(date)}", "days of the calendar"),
      (
        "date_trunc date_part strftime eomonth to_char extract", "month(date)",
        "year, quarter and weekday are parts too"
      ),
      (
        "now today getdate current_date", "date = last",
        "last is the newest day that there is, as in date > last - 30 days"
      ),
      ("trunc int", "sign({1:close}) * floor(abs({1:close}))", ""),
      ("nullif", "if({1:close} != {2:0}, {1:close})", ""),
      ("exists", "{1:close} is not missing", ""),
      ("count_if countif countifs", "count({1:close > open}, 20)", ""),
      ("sum_if sumif sumifs", "sum(if({1:close > open}, {2:volume}), 20)", ""),
      ("greater", "larger({1:open}, {2:close})", "of two values; a comparison is open > close"),
      ("less", "smaller({1:open}, {2:close})", "of two values; a comparison is open < close"),
      ("ts_backfill", "fill({1:close}, {2:5})", "at most 5 rows old"),
      (
        "ts_scale",
        "({1:close} - min({1:close}, {2:20})) / (max({1:close}, {2:20}) - min({1:close}, {2:20}))", ""
      ),
      ("ts_quantile percentrank", "rank({1:close}, {2:20})", "from 0 to 1, among the last rows"),
      ("ts_regression", "resid({1:close}, {2:volume}, {3:20})", "slope and r2 are of the same line"),
      ("resi", "resid({1:close}, {2:20})", "from the line through the rows"),
      ("rsquare", "r2({1:close}, {2:20})", ""),
      (
        "group_rank", "rank({1:close} by day among ticker in ('KO', 'PEP'))",
        "groups of tickers aren't stored, so name them"
      ),
      (
        "winsorize", "larger(quantile({1:close}, {2:0.01} by day), {1:close})",
        "the other side is smaller(quantile(close, 0.99 by day), close)"
      ),
      (
        "max_drawdown maxdrawdown mdd", "min({1:close} / max({1:close}) - 1, 252)",
        "of the last rows, below the highest so far"
      ),
      ("sharpe sharpe_ratio", "mean(change(close), 252) / std(change(close), 252) * sqrt(252)", ""),
      ("volatility hv", "std(change(close), {2:20}) * sqrt(252)", "of a year"),
      (
        "value_at_risk", "quantile(change(close), 252, 0.05)",
        "the mean beyond it is shortfall(change(close), 252, 0.05)"
      ),
      ("stochastic stochf", "stoch({1:5}, {2:3})", "its average is stoch_signal(5, 3, 3)"),
      ("donchian", "max(high, {1:20})", "the lower channel is min(low, 20)"),
      ("keltner", "ema(close, 20) + 2 * atr(10)", ""),
      ("dx plus_di minus_di", "adx({1:14})", "the average of what these make"),
      (
        "large small", "max(close, 20)",
        "the largest of the last rows; a share of them lies below quantile(close, 20, 0.9)"
      ),
      ("ad adl", "sum(\(flow))", "of all rows so far"),
      ("cmf", "sum(\(flow), {1:20}) / sum(volume, {1:20})", ""),
      ("consecutive", "streak({1:close > prev(close)})", ""),
      ("new_high newhigh", "high > max(prev(high), {1:252})", ""),
      ("bfill backfill", "fill({1:close})", "the newest value before; what comes later isn't known on the day"),
      (
        "valuewhen value_when", "fill(if({1:close > open}, {2:close}))",
        "the value in the last row in which the condition held"
      ),
      (
        "drawdown", "{1:close} / max({1:close}) - 1",
        "of all rows so far; the deepest is min(close / max(close) - 1)"
      ),
      (
        "cumreturn cum_return cumulative_return", "{1:close} / first({1:close}) - 1",
        "since the first row; of the year so far it is close / first(prev(close), this year) - 1"
      ),
      ("longest longest_streak max_streak", "max(streak({1:close > prev(close)}))", "of all rows so far"),
      ("ytd", "{1:close} / first(prev({1:close}), this year) - 1", ""),
      ("qtd", "{1:close} / first(prev({1:close}), this quarter) - 1", ""),
      ("mtd", "{1:close} / first(prev({1:close}), this month) - 1", ""),
      ("wtd", "{1:close} / first(prev({1:close}), this week) - 1", ""),
      ("pow power", "{1:close} ^ {2:2}", ""),
      ("log10", "log({1:close}) / log(10)", ""),
      ("log2", "log({1:close}) / log(2)", ""),
      ("log1p", "log(1 + {1:close})", ""),
      ("mod fmod", remainder, ""),
      ("clip", "larger({2:0}, smaller({1:close}, {3:1}))", ""),
      ("case", choice, ""),
      ("cumsum", "sum({1:close})", "without a number of rows, all rows so far"),
      ("cumprod", "product({1:close / prev(close)})", "without a number of rows, all rows so far"),
      ("cummax", "max({1:close})", "without a number of rows, all rows so far"),
      ("cummin", "min({1:close})", "without a number of rows, all rows so far"),
      ("row_number rownum cumcount", "count(true)", "1 in a ticker's first row"),
      ("scale", "{1:close} / sum(abs({1:close}) by day)", ""),
      (
        "indneutralize group_neutralize", "demean({1:close} by day among ticker in ('KO', 'PEP'))",
        "industries aren't stored, so name their tickers"
      ),
      ("signedpower signed_power", "sign({1:close}) * abs({1:close}) ^ {2:2}", ""),
      ("ts_argmax", "{2:20} - argmax({1:close}, {2:20})", "argmax is how many rows ago it was"),
      ("ts_argmin", "{2:20} - argmin({1:close}, {2:20})", "argmin is how many rows ago it was"),
      ("idxmax", "argmax({1:close}, {2:20})", "how many rows ago it was"),
      ("idxmin", "argmin({1:close}, {2:20})", "how many rows ago it was"),
      ("ts_rank", "rank({1:close}, {2:20})", "from 0 to 1, among the last rows"),
      ("ts_zscore", "({1:close} - mean({1:close}, {2:20})) / std({1:close}, {2:20})", ""),
      ("percent_rank cs_rank", "pctrank({1:close} by day)", ""),
      ("dense_rank", "rank({1:close} by day)", ""),
      ("normalize standardize", "zscore({1:close} by day)", ""),
      ("roc", "100 * change({1:close}, {2:5})", "change is a share, and roc is in percent"),
      ("mom momentum", "diff({1:close}, {2:10})", ""),
      ("returns ret", "change({1:close})", ""),
      (
        "stddev stdev stdev.s ts_std ts_stddev ts_std_dev rolling_std", "std({1:close}, {2:20})",
        "of a sample; std_p is of a population"
      ),
      ("var.s", "var({1:close}, {2:20})", "of a sample; var_p is of a population"),
      ("stdev.p", "std_p({1:close}, {2:20})", ""),
      ("var.p", "var_p({1:close}, {2:20})", ""),
      ("percentile percentile_cont", "quantile({1:close}, 20, {2:0.9})", "a share from 0 to 1"),
      ("tr true_range trange", trueRange, ""),
      ("bbands bb_upper bollinger", "mean({1:close}, {2:20}) + {3:2} * std_p({1:close}, {2:20})", ""),
      (
        "ewm ewma ewm_mean", "ema({1:close}, {2:0.06})",
        "a number below 1 is what the newest value counts; others are rows"
      ),
      ("dayofweek", "weekday(date)", "from 1 for Monday to 7 for Sunday"),
      ("vwap vwma", "sum({1:close} * volume, {2:20}) / sum(volume, {2:20})", ""),
      ("macd_hist macdhist macd_histogram", "macd(close, 12, 26) - macd_signal(close, 12, 26, 9)", ""),
      ("all", "every({1:close > open}, {2:3})", ""),
      (
        "week isoweek weekofyear week_of_year", "floor((day_number(date) + 3) / 7)",
        "weeks since 1970, from Monday on; groups are by week"
      ),
    ])

  private static let longer = list(
    .longer,
    [
      ("round", "round({1:close} * 10 ^ {2:2}) / 10 ^ {2:2}", "round alone is to a whole number"),
      ("log", "log({1:close}) / log({2:10})", "log alone is the natural one"),
      (
        "zscore", "({1:close} - mean({1:close}, {2:20})) / std({1:close}, {2:20})",
        "zscore is among the tickers of a day, zscore(close by day)"
      ),
      ("demean", "{1:close} - mean({1:close}, {2:20})", "demean is among the tickers of a day, demean(close by day)"),
      ("pctrank", "rank({1:close}, {2:20})", "pctrank is among the tickers of a day, pctrank(close by day)"),
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
        "today now current_date", "date = last",
        "last is the newest day that there is, as in date > last - 30 days"
      ),
      ("yesterday", "prev(close)", "the row before; the newest day that there is, is last"),
      (
        "january february march april may june july august september october november december", "month(date) = {n:1}",
        ""
      ),
      ("monday tuesday wednesday thursday friday saturday sunday", "weekday(date) = {n:1}", ""),
      ("q1 q2 q3 q4", "quarter(date) = {n:1}", ""),
      ("o", "open", ""),
      ("h", "high", ""),
      ("l", "low", ""),
      ("c", "close", ""),
      ("v", "volume", ""),
      ("gap gap_up gap_down", "open / prev(close) - 1", ""),
      ("golden_cross goldencross", "crosses(mean(close, 50), mean(close, 200))", ""),
      ("death_cross deathcross", "crosses(mean(close, 200), mean(close, 50))", ""),
      ("sector industry subindustry", "ticker in ('KO', 'PEP')", "sectors aren't stored, so name their tickers"),
      ("interval", "date > last - 30 days", "30 days of the calendar before the newest day"),
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
      ("alpha", "ema(close, 0.06)", "a number below 1 is what the newest value counts; others are rows"),
      ("none nil na null", "close is missing", "nothing equals a missing value"),
      (
        "period periods length window timeperiod min_periods", "mean(close, 50)",
        "a number of rows has no name; of 50 rows of which 20 are enough it is mean(close, 50 min 20)"
      ),
    ])

  private static let signs = list(
    .sign,
    [
      (
        "%", "change(close) > 5%",
        "a percent sign follows its number without a space; a remainder is close - 2 * floor(close / 2)"
      ),
      ("?", choice, ""),
      (":", "close", "names follow 'as', and values have no types"),
      ("**", "close ^ 2", ""),
      ("//", "floor(close / 2)", ""),
      ("[", "prev({before:close}, {count:1})", "a row before"),
      ("$", "close", "names and amounts have no sign before them"),
      (".", "mean(close, 20)", "a function stands before what it is of"),
      ("=>", "{left:close} >= {right:5}", ""),
      ("=<", "{left:close} <= {right:5}", ""),
      ("=!", "{left:close} != {right:5}", ""),
      ("~", "not close > 5", ""),
    ])

  private static let windows = "a window is of rows, of which a year has 252, or of days of the calendar"

  private static let after = list(
    .after,
    [
      ("bar bars row rows", "{call:mean(close, 50)}", "a window is of rows"),
      ("day days", "mean(close, 30 days)", "in a function"),
      ("week weeks month months year years", "{call:max(high, 365 days)}", windows),
      ("ago", "prev({before:close}, {count:5})", ""),
      ("yesterday", "prev({before:close})", ""),
      (
        "million mm m thousand k billion bn b", "volume > {count:3}{suffix:M}",
        "k, M and B follow their number without a space"
      ),
      ("then else end", choice, ""),
      ("xor", "close > open and not volume > 1M or volume > 1M and not close > open", ""),
      ("mod", "{before:close} - {right:2} * floor({before:close} / {right:2})", ""),
      ("above", "{left:close} > {right:open}", ""),
      ("below under", "{left:close} < {right:open}", ""),
      (
        "crosses crossover cross crosses_above crosses_over cross_above",
        "crosses({left:close}, {right:mean(close, 200)})", ""
      ),
      (
        "crossunder crosses_below crosses_under cross_below cross_under",
        "crosses({right:mean(close, 200)}, {left:close})", "one crosses below another where that crosses above it"
      ),
      ("isnull isna", "{left:close} is missing", ""),
      ("notnull notna", "{left:close} is not missing", ""),
      ("equals eq", "{left:close} = {right:open}", ""),
      ("bps bp", "change(close) > 0.5%", "a hundred of them are 1%"),
      ("percent pct", "change(close) > {count:5}%", "a percent sign follows its number without a space"),
    ])

  private static let aggregates = list(
    .aggregate,
    [
      ("stddev stdev stdev.s", "std({1:close})", "of a sample"),
      ("percentile percentile_cont", "quantile({1:close}, {2:0.9})", "a share from 0 to 1"),
      ("count_if countif countifs", "count({1:close > open})", ""),
      ("sum_if sumif sumifs", "sum(if({1:close > open}, {2:volume}, 0))", ""),
      ("avg_if averageif mean_if", "mean(if({1:close > open}, {2:volume}))", ""),
      ("filter", "count(close > open)", ""),
      (
        "max_drawdown maxdrawdown mdd drawdown", "min({1:close} / max({1:close}) - 1)",
        "below the highest of all rows so far"
      ),
      (
        "return returns ret performance ytd mtd qtd wtd", "last(close) / first(prev(close)) - 1",
        "from the close before the group to its last one"
      ),
      ("sharpe sharpe_ratio", "mean(change(close)) / std(change(close)) * sqrt(252)", "of a year"),
      ("volatility hv", "std(change(close)) * sqrt(252)", "of a year"),
      ("cumsum cum", "sum({1:volume})", ""),
      ("open", "first(open)", ""),
      ("close", "last(close)", ""),
      ("arg_max", "argmax(high)", "its day"),
      ("arg_min", "argmin(low)", "its day"),
      ("wavg", "weighted_mean({1:close}, {2:volume})", "the weights come last"),
      ("n size len nrows row_count", "count", ""),
      ("ohlc", "first(open), max(high), min(low), last(close)", ""),
    ])
}
