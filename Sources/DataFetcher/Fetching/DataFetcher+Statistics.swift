import Quoin

extension DataFetcher {
  /// What to compute of a ticker's values.
  public enum FunctionType: String, Hashable, Sendable {
    /// Their mean.
    case average = "average:"
    /// The largest one.
    case maximum = "max:"
    /// The smallest one.
    case minimum = "min:"
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// A value of a quote.
  public enum StockQuoteKeyPath: Hashable, Sendable {
    /// The attributes under the tutorials' names.
    case High, Low, Open, Close, Volume
    /// Those in terms of today's shares.
    case Adjusted_Open, Adjusted_Close, Adjusted_High, Adjusted_Low, Adjusted_Volume
    /// The dividend.
    case Ex_Dividend

    /// The attribute.
    public var attribute: Attribute {
      switch self {
      case .High: .high
      case .Low: .low
      case .Open: .open
      case .Close: .close
      case .Volume: .volume
      case .Adjusted_Open: .adjustedOpen
      case .Adjusted_Close: .adjustedClose
      case .Adjusted_High: .adjustedHigh
      case .Adjusted_Low: .adjustedLow
      case .Adjusted_Volume: .adjustedVolume
      case .Ex_Dividend: .exDividend
      }
    }
  }

  /// The mean, the largest or the smallest of a ticker's values; nil if it has none, or if the store can't be read. Then
  /// `lastError` says why.
  public func fetchDailyQuoteStatData(
    forTicker tickerSymbol: TickerSymbol, forFunctionType functionType: FunctionType,
    forKeyPath stockQuoteKeyPath: StockQuoteKeyPath
  ) -> Float? {
    let aggregate = result { try $0.quotes(for: tickerSymbol).aggregate(stockQuoteKeyPath.attribute) }
    let value =
      switch functionType {
      case .average: aggregate?.mean
      case .maximum: aggregate?.maximum
      case .minimum: aggregate?.minimum
      }
    return value.map { Float($0) }
  }
}
