import DataFetcher

/// A quote in the tutorials' types, in files that import `Quoin` too.
typealias Summary = DailyQuoteSummary

extension [Summary] {
  /// The quotes as the store has them.
  var quotes: [Quoin.DailyQuoteSummary] { map(\.quote) }
}
