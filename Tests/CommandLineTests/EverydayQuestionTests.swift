import Foundation
import Testing

/// What users of quotes ask every day: each is one short command, and its answer is reckoned here from the rows of the sample.
@Suite struct EverydayQuestionTests {
  struct Question: Sendable {
    let words: String
    let command: String
    /// The lines of the answer without the header.
    let reckoning: @Sendable (SampleQuotes) -> [[String]]

    init(_ words: String, _ command: String, _ reckoning: @escaping @Sendable (SampleQuotes) -> [[String]]) {
      (self.words, self.command, self.reckoning) = (words, command, reckoning)
    }
  }

  @Test func each_is_one_short_command() {
    let questions = Self.days + Self.market + Self.groups + Self.last
    // Pairs above a correlation are a question for quoin sql; sectors and shares outstanding aren't stored.
    #expect(questions.count >= 46)
    for question in questions {
      #expect("quoin \(question.command)".utf8.count <= 120, "\(question.words): \(question.command.utf8.count + 6)")
    }
  }

  @Test(arguments: ["days", "market", "groups", "last"])
  func the_answer_is_what_is_reckoned(_ part: String) throws {
    let workspace = try Workspace(importing: ["wiki-sample.csv"])
    let sample = try SampleQuotes()
    let questions = ["days": Self.days, "market": Self.market, "groups": Self.groups, "last": Self.last][part]!
    for question in questions {
      let result = try workspace.shell("$quoin \(question.command) --format csv")
      #expect(result.status == 0, "\(question.command): \(result.err)")
      let isCount = question.command.contains("--count")
      let lines = result.out.split(separator: "\n").dropFirst(isCount ? 0 : 1)
      let found = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map { String($0) } }
      let expected = question.reckoning(sample)
      let isRight = found.count == expected.count && zip(found, expected).allSatisfy { Self.areAlike($0, $1) }
      let difference = zip(found, expected).first { !Self.areAlike($0, $1) }
      #expect(
        isRight && !expected.isEmpty && expected != [["0"]],
        "\(question.words): \(question.command): \(found.count) lines, not \(expected.count); \(String(describing: difference))"
      )
    }
  }

  private static func areAlike(_ found: [String], _ expected: [String]) -> Bool {
    found.count == expected.count
      && zip(found, expected).allSatisfy { a, b in
        if a == b || a.isEmpty && b == "nan" { return true }
        guard let x = Double(a), let y = Double(b) else { return false }
        return abs(x - y) <= 1e-9 * max(abs(y), 1e-3)
      }
  }
}

// Of a ticker's rows.
extension EverydayQuestionTests {
  private typealias Ticker = SampleQuotes.Ticker

