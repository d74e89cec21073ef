@testable import Quoin

extension QuoteStore {
  /// Stores rows whatever their values are, as earlier versions did: what a store has is read and answered, infinite or not.
  @discardableResult
  func upsertUnchecked(_ columns: [TickerSymbol: QuoteColumns], source: String = "Swift") throws
    -> UpsertCounts
  {
    try write { transaction in
      var counts = UpsertCounts()
      for (ticker, rows) in columns.sorted(by: { $0.key < $1.key }) {
        counts += try transaction.upsert(
          rows.completed.sortedByDay, of: ticker, source, .update, present: rows.attributes)
      }
      return counts
    }
  }

  @discardableResult
  func upsertUnchecked(_ quotes: some Sequence<DailyQuoteSummary>) throws -> UpsertCounts {
    try upsertUnchecked(QuoteColumns.byTicker(quotes))
  }
}
