import Quoin

/// The last row that a store has of a ticker. The service is asked for it once more: what it says of that day tells whether
/// the earlier days can stay as they are.
struct StoredEnd: Sendable {
  let row: DailyQuoteSummary

  var day: TradingDay { row.date }

  /// Why the whole history has to be downloaded anew; nil if the later rows are enough.
  ///
  /// - Parameter columns: what the service has from the store's last day on, with rising days.
  func reasonToRenew(_ columns: QuoteColumns) -> RenewedHistory.Reason? {
    let corrected = corrected(in: columns)
    // Other adjusted values are best explained by the split that they follow.
    let adjustment = corrected.allSatisfy(AttributeSet.adjusted.contains) ? adjustment(in: columns) : nil
    return adjustment ?? (corrected.isEmpty ? nil : .correction(on: day, corrected))
  }

  /// The rows after the store's last day.
  func later(_ columns: QuoteColumns) -> QuoteColumns {
    let start = columns.days.firstIndex { $0 > day } ?? columns.rowCount
    return columns.sliced(start..<columns.rowCount)
  }

  /// Whether the service has the store's last day.
  func isIn(_ columns: QuoteColumns) -> Bool { columns.days.contains(day) }

  /// The attributes of which the service gives another value on this day than the store has.
  private func corrected(in columns: QuoteColumns) -> [Attribute] {
    guard let index = columns.days.firstIndex(of: day) else { return [] }
    let served = columns.quote(at: index, of: row.ticker)
    return columns.attributes.names.filter { name in
      served.integer(name).map { $0 != row.integer(name) } ?? served[name].map { $0 != row[name] } ?? false
    }
  }

  /// A split or a dividend of a later day, which changes the adjusted values of all days before it.
  private func adjustment(in columns: QuoteColumns) -> RenewedHistory.Reason? {
    guard !columns.valuedAttributes.isDisjoint(with: .adjusted) else { return nil }
    for index in columns.days.indices where columns.days[index] > day {
      let served = columns.quote(at: index, of: row.ticker)
      if let ratio = served.splitRatio, ratio != 1, ratio != 0 { return .split(on: served.date, ratio: ratio) }
      if let amount = served.exDividend, amount > 0 { return .dividend(on: served.date, amount: amount) }
    }
    return nil
  }
}

extension QuoteStore {
  /// The last rows of these tickers, of which the store may lack some.
  func ends(of tickers: [TickerSymbol]) async throws(QuandlClientError) -> [TickerSymbol: StoredEnd] {
    var ends: [TickerSymbol: StoredEnd] = [:]
    do {
      for row in try await quotes(for: tickers).latest().quotes { ends[row.ticker] = StoredEnd(row: row) }
    } catch { throw QuandlClientError(error) }
    return ends
  }
}