  static let days: [Question] = [
    Question("days that closed above the open", "scan --where 'close > open' --count") {
      $0.count { $0.close[$1] > $0.open[$1] }
    },
    Question("wide days", "scan --where '(high - low) / close > 5%' --columns 'ticker, date'") {
      $0.rows { ($0.high[$1] - $0.low[$1]) / $0.close[$1] > 0.05 ? [$0.name, $0.days[$1]] : nil }
    },
    Question("much money that changed hands", "scan --where 'close * volume > 1e10' --columns 'ticker, date'") {
      $0.rows { $0.close[$1] * $0.volume[$1] > 1e10 ? [$0.name, $0.days[$1]] : nil }
    },
    Question("a close near the top of the range", "scan --where '(close - low) / (high - low) > 0.9' --count") {
      $0.count { ($0.close[$1] - $0.low[$1]) / ($0.high[$1] - $0.low[$1]) > 0.9 }
    },
    Question("gains of more than 5 %", "scan --where 'change(close) > 5%' --columns 'ticker, date, change(close)'") {
      $0.rows { $0.change($1) > 0.05 ? [$0.name, $0.days[$1], "\($0.change($1))"] : nil }
    },
    Question("gaps up", "scan --where 'open > prev(high)' --count") {
      $0.count { $1 > 0 && $0.open[$1] > $0.high[$1 - 1] }
    },
    Question("three days up in a row", "scan --where 'streak(close > prev(close)) >= 3' --count") {
      $0.count { x, row in row >= 3 && (row - 2...row).allSatisfy { x.close[$0] > x.close[$0 - 1] } }
    },
    Question("above the average of 200 days", "scan --where 'close > mean(close, 200)' --count") {
      $0.count { $0.close[$1] > mean($0.close, $1, 200) }
    },
    Question(
      "the golden cross", "scan --where 'crosses(mean(close, 50), mean(close, 200))' --columns 'ticker, date'"
    ) {
      $0.rows { x, row in
        row > 0 && mean(x.close, row, 50) > mean(x.close, row, 200)
          && mean(x.close, row - 1, 50) <= mean(x.close, row - 1, 200) ? [x.name, x.days[row]] : nil
      }
    },
    Question("within 5 % of the high of 52 weeks", "scan --where 'close >= 0.95 * max(high, 252)' --count") {
      $0.count { x, row in window(x.high, row, 252).map { x.close[row] >= 0.95 * $0.max()! } ?? false }
    },
    Question("a new low of 20 days", "scan --where 'low < min(prev(low), 20)' --count") {
      $0.count { x, row in row >= 19 && x.low[row] < x.low[max(0, row - 20)..<row].min()! }
    },
    Question("three times the usual volume", "scan --where 'volume > 3 * mean(prev(volume), 20)' --count") {
      $0.count { x, row in row >= 20 && x.volume[row] > 3 * mean(x.volume, row - 1, 20) }
    },
    Question("a volatile month", "scan --where 'std(log(close / prev(close)), 20) * sqrt(252) > 0.3' --count") {
      $0.count { x, row in
        row >= 20
          && deviation((row - 19...row).map { log(x.close[$0] / x.close[$0 - 1]) }) * Double(252).squareRoot() > 0.3
      }
    },
    Question(
      "two deviations below the average", "scan --where '(close - mean(close, 20)) / std(close, 20) < -2' --count"
    ) {
      $0.count { x, row in
        window(x.close, row, 20).map { (x.close[row] - mean($0)) / deviation($0) < -2 } ?? false
      }
    },
    Question("oversold", "scan --where 'rsi(close, 14) < 30' --count") { sample in
      let values = Dictionary(uniqueKeysWithValues: sample.tickers.map { ($0, sample[$0].rsi) })
      return sample.count { values[$0.name]![$1] < 30 }
    },
    Question("MACD turns up", "scan --where 'crosses(macd(close), macd_signal(close))' --count") { sample in
      let values = Dictionary(
        uniqueKeysWithValues: sample.tickers.map { ($0, (sample[$0].macd, sample[$0].macdSignal)) })
      return sample.count { Ticker.crosses(values[$0.name]!.0, values[$0.name]!.1, $1) }
    },
    Question("above the upper Bollinger band", "scan --where 'close > mean(close, 20) + 2 * std_p(close, 20)' --count")
    {
      $0.count { x, row in
        window(x.close, row, 20).map { x.close[row] > mean($0) + 2 * deviation($0, lessOne: false) } ?? false
      }
    },
    Question("a day usually moves more than 2 %", "scan --where 'atr(14) / close > 0.02' --count") { sample in
      let values = Dictionary(uniqueKeysWithValues: sample.tickers.map { ($0, sample[$0].atr) })
      return sample.count { values[$0.name]![$1] / $0.close[$1] > 0.02 }
    },
    Question("a fifth below the highest close so far", "scan --where 'close / max(close) - 1 < -0.2' --count") {
      $0.count { $0.close[$1] / $0.close[...$1].max()! - 1 < -0.2 }
    },
    Question(
      "momentum: the year without its last month",
      "scan --latest --columns 'ticker, prev(close, 21) / prev(close, 252) - 1 as momentum'"
    ) {
      $0.rows { $1 == 503 ? [$0.name, "\($0.close[$1 - 21] / $0.close[$1 - 252] - 1)"] : nil }
    },
    Question(
      "what followed a fall",
      "scan --where 'change(close) < -5%' --columns 'ticker, next(close, 5) / close - 1 as later'"
    ) {
      $0.rows { x, row in
        guard x.change(row) < -0.05 else { return nil }
        return [x.name, row + 5 < 504 ? "\(x.close[row + 5] / x.close[row] - 1)" : "nan"]
      }
    },
  ]
}

