// The vendors that are known by name. A further one is a value here.

extension VendorService {
  /// All of them.
  public static let all = [nasdaqDataLink, tiingo, alphaVantage, eodhd, stooq]

  /// Nasdaq Data Link, which was Quandl, and services with its API such as `quoin serve`.
  public static let nasdaqDataLink = VendorService(
    name: "nasdaq", title: "Nasdaq Data Link", address: "https://data.nasdaq.com/api/v3", key: .quandl,
    keyVariable: "NASDAQ_DATA_LINK_API_KEY", form: .quandl)

  /// Tiingo: prices, dividends, splits and all adjusted values.
  public static let tiingo = {
    var service = VendorService(
      name: "tiingo", title: "Tiingo",
      address: "https://api.tiingo.com/tiingo/daily/{ticker}/prices?startDate={from}&endDate={to}&format=csv",
      key: .header("authorization", prefix: "Token "), keyVariable: "TIINGO_API_KEY")
    service.firstDay = "1900-01-01"
    (service.examples, service.limits) = ("AAPL, BRK-B", "free: 50 requests an hour")
    return service
  }()

  /// Alpha Vantage: prices, dividends, splits and adjusted closes.
  public static let alphaVantage = {
    var service = VendorService(
      name: "alphavantage", title: "Alpha Vantage",
      address: "https://www.alphavantage.co/query?function=TIME_SERIES_DAILY_ADJUSTED&symbol={ticker}"
        + "&outputsize={size}&datatype=csv",
      key: .parameter("apikey"), keyVariable: "ALPHAVANTAGE_API_KEY")
    service.compactRowCount = 100
    (service.examples, service.limits) = ("AAPL, BRK-B", "not free")
    return service
  }()

  /// EODHD: prices and adjusted closes.
  public static let eodhd = {
    var service = VendorService(
      name: "eodhd", title: "EODHD", address: "https://eodhd.com/api/eod/{ticker}?from={from}&to={to}&fmt=csv",
      key: .parameter("api_token"), keyVariable: "EODHD_API_KEY")
    service.spelling = Spelling(market: ".US")
    (service.examples, service.limits) = ("AAPL, BRK-B, VOD.LSE", "free: 20 requests a day, one year back")
    return service
  }()

  /// Stooq: prices that are adjusted already.
  public static let stooq = {
    var service = VendorService(
      name: "stooq", title: "Stooq", address: "https://stooq.com/q/d/l/?s={ticker}&i=d&d1={from}&d2={to}")
    service.spelling = Spelling(market: ".US", isLowercase: true)
    service.writesDaysWithoutDashes = true
    service.wantsLastDay = true
    service.emptyAnswer = "No data"
    (service.examples, service.limits) = ("AAPL, BRK-B, VOD.UK, ^SPX", "a limit each day")
    return service
  }()
}
