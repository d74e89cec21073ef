@testable import Quoin

// Splits and dividends, and what a ticker's rows show as a whole.
extension NaiveAudit {
  func isUnshownSplit(_ quote: DailyQuoteSummary, _ before: ArraySlice<DailyQuoteSummary>) -> Bool {
    func isLarge(_ ratio: Double?) -> Bool { ratio.map { $0 >= 1.49 || ($0 > 0 && $0 <= 1 / 1.49) } ?? false }
    guard let ratio = quote.splitRatio, isLarge(ratio),
      let last = before.last(where: { positive($0.close) != nil || isLarge($0.splitRatio) }),
      let close = positive(last.close), last.date.daysSince1970 >= quote.date.daysSince1970 - 14
    else { return false }
    let prices = [quote.open, quote.close].compactMap(positive)
    return !prices.isEmpty
      && prices.allSatisfy { price in
        let part = (price + (positive(quote.exDividend) ?? 0)) / close
        return price >= close * (1 - options.jump / 100) && price <= close * (1 + options.jump / 100)
          && max(part, 1 / part) <= max(part * ratio, 1 / (part * ratio))
      }
  }

  /// The oracle's rows are all of the ticker up to the quote; a ticker without closes is told by all of them.
  func isWrongDividend(_ quote: DailyQuoteSummary, _ before: ArraySlice<DailyQuoteSummary>) -> Bool {
    let dividend = quote.exDividend ?? 0
    if dividend < 0 { return true }
    if quote.close == nil, dividend > 0 { return rows[quote.ticker]?[.close].contains { !$0.isNaN } ?? false }
    guard let last = before.lastIndex(where: { positive($0.close) != nil }), let close = before[last].close,
      !gaps(of: before + [quote]).contains(where: { $0.lowerBound >= before[last].date })
    else { return false }
    let ratio = (before[(last + 1)...] + [quote]).reduce(1) { $0 * (positive($1.splitRatio) ?? 1) }
    return dividend > close / ratio
  }

  func isEmpty(_ quote: DailyQuoteSummary) -> Bool {
    let known = Attribute.allCases.filter { quote[$0] != nil }
    return known.allSatisfy { $0 == .exDividend && quote.exDividend == 0 || $0 == .splitRatio && quote.splitRatio == 1 }
  }

  func isWeekend(_ day: TradingDay) -> Bool { [0, 6].contains(day.weekday) }

  /// From a row to the next one, if they are far apart.
  func gaps(of quotes: some Collection<DailyQuoteSummary>) -> [ClosedRange<TradingDay>] {
    let all = rows[quotes.first?.ticker ?? "A"]?.days ?? []
    let steps = zip(all.dropFirst(), all).map { $0.daysSince1970 - $1.daysSince1970 }
    let usual = steps.sorted().dropFirst((steps.count - 1) / 2).first ?? 0
    let days = quotes.map(\.date)
    return zip(days, days.dropFirst()).filter {
      let step = $1.daysSince1970 - $0.daysSince1970
      return step > 30 && step > 10 * usual
    }.map { $0...$1 }
  }

  /// What isn't told by a row and those before it.
  func wholeFaults(of quotes: [DailyQuoteSummary]) -> [(TradingDay, AuditRule)] {
    var faults: [(TradingDay, AuditRule)] = []
    let names: [Attribute] = [.open, .high, .low, .close]
    let known = names.filter { name in quotes.contains { $0[name] != nil } }
    if known.count < 4, known != [.close], !known.isEmpty { faults.append((quotes.last!.date, .missingColumn)) }
    if let day = staleDay(of: quotes) { faults.append((day, .staleAdjusted)) }
    for gap in gaps(of: quotes) where gap.upperBound <= options.today && !isMarketGap(gap) {
      faults.append((gap.upperBound, .gap))
    }
    return faults + quotes.map(\.date).filter { isStray($0, quotes) }.map { ($0, .weekend) }
  }

  private func staleDay(of quotes: [DailyQuoteSummary]) -> TradingDay? {
    let pairs: [(Attribute, Attribute)] = [(.adjustedLow, .low), (.adjustedClose, .close)]
    return pairs.compactMap { adjusted, raw -> TradingDay? in
      let told = quotes.filter { $0[adjusted] != nil || $0[raw] != nil }
      let open = told.reversed().prefix { $0[adjusted] == nil }
      return open.count < told.count ? open.last?.date : nil
    }.min()
  }

  private func isMarketGap(_ gap: ClosedRange<TradingDay>) -> Bool {
    let days = ((gap.lowerBound.daysSince1970 + 1)..<gap.upperBound.daysSince1970).map { TradingDay(unchecked: $0) }
    let counts = days.map(market(on:)).filter { $0.listed >= 3 }
    return !counts.isEmpty && counts.allSatisfy { $0.traded * 2 <= $0.listed }
  }

  private func isStray(_ day: TradingDay, _ quotes: [DailyQuoteSummary]) -> Bool {
    let days = quotes.map(\.date)
    let near = (day.daysSince1970 - 28...day.daysSince1970 + 28).map { TradingDay(unchecked: $0) }
      .filter { isWeekend($0) && $0 >= days.first! && $0 <= days.last! }
    return isWeekend(day) && near.count { days.contains($0) } * 4 < near.count
  }
}