// Of today, and of the market by day.
extension EverydayQuestionTests {
  static let market: [Question] = [
    Question("what gains today", "scan --where 'date = last and change(close) > -1%' --columns 'ticker, change(close)'")
    {
      $0.rows { $1 == 503 && $0.change($1) > -0.01 ? [$0.name, "\($0.change($1))"] : nil }
    },
    Question(
      "the newest days of the market first", "scan --order 'date desc, volume desc' --columns 'date, ticker' --limit 9"
    ) { sample in
      Array(
        sample.days.indices.reversed().flatMap { row in
          sample.tickers.sorted { sample[$0].volume[row] > sample[$1].volume[row] }.map { [sample.days[row], $0] }
        }.prefix(9))
    },
    Question(
      "breadth of the newest five days",
      "scan --aggregate 'count, share(close > mean(close, 50)) as up' --by day --order 'day desc' --limit 5"
    ) { sample in
      sample.days.indices.suffix(5).reversed().map { row in
        let above = sample.tickers.count { sample[$0].close[row] > mean(sample[$0].close, row, 50) }
        return [sample.days[row], "6", "\(Double(above) / 6)"]
      }
    },
    Question("the two largest gains of each day", "scan --where 'rank(change(close) desc by day) <= 2' --count") {
      sample in
      sample.count { x, row in
        guard row > 0 else { return false }
        return 7 - rank(x.change(row), among: sample.day(row) { $0.change($1) }) <= 2
      }
    },
    Question(
      "the best of the market by half a year's gain",
      "scan --where 'date = last and pctrank(close / prev(close, 126) by day) > 0.8' --columns ticker"
    ) { sample in
      let all = sample.day(503) { $0.close[$1] / $0.close[$1 - 126] }
      return zip(sample.tickers, all).filter { rank($1, among: all) / 6 > 0.8 }.map { [$0.0] }
    },
    Question(
      "the three worst days of each ticker", "scan --top '3 by change(close) asc per ticker' --columns 'ticker, date'"
    ) {
      sample in
      sample.tickers.flatMap { name in
        let x = sample[name]
        return x.days.indices.dropFirst().sorted { x.change($0) < x.change($1) }.prefix(3).map { [name, x.days[$0]] }
      }
    },
    Question(
      "the best day of each month of 2017",
      "scan --top '1 by change(close) per month' --from 2017-01-01 --columns 'date, ticker'"
    ) { sample in
      let months = Dictionary(
        grouping: sample.days.indices.filter { sample.days[$0] >= "2017" }, by: { sample.days[$0].prefix(7) })
      return months.sorted { $0.key < $1.key }.map { _, rows in
        let best = rows.flatMap { row in sample.tickers.map { (row, $0) } }.max {
          sample[$0.1].change($0.0) < sample[$1.1].change($1.0)
        }!
        return [sample.days[best.0], best.1]
      }
    },
    Question(
      "correlation and beta with another ticker",
      "scan KO --latest --let 'r = change(close); g = change(close of GE)' --columns 'corr(r, g, 60), slope(r, g, 60)'"
    ) { sample in
      let (x, y) = (sample["KO"].changes.suffix(60), sample["GE"].changes.suffix(60))
      return [["\(correlation(x, y))", "\(products(x, y) / products(y, y))"]]
    },
    Question(
      "a correlation for each day, across tickers",
      "scan --aggregate 'corr(change(close), change(close, 5)) as c' --by day --order 'day desc' --limit 3"
    ) { sample in
      (501...503).reversed().map { row in
        [sample.days[row], "\(correlation(sample.day(row) { $0.change($1) }, sample.day(row) { $0.change($1, 5) }))"]
      }
    },
    Question(
      "the spread of a pair, in deviations",
      "join KO MSFT --latest --columns '(ratio - mean(ratio, 20)) / std(ratio, 20) as z'"
    ) { sample in
      let ratio = zip(sample["KO"].close, sample["MSFT"].close).map { $0 / $1 }.suffix(20)
      return [["\((ratio.last! - mean(ratio)) / deviation(ratio))"]]
    },
    Question(
      "within a sector that is typed",
      "scan --where 'date = last' --columns \"ticker, demean(close by day among ticker in ('KO', 'GE')) as d\""
    ) { sample in
      let average = (sample["KO"].close[503] + sample["GE"].close[503]) / 2
      return sample.tickers.map { [$0, ["KO", "GE"].contains($0) ? "\(sample[$0].close[503] - average)" : "nan"] }
    },
  ]
}

