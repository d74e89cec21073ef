@testable import Quoin

/// The rules as their documentation says them, quote by quote.
struct NaiveAudit {
  let rows: [TickerSymbol: QuoteColumns]
  let options: AuditOptions

  var findings: [String] {
    var found: [(TickerSymbol, TradingDay, AuditRule)] = []
    for (ticker, columns) in rows {
      let quotes = columns.days.indices.map { columns.quote(at: $0, of: ticker) }
      for (row, quote) in quotes.enumerated() {
        for rule in faults(of: quote, after: quotes.prefix(row)) { found.append((ticker, quote.date, rule)) }
      }
      found += wholeFaults(of: quotes).map { (ticker, $0, $1) }
      for day in missingDays(of: ticker) where !gaps(of: quotes).contains(where: { $0.contains(day) }) {
        found.append((ticker, day, .missingDay))
      }
      if quotes.count >= 5, let last = quotes.last,
        rows.contains(where: { $0.key != ticker && isTwin($0.value, of: columns) })
      {
        found.append((ticker, last.date, .equalHistory))
      }
    }
    return found.filter { $0.1 >= options.from ?? .earliest }.sorted { $0 < $1 }
      .map { "\($0.0) \($0.1) \($0.2.rawValue)" }
  }

  private func faults(of quote: DailyQuoteSummary, after before: ArraySlice<DailyQuoteSummary>) -> [AuditRule] {
    var faults: [AuditRule] = []
    if quote.date > options.today { faults.append(.futureDay) }
    if let volume = quote.volume, volume <= 0 { faults.append(.zeroVolume) }
    let values = [
      quote.open, quote.high, quote.low, quote.close, quote.exDividend, quote.splitRatio, quote.adjustedOpen,
      quote.adjustedHigh, quote.adjustedLow, quote.adjustedClose, quote.adjustedVolume,
    ]
    if values.contains(.infinity) { faults.append(.infinite) }
    if quote.adjustedClose ?? 0 < 0, quote.close ?? 1 > 0 { faults.append(.negativeAdjusted) }
    if isUnshownSplit(quote, before) { faults.append(.split) }
    if quote.splitRatio ?? 1 <= 0 { faults.append(.splitRatio) }
    if isWrongDividend(quote, before) { faults.append(.dividend) }
    if isEmpty(quote) { faults.append(.emptyRow) }
    let prices = [quote.open, quote.high, quote.low, quote.close]
    if prices.contains(where: { $0 ?? 1 <= 0 }) { faults.append(.zeroPrice) }
    let (low, high) = (positive(quote.low), positive(quote.high))
    let outside = [quote.open, quote.close].compactMap(positive).contains { $0 < low ?? 0 || $0 > high ?? .infinity }
    let isUpsideDown = low ?? 0 > high ?? .infinity
    if isUpsideDown { faults.append(.lowAboveHigh) } else if outside { faults.append(.outsideRange) }
    let compared = isUpsideDown || outside ? [quote.close] : [quote.close, quote.low, quote.high]
    if compared.compactMap(positive).contains(where: { jumps($0, quote, before) }) { faults.append(.jump) }
    if let last = before.last, !prices.contains(nil), prices == [last.open, last.high, last.low, last.close],
      let volume = quote.volume, volume != 0, last.volume == volume
    {
      faults.append(.repeatedRow)
    }
    let (traded, listed) = market(on: quote.date)
    if quote.date <= options.today, listed >= 3, traded == 1, !isWeekend(quote.date) { faults.append(.loneDay) }
    return faults
  }

  func positive(_ price: Double?) -> Double? { price.flatMap { $0 > 0 ? $0 : nil } }

  private func jumps(_ price: Double, _ quote: DailyQuoteSummary, _ before: ArraySlice<DailyQuoteSummary>) -> Bool {
    guard let last = before.lastIndex(where: { positive($0.close) != nil }), let close = positive(before[last].close),
      !gaps(of: before + [quote]).contains(where: { $0.lowerBound >= before[last].date })
    else { return false }
    var (shares, cash) = (1.0, 0.0)
    for day in before[(last + 1)...] + [quote] {
      shares *= positive(day.splitRatio) ?? 1
      cash += shares * (positive(day.exDividend) ?? 0)
    }
    // Of an infinite close no part is known.
    let (bottom, top) = (close * (1 - options.jump / 100), close * (1 + options.jump / 100))
    return [price, price * shares + cash].allSatisfy { $0 < bottom || $0 > top }
  }

  /// How many tickers traded and were listed on a day.
  func market(on day: TradingDay) -> (traded: Int, listed: Int) {
    let lives = rows.values.map { $0.days.filter { $0 <= options.today } }
    let listed = lives.filter { life in life.contains { $0 <= day } && life.contains { $0 >= day } }
    return (listed.count { $0.contains(day) }, listed.count)
  }

  private func missingDays(of ticker: TickerSymbol) -> [TradingDay] {
    let days = (rows[ticker]?.days ?? []).filter { $0 <= options.today }
    guard let first = days.first, let last = days.last else { return [] }
    return (first.daysSince1970...last.daysSince1970).compactMap { TradingDay(daysSince1970: Int($0)) }.filter { day in
      let (traded, listed) = market(on: day)
      return !days.contains(day) && listed >= 3 && traded * 2 > listed
    }
  }

  private func isTwin(_ other: QuoteColumns, of columns: QuoteColumns) -> Bool {
    let names: [Attribute] = [.open, .high, .low, .close, .volume]
    guard names.dropLast().contains(where: { name in columns.doubles(name).contains { !$0.isNaN } }) else {
      return false
    }
    return other.days == columns.days
      && names.allSatisfy { name in
        columns.days.indices.allSatisfy { columns.text(of: name, at: $0) == other.text(of: name, at: $0) }
      }
  }
}
