import Quoin

extension DataFetcher {
  /// The quotes of a ticker whose values lie in all of these ranges.
  ///
  ///     dataFetcher.getStockQuoteSummariesWithAttributeRanges(
  ///       forTickerSymbol: .fedEx, forMinMaxHigh: (80, 83), forMinMaxLow: (78, nil))
  ///
  /// Both ends of a range are excluded, and nil leaves an end open. The bounds may have any type that conforms to
  /// `MinMaxBound`, and different types in one call. A missing value is in no range; a pair of nils is no range, so it selects
  /// missing values too. An inverted range, or one with a NaN, contains nothing.
  ///
  /// - Returns: the quotes, oldest first; nil if the store can't be read. Then `lastError` says why.
  public func getStockQuoteSummariesWithAttributeRanges(
    forTickerSymbol tickerSymbol: TickerSymbol,
    forMinMaxOpen minMaxOpen: MinMax? = nil,
    forMinMaxClose minMaxClose: MinMax? = nil,
    forMinMaxHigh minMaxHigh: MinMax? = nil,
    forMinMaxLow minMaxLow: MinMax? = nil,
    forMinMaxAdjustedOpen minMaxAdjustedOpen: MinMax? = nil,
    forMinMaxAdjustedClose minMaxAdjustedClose: MinMax? = nil,
    forMinMaxAdjustedHigh minMaxAdjustedHigh: MinMax? = nil,
    forMinMaxAdjustedLow minMaxAdjustedLow: MinMax? = nil,
    forMinMaxVolume minMaxVolume: MinMax? = nil,
    forMinMaxAdjusedVolume minMaxAdjustedVolume: MinMax? = nil,
    forMinMaxExDividend minMaxExDividend: MinMax? = nil
  ) -> [DailyQuoteSummary]? {
    let ranges: [(Attribute, MinMax?)] = [
      (.open, minMaxOpen), (.close, minMaxClose), (.high, minMaxHigh), (.low, minMaxLow),
      (.adjustedOpen, minMaxAdjustedOpen), (.adjustedClose, minMaxAdjustedClose),
      (.adjustedHigh, minMaxAdjustedHigh), (.adjustedLow, minMaxAdjustedLow),
      (.volume, minMaxVolume), (.adjustedVolume, minMaxAdjustedVolume), (.exDividend, minMaxExDividend),
    ]
    return answer { try $0.quotes(for: tickerSymbol).where(Predicate(ranges)).fetch() }
  }

  /// The same call, with the label `forMinMaxAdjustedVolume` spelled right.
  @_disfavoredOverload
  public func getStockQuoteSummariesWithAttributeRanges(
    forTickerSymbol tickerSymbol: TickerSymbol,
    forMinMaxOpen minMaxOpen: MinMax? = nil,
    forMinMaxClose minMaxClose: MinMax? = nil,
    forMinMaxHigh minMaxHigh: MinMax? = nil,
    forMinMaxLow minMaxLow: MinMax? = nil,
    forMinMaxAdjustedOpen minMaxAdjustedOpen: MinMax? = nil,
    forMinMaxAdjustedClose minMaxAdjustedClose: MinMax? = nil,
    forMinMaxAdjustedHigh minMaxAdjustedHigh: MinMax? = nil,
    forMinMaxAdjustedLow minMaxAdjustedLow: MinMax? = nil,
    forMinMaxVolume minMaxVolume: MinMax? = nil,
    forMinMaxAdjustedVolume minMaxAdjustedVolume: MinMax?,
    forMinMaxExDividend minMaxExDividend: MinMax? = nil
  ) -> [DailyQuoteSummary]? {
    getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: tickerSymbol, forMinMaxOpen: minMaxOpen, forMinMaxClose: minMaxClose,
      forMinMaxHigh: minMaxHigh, forMinMaxLow: minMaxLow, forMinMaxAdjustedOpen: minMaxAdjustedOpen,
      forMinMaxAdjustedClose: minMaxAdjustedClose, forMinMaxAdjustedHigh: minMaxAdjustedHigh,
      forMinMaxAdjustedLow: minMaxAdjustedLow, forMinMaxVolume: minMaxVolume,
      forMinMaxAdjusedVolume: minMaxAdjustedVolume, forMinMaxExDividend: minMaxExDividend)
  }
}

extension Predicate {
  /// All of these ranges, parsed by the query language, which knows what a decimal means for each attribute.
  fileprivate init(_ ranges: [(Attribute, DataFetcher.MinMax?)]) throws(PredicateSyntaxError) {
    let conditions = ranges.flatMap { name, minMax in
      [
        minMax?.0.map { "\(name.wikiName) > \($0.description)" },
        minMax?.1.map { "\(name.wikiName) < \($0.description)" },
      ].compactMap { $0 }
    }
    self = try conditions.isEmpty ? .all([]) : Predicate(parsing: conditions.joined(separator: " and "))
  }
}