// Of groups.
extension EverydayQuestionTests {
  static let groups: [Question] = [
    Question(
      "how many stand above their average",
      "scan --aggregate 'share(close > mean(close, 200)) as up' --by day --limit 300"
    ) { sample in
      sample.days.indices.prefix(300).map { row in
        let above = sample.tickers.count { sample[$0].close[row] > mean(sample[$0].close, row, 200) }
        return [sample.days[row], row < 199 ? "nan" : "\(Double(above) / 6)"]
      }
    },
    Question("seasonality", "scan --aggregate 'mean(change(close)), count' --by 'month(date)'") { sample in
      (1...12).map { month in
        let all = sample.rows { $0.month($1) == month ? ["\($0.change($1))"] : nil }.map { Double($0[0])! }
        return ["\(month)", "\(mean(all.filter { !$0.isNaN }))", "\(all.count)"]
      }
    },
    Question(
      "what follows, by tenths of the market's gains",
      "scan --aggregate 'mean(next(close) / close - 1) as m' --by 'ceil(10 * pctrank(change(close) by day)) as decile'"
    ) { sample in
      var found: [Int: [Double]] = [:]
      for row in sample.days.indices {
        let all = sample.day(row) { $0.change($1) }
        for (name, change) in zip(sample.tickers, all) {
          let key = row == 0 ? 11 : Int((10 * (rank(change, among: all) / 6)).rounded(.up))
          if row + 1 < 504 { found[key, default: []].append(sample[name].change(row + 1)) }
        }
      }
      return found.sorted { $0.key < $1.key }.map { [$0 == 11 ? "nan" : "\($0)", "\(mean($1))"] }
    },
    Question(
      "return, risk and their ratio of each ticker",
      "scan --aggregate 'mean(change(close)) as m, std(change(close)) as s, m / s as sharpe' --by ticker"
    ) { sample in
      sample.tickers.map { name in
        let all = sample[name].changes.dropFirst()
        return [name, "\(mean(all))", "\(deviation(all))", "\(mean(all) / deviation(all))"]
      }
    },
    Question("a beta for the whole period", "scan KO --aggregate 'slope(change(close), change(close of MSFT)) as beta'")
    { sample in
      let (x, y) = (sample["KO"].changes.dropFirst(), sample["MSFT"].changes.dropFirst())
      return [["\(products(x, y) / products(y, y))"]]
    },
    Question("first and last day of each ticker", "scan --aggregate 'min(date), max(date)' --by ticker") { sample in
      sample.tickers.map { [$0, sample.days[0], sample.days[503]] }
    },
    Question("how many tickers a year has", "scan --aggregate 'distinct(ticker), count' --by 'year, all'") { sample in
      Dictionary(grouping: sample.days) { $0.prefix(4) }.sorted { $0.key < $1.key }.map { year, days in
        ["\(year)-01-01", "6", "\(6 * days.count)"]
      }
    },
    Question(
      "the best year of each ticker",
      "resample --by year --top '1 by change(close) per ticker' --columns 'ticker, change(close)'"
    ) { sample in
      sample.tickers.map { name in
        let x = sample[name]
        let ends = [2016, 2017, 2018].map { year in x.close[x.days.indices.last { x.year($0) == year }!] }
        return [name, "\(zip(ends, ends.dropFirst()).map { $1 / $0 - 1 }.max()!)"]
      }
    },
    Question("bars of months", "resample KO --by month --columns 'open, high, low, close, volume'") { sample in
      let x = sample["KO"]
      return Dictionary(grouping: x.days.indices) { x.days[$0].prefix(7) }.sorted { $0.key < $1.key }.map { _, rows in
        let (high, low) = (rows.map { x.high[$0] }.max()!, rows.map { x.low[$0] }.min()!)
        let volume = rows.reduce(0) { $0 + x.volume[$1] }
        return ["\(x.open[rows[0]])", "\(high)", "\(low)", "\(x.close[rows.last!])", "\(volume)"]
      }
    },
    Question(
      "growth and its shape",
      "scan --aggregate 'product(1 + change(close)) - 1 as r, skew(change(close)) as s' --by ticker"
    ) { sample in
      sample.tickers.map { name in
        let all = sample[name].changes.dropFirst()
        let (n, average, spread) = (Double(all.count), mean(all), deviation(all))
        let cubes = all.reduce(0) { $0 + pow(($1 - average) / spread, 3) }
        return [name, "\(all.reduce(1) { $0 * (1 + $1) } - 1)", "\(n / ((n - 1) * (n - 2)) * cubes)"]
      }
    },
  ]
}

