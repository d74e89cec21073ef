import Quoin

/// The catalog's description of the database and of each dataset, which is the same for all stores.
enum DatasetCatalog {
  /// The number that the database had at Quandl.
  static let databaseID = 4922
  static let databaseName = "Wiki EOD Stock Prices"
  static let databaseDescription =
    "Daily prices, dividends and splits of US stocks in the form of Quandl's WIKI database, served by Quoin."
  static let description =
    "Open, high, low, close and volume of each trading day, dividends and splits, and the same prices and volumes "
    + "adjusted for them. The ex-dividend is 0 and the split ratio 1 on days without any."

  static let columnNames = JSONValue.array(["Date"] + Attribute.allCases.map { .string($0.datasetName) })

  static func name(of ticker: TickerSymbol) -> String { "\(ticker) Prices, Dividends, Splits and Trading Volume" }

  /// A ticker's number, which is the same in every store: the FNV-1a hash of its name, in 31 bits.
  static func id(of ticker: TickerSymbol) -> Int {
    let hash = ticker.description.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash >> 1)
  }
}
