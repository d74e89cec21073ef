/// A quote is coded as a row of Quoin's JSON and NDJSON, with the names of WIKI's files. What is missing is left out:
///
///     {"ticker":"FDX","date":"2018-03-27","open":238.0,"ex-dividend":0.0,"volume":2135400}
extension DailyQuoteSummary: Codable {
  /// Reads a row. A value that is null or left out is missing, and so is an infinite price in Quoin's own JSON.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: TextKey.self)
    self.init(
      ticker: try row.decode(TickerSymbol.self, forKey: .ticker), date: try row.decode(TradingDay.self, forKey: .date))
    for attribute in Attribute.allCases {
      let key = TextKey(attribute.wikiName)
      if attribute == .volume, let whole = try? row.decodeIfPresent(Int64.self, forKey: key) {
        volume = whole
      } else {
        self[attribute] = try row.decodeIfPresent(Double.self, forKey: key)
      }
    }
  }

  /// Writes a row. An infinite value is written as the encoder writes infinities: a `JSONEncoder` throws unless it has a
  /// strategy for them.
  public func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: TextKey.self)
    try row.encode(ticker, forKey: .ticker)
    try row.encode(date, forKey: .date)
    for (attribute, value) in presentValues { try row.encode(value, forKey: TextKey(attribute.wikiName)) }
  }
}

extension TextKey {
  fileprivate static let ticker = TextKey("ticker")
  fileprivate static let date = TextKey("date")
}