// Of the calendar, of the first value, of the worst ones, and of windows that begin somewhere.
extension EverydayQuestionTests {
  static let last: [Question] = [
    Question(
      "rows after more than three days without any",
      "scan KO --where 'date - prev(date) > 3' --columns 'date, date - prev(date)'"
    ) { sample in
      sample.days.indices.dropFirst().compactMap { row in
        let age = SampleQuotes.number(sample.days[row]) - SampleQuotes.number(sample.days[row - 1])
        return age > 3 ? [sample.days[row], "\(age)"] : nil
      }
    },
    Question(
      "days since the dividend",
      "scan --latest --columns 'ticker, days_since(ex-dividend > 0) as days, fill(if(ex-dividend > 0, close))'"
    ) { sample in
      sample.tickers.map { name in
        let x = sample[name]
        guard let row = x.days.indices.last(where: { x.dividend[$0] > 0 }) else { return [name, "nan", "nan"] }
        return [name, "\(x.number(503) - x.number(row))", "\(x.close[row])"]
      }
    },
    Question("the last thirty days", "scan KO --from 'last - 30 days' --count") { sample in
      [["\(sample.days.count { SampleQuotes.number($0) >= SampleQuotes.number(sample.days[503]) - 30 })"]]
    },
    Question("rebased to 100", "scan KO --columns '100 * close / first(close)' --order desc --limit 3") { sample in
      (501...503).reversed().map { ["\(100 * sample["KO"].close[$0] / sample["KO"].close[0])"] }
    },
    Question(
      "this year's gain so far", "scan --latest --columns 'ticker, close / first(prev(close), this year) - 1 as ytd'"
    ) { sample in
      sample.tickers.map { name in
        let x = sample[name]
        return [name, "\(x.close[503] / x.close[x.yearStart(503) - 1] - 1)"]
      }
    },
    Question(
      "the average price since the year's high",
      "scan --latest --columns 'ticker, mean(close, since high = max(high, 252)) as m'"
    ) { sample in
      sample.tickers.map { name in
        let x = sample[name]
        let row = x.days.indices.last { row in window(x.high, row, 252).map { x.high[row] == $0.max()! } ?? false }
        return [name, row.map { "\(mean(x.close[$0...]))" } ?? "nan"]
      }
    },
    Question(
      "the mean of thirty days of the calendar", "scan KO --columns 'mean(close, 30 days) as m' --order desc --limit 99"
    ) { sample in
      let x = sample["KO"]
      return (405...503).reversed().map { row in
        ["\(mean(x.days.indices.filter { $0 <= row && x.number($0) > x.number(row) - 30 }.map { x.close[$0] }))"]
      }
    },
    Question("expected shortfall", "scan --latest --columns 'ticker, shortfall(change(close), 250, 0.05) as es'") {
      sample in
      sample.tickers.map { name in
        let all = sample[name].changes.suffix(250)
        let most = quantile(all, 0.05)
        return [name, "\(mean(all.filter { $0 <= most }))"]
      }
    },
    Question(
      "RiskMetrics' volatility", "scan --latest --columns 'ticker, sqrt(252 * ema(change(close) ^ 2, 0.06)) as vol'"
    ) { sample in
      sample.tickers.map { name in
        let squares = sample[name].changes.dropFirst().map { $0 * $0 }
        return [name, "\((252 * smoothed(squares, 1, 0.06).last!).squareRoot())"]
      }
    },
    Question(
      "the longest row of gains of each ticker",
      "scan --aggregate 'max(streak(close > prev(close))) as days' --by ticker"
    ) { sample in
      sample.tickers.map { name in
        let x = sample[name]
        var (streak, longest) = (0, 0)
        for row in x.days.indices.dropFirst() {
          streak = x.close[row] > x.close[row - 1] ? streak + 1 : 0
          longest = max(longest, streak)
        }
        return [name, "\(longest)"]
      }
    },
    Question("the deepest fall of each ticker", "scan --aggregate 'min(close / max(close) - 1) as fall' --by ticker") {
      sample in
      sample.tickers.map { name in
        let close = sample[name].close
        return [name, "\(close.indices.map { close[$0] / close[...$0].max()! - 1 }.min()!)"]
      }
    },
  ]
}
