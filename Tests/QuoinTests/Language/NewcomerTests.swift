import Testing

@testable import Quoin

/// What newcomers type, from Pine, pandas, SQL, Excel, Qlib, WorldQuant and vendors' headers: it is answered, or refused with what to write.
@Suite struct NewcomerTests {
  @Test(arguments: answered) func it_is_taken(_ text: String) { #expect(Self.refusals(of: text) == nil) }

  @Test(arguments: refused) func it_is_refused_with_what_to_write(_ text: String, _ form: String) {
    #expect(Self.refusals(of: text)?.contains { $0.contains(form) } ?? false, "\(Self.refusals(of: text) ?? [])")
  }

  @Test func few_have_no_pointer() {
    #expect(Self.answered.count + Self.refused.count + Self.withoutPointer.count >= 182)
    #expect(Self.withoutPointer.count <= 10)
    for text in Self.withoutPointer { #expect(Self.refusals(of: text) != nil, "\(text)") }
  }

  /// What is said of the text as an expression and as a condition; nil if it is one of them.
  private static func refusals(of text: String) -> [String]? {
    var messages: [String] = []
    do throws(PredicateSyntaxError) {
      _ = try QuoteExpression(parsing: text)
      return nil
    } catch { messages.append(error.message) }
    do throws(PredicateSyntaxError) {
      _ = try Predicate(parsing: text)
      return nil
    } catch { messages.append(error.message) }
    return messages
  }

  private static let answered: [String] = [
    "iff(close > open, 1, 0)", "crossover(close, open)", "highest(high, 20)", "lowest(low, 20)", "hhv(high, 20)",
    "llv(low, 20)", "barssince(close > open)", "sma(close, 20)", "wma(close, 20)", "rma(close, 20)",
    "rolling_mean(close, 20)", "rolling_max(high, 20)", "pct_change(close, 5)", "shift(close, 1)", "ffill(close)",
    "fillna(close, 0)", "coalesce(close, open)", "ifnull(close, 0)", "nvl(close, 0)", "close is null", "close <> 5",
    "close == 5", "lag(close)", "lead(close)", "ln(close)", "greatest(open, close)", "least(open, close)",
    "AVERAGE(close)", "IF(close > open, 1, 0)", "CORREL(close, volume)", "SLOPE(close, volume)", "NOT(close > 5)",
    "WEEKDAY(date)", "Ref(close, 1)", "Mean(close, 20)", "Std(close, 20)", "Corr(close, volume, 20)",
    "Quantile(close, 20, 0.8)", "Delta(close, 1)", "EMA(close, 20)", "WMA(close, 20)", "Rank(close, 20)",
    "Skew(close, 20)", "ts_mean(close, 20)", "ts_corr(close, volume, 20)", "ts_covariance(close, volume, 20)",
    "ts_decay_linear(close, 20)", "ts_delta(close, 5)", "ts_product(close, 5)", "decay_linear(close, 20)",
    "delay(close, 1)", "correlation(close, volume, 10)", "covariance(close, volume, 10)", "sum(close, 20)",
    "product(close, 5)", "Adj Close > 5", "Adj. Close > 5", "adjclose > 5", "ticker == \"KO\"", "close > open > low",
    "mean(close, 50 days)", "previous(close)", "volume > 1M", "date > '2018-01-01'", "year(date) = 2017", "obv()",
    "since(close > open)", "cvar(change(close), 250, 0.05)", "expected_shortfall(change(close), 250, 0.05)",
  ]

  private static let refused: [(String, String)] = [
    ("ta.sma(close, 20)", "write mean(close, 20)"), ("ta.ema(close, 20)", "write ema(close, 20)"),
    ("ta.rsi(close, 14)", "write rsi(close, 14)"), ("ta.highest(high, 20)", "write max(high, 20)"),
    ("ta.lowest(low, 20)", "write min(low, 20)"),
    ("ta.crossover(close, open)", "write crosses(close, open)"),
    ("ta.crossunder(close, open)", "write crosses(open, close)"),
    ("ta.change(close)", "write change(close)"), ("ta.atr(14)", "write atr(14)"),
    ("ta.macd(close, 12, 26, 9)", "write macd(close, 12, 26)"),
    ("ta.valuewhen(close > open, close, 0)", "write fill(if(close > open, close))"),
    ("ta.barssince(close > open)", "write since(close > open)"), ("ta.stdev(close, 20)", "write std(close, 20)"),
    ("ta.roc(close, 5)", "write 100 * change(close, 5)"), ("ta.mom(close, 5)", "write diff(close, 5)"),
    ("ta.cum(volume)", "write sum(volume)"), ("ta.percentrank(close, 20)", "write rank(close, 20)"),
    ("ta.linreg(close, 20, 0)", "write close - resid(close, 20)"),
    ("ta.correlation(close, volume, 20)", "write corr(close, volume, 20)"),
    ("math.abs(close)", "write abs(close)"), ("math.max(open, close)", "write larger(open, close)"),
    ("nz(close)", "write coalesce(close, 0)"), ("na(close)", "write close is missing"),
    ("close[1]", "write prev(close, 1)"), ("close > open ? 1 : 0", "write if(close > open, 1, 0)"),
    ("crossunder(close, open)", "write crosses(open, close)"),
    ("rising(close, 3)", "write close > max(prev(close), 3)"),
    ("falling(close, 3)", "write close < min(prev(close), 3)"),
    ("valuewhen(close > open, close)", "write fill(if(close > open, close))"),
    ("hma(close, 20)", "write ema(close, 20)"),
    ("dema(close, 20)", "write 2 * ema(close, 20) - ema(ema(close, 20), 20)"),
    ("tema(close, 20)", "write ema(close, 20)"), ("kama(close, 20)", "write ema(close, 20)"),
    ("vwma(close, 20)", "write sum(close * volume, 20) / sum(volume, 20)"), ("close.shift(1)", "write prev(close, 1)"),
    ("close.shift(-1)", "write next(close, 1)"), ("close.pct_change()", "write change(close)"),
    ("close.pct_change(5)", "write change(close, 5)"), ("close.diff()", "write diff(close)"),
    ("close.rolling(20).mean()", "write mean(close, 20)"), ("close.rolling(20).std()", "write std(close, 20)"),
    ("close.ewm(span=20).mean()", "write ema(close, 20)"), ("close.ewm(alpha=0.06).mean()", "write ema(close, 0.06)"),
    ("close.cumsum()", "write sum(close)"), ("close.cummax()", "write max(close)"),
    ("close.fillna(0)", "write coalesce(close, 0)"), ("close.ffill()", "write fill(close)"),
    ("close.isna()", "write close is missing"), ("close.notna()", "write close is not missing"),
    ("close.quantile(0.9)", "write quantile(close, 20, 0.8)"), ("close.expanding().max()", "write max(close)"),
    ("close.resample('M').last()", "write mean(close, 20)"), ("close.clip(0, 1)", "write larger(0, smaller(close, 1))"),
    ("close.abs()", "write abs(close)"), ("close.isin([1, 2])", "as in close in (40, 41)"),
    ("close.max()", "write max(close)"), ("close.mean()", "write mean(close)"), ("df.close > 5", "write close"),
    ("df.close.rolling(20).mean()", "write mean(close, 20)"), ("np.log(close)", "write log(close)"),
    ("np.where(close > open, 1, 0)", "write if(close > open, 1, 0)"), ("np.sqrt(close)", "write sqrt(close)"),
    ("rolling_std(close, 20)", "write std(close, 20)"), ("cumsum(volume)", "write sum(volume)"),
    ("cumprod(1 + change(close))", "write product(1 + change(close))"), ("cummax(close)", "write max(close)"),
    ("cummin(close)", "write min(close)"), ("bfill(close)", "write fill(close)"),
    ("log_return(close)", "write log(close / prev(close))"), ("isnull(close)", "write close is missing"),
    ("close = null", "write close is missing"),
    ("lag(close, 1) over (partition by ticker order by date)", "is written mean(close, 20)"),
    ("avg(close) over (order by date rows 20 preceding)", "is written mean(close, 20)"),
    ("row_number()", "write count(true)"), ("first_value(close)", "write first(close, 20)"),
    ("last_value(close)", "write last(close, 20)"), ("nth_value(close, 2)", "write prev(close, 5)"),
    ("ntile(10)", "write ceil(10 * pctrank(close by day))"), ("percent_rank(close)", "write pctrank(close by day)"),
    ("case when close > open then 1 else 0 end", "write if(close > open, 1, 0)"),
    ("extract(year from date)", "is written year(date)"), ("date_trunc('month', date)", "write month(date)"),
    ("datediff(date, prev(date))", "write date - prev(date)"),
    ("date - interval '30 days'", "write date > last - 30 days"), ("julianday(date)", "write day_number(date)"),
    ("strftime('%Y', date)", "write month(date)"), ("now()", "write date = last"), ("today", "write date = last"),
    ("current_date", "write date = last"), ("power(close, 2)", "write close ^ 2"),
    ("mod(volume, 2)", "write volume - 2 * floor(volume / 2)"),
    ("volume % 2", "a remainder is close - 2 * floor(close / 2)"),
    ("close ** 2", "write close ^ 2"), ("close // 2", "write floor(close / 2)"),
    ("log10(close)", "write log(close) / log(10)"), ("trunc(close)", "write sign(close) * floor(abs(close))"),
    ("round(close, 2)", "write round(close * 10 ^ 2) / 10 ^ 2"), ("exists(close)", "write close is not missing"),
    ("count_if(close > open)", "write count(close > open, 20)"), ("IFERROR(close, 0)", "write coalesce(close, 0)"),
    ("STDEV(close)", "write std(close, 20)"), ("PERCENTILE(close, 0.9)", "write quantile(close, 20, 0.9)"),
    ("LARGE(close, 1)", "write max(close, 20)"), ("COUNTIF(close > 5)", "write count(close > 5, 20)"),
    ("SUMIF(close > 5, volume)", "write sum(if(close > 5, volume), 20)"), ("EOMONTH(date, 0)", "write month(date)"),
    ("TODAY()", "write date = last"), ("$close", "write close"), ("$close / Ref($close, 1) - 1", "write close"),
    ("Rsquare(close, 20)", "write r2(close, 20)"), ("Resi(close, 20)", "write resid(close, 20)"),
    ("IdxMax(high, 20)", "write argmax(high, 20)"), ("Greater(open, close)", "write larger(open, close)"),
    ("Less(open, close)", "write smaller(open, close)"), ("ts_rank(close, 20)", "write rank(close, 20)"),
    ("ts_argmax(close, 20)", "write 20 - argmax(close, 20)"),
    ("ts_zscore(close, 20)", "write (close - mean(close, 20)) / std(close, 20)"),
    ("ts_std_dev(close, 20)", "write std(close, 20)"), ("ts_backfill(close, 5)", "write fill(close, 5)"),
    ("ts_scale(close, 5)", "write (close - min(close, 5)) / (max(close, 5) - min(close, 5))"),
    ("ts_quantile(close, 5)", "write rank(close, 5)"),
    ("ts_regression(close, volume, 5)", "write resid(close, volume, 5)"),
    ("signedpower(close, 2)", "write sign(close) * abs(close) ^ 2"), ("rank(close)", "rank(close by day)"),
    ("zscore(close)", "zscore(close by day)"), ("scale(close)", "write close / sum(abs(close) by day)"),
    ("indneutralize(close, sector)", "write ticker in ('KO', 'PEP')"),
    ("group_rank(close, sector)", "write ticker in ('KO', 'PEP')"),
    ("winsorize(close, 0.01)", "write larger(quantile(close, 0.01 by day), close)"),
    ("normalize(close)", "write zscore(close by day)"), ("adv20", "write mean(close * volume, 20)"),
    ("returns", "write change(close)"), ("vwap", "write (high + low + close) / 3"),
    ("sector", "write ticker in ('KO', 'PEP')"), ("industry", "write ticker in ('KO', 'PEP')"),
    ("stddev(close, 20)", "write std(close, 20)"), ("price > 5", "write close"), ("last > 5", "is a day"),
    ("px_last > 5", "write close"), ("settle > 5", "write close"), ("vol > 5", "write volume"),
    ("dividend > 0", "write ex-dividend"), ("dividends > 0", "write ex-dividend"), ("split > 1", "write split_ratio"),
    ("symbol = 'KO'", "write ticker = 'FDX'"), ("ticker = KO", "ticker = 'KO'"),
    ("name = 'KO'", "write ticker = 'FDX'"), ("returns > 0.05", "write change(close)"),
    ("rsi > 70", "is written rsi(close, 14)"), ("rsi14 > 70", "is written rsi(close, 14)"),
    ("sma200 < close", "is written mean(close, 200)"), ("close > sma(200)", "write mean(close, 200)"),
    ("close > ma200", "is written mean(close, 200)"), ("close > 200 day average", "write mean(close, 30 days)"),
    ("macd > 0", "is written macd(close, 12, 26)"), ("atr > 1", "is written atr(14)"),
    ("close > 5 %", "write change(close) > 5%"), ("close above open", "write close > open"),
    ("close crosses above open", "write crosses(close, open)"),
    ("mean(close, period=50)", "write mean(close, 50)"), ("mean(close, length=50)", "write mean(close, 50)"),
    ("mean(close, window=50)", "write mean(close, 50)"), ("mean(close, 50 bars)", "write mean(close, 50)"),
    ("max(high, 52 weeks)", "write max(high, 364 days)"), ("mean(close, 3 months)", "write mean(close, 91 days)"),
    ("close yesterday", "write prev(close)"), ("yesterday close", "is written prev(close)"),
    ("prev close", "is written prev(close)"), ("close - 1 day", "write mean(close, 30 days)"),
    ("volume > 1 million", "write volume > 1M"), ("close > $5", "write close"), ("date > 2018/01/01", "YYYY-MM-DD"),
    ("date > 20180101", "a day such as 2005-01-03"), ("date > 01.02.2018", "write it without the zeros before it"),
    ("date = today", "write date = last"), ("date = yesterday", "the newest day that there is, is last"),
    ("date > now() - 30", "write date = last"), ("year = 2017", "is written year(date)"),
    ("month = 1", "is written month(date)"), ("day of week = 1", "is written weekday(date)"),
    ("drawdown(close)", "write close / max(close) - 1"),
    ("max_drawdown(close)", "write min(close / max(close) - 1, 252)"),
    ("cumreturn(close)", "write close / first(close) - 1"),
    ("sharpe(close)", "write mean(change(close), 252) / std(change(close), 252) * sqrt(252)"),
    ("volatility(close, 20)", "write std(change(close), 20) * sqrt(252)"),
    ("bbands(close)", "write mean(close, 20) + 2 * std_p(close, 20)"),
    ("bb_upper(close, 20, 2)", "write mean(close, 20) + 2 * std_p(close, 20)"),
    ("stochastic(14, 3)", "write stoch(14, 3)"), ("ad()", "write sum((2 * close"), ("dx(14)", "write adx(14)"),
    ("plus_di(14)", "write adx(14)"), ("keltner(20)", "write ema(close, 20) + 2 * atr(10)"),
    ("donchian(20)", "write max(high, 20)"), ("gap_up", "write open / prev(close) - 1"),
    ("gap > 0", "write open / prev(close) - 1"), ("streak(3)", "streak(close > open)"),
    ("consecutive(close > open)", "write streak(close > open)"),
    ("new_high(252)", "write high > max(prev(high), 252)"),
    ("var(change(close), 250, 0.05)", "is written var(close, 20)"),
    ("value_at_risk(change(close), 0.05)", "write quantile(change(close), 252, 0.05)"),
    ("ewma(close, 0.06)", "write ema(close, 0.06)"), ("VAR.S(close)", "write var(close, 20)"),
    ("AND(close > 5, open > 5)", "write close > 5 and open > 5"), ("close >= 5 and <= 6", "write close <= 6"),
    ("max(high, 1y)", "write 1 year"), ("date > last - 30d", "write 30 days"),
    ("beta(close, SPY)", "write close of SPY"),
  ]

  private static let withoutPointer: [String] = ["market_cap > 1e9"]
}
