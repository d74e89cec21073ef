import Testing

/// The downloads that most people have, as short files in their forms: each is imported with no option, or with the one that the first error
/// names. Numbers are those of the log of `PublicReportTests`.
struct CommonestDownloadTests {
  struct Download: CustomTestStringConvertible {
    let source: String
    let file: String
    let text: String
    /// The only option that it may need; empty if none.
    var option = ""
    var rows = apple()

    var testDescription: String { source }
  }

  /// Two days of AAPL, as far as a source has their volumes.
  fileprivate static func apple(_ name: String = "AAPL", volumes: [String] = ["78005800", "68741000"]) -> [String] {
    [
      "\(name),2024-01-18,186.09,189.14,185.83,188.63,\(volumes[0])",
      "\(name),2024-01-19,189.33,191.95,188.82,191.56,\(volumes[1])",
    ]
  }

  @Test(arguments: sites + others)
  func the_commonest_downloads_import_with_no_option_or_with_the_one_that_the_first_error_named(_ download: Download)
    throws
  {
    let workspace = try Workspace()
    _ = try workspace.write(download.text, to: download.file)
    var arguments = ["import", download.file]
    var read = try workspace.run(arguments)
    #expect((read.status == 0) == download.option.isEmpty, "\(read)")
    if read.status != 0 {
      #expect(read.status == 2 && read.out.isEmpty)
      let option = try #require(Self.option(named: read.err))
      #expect(option[0] == download.option, "\(read.err)")
      arguments += option
      read = try workspace.run(arguments)
    }
    #expect(read.status == 0 && read.err.isEmpty, "\(arguments): \(read)")
    let found = try workspace.run("scan --columns ticker,date,open,high,low,close,volume --format csv").out
    #expect(found.split(separator: "\n").dropFirst().map(String.init) == download.rows, "\(found)")
  }

  /// The first option that a sentence names, with its value; the example of a ticker is replaced by the right one.
  private static func option(named sentence: String) -> [String]? {
    guard let start = sentence.firstRange(of: "--")?.lowerBound else { return nil }
    let words = sentence[start...].split(whereSeparator: \.isWhitespace).prefix(2).map {
      String($0.prefix { !",;".contains($0) })
    }
    return words.first == "--ticker" ? ["--ticker", "AAPL"] : words
  }
}

extension CommonestDownloadTests {
  fileprivate static let sites: [Download] = [
    Download(
      source: "Yahoo", file: "AAPL.csv",
      text: "Date,Open,High,Low,Close,Adj Close,Volume\n"
        + "2024-01-18,186.09,189.14,185.83,188.63,187.85,78005800\n"
        + "2024-01-19,189.33,191.95,188.82,191.56,190.77,68741000\n"),
    Download(
      source: "Yahoo, copied from the page", file: "AAPL.csv",
      text: "Date\tOpen\tHigh\tLow\tClose* \tAdj Close**\tVolume\n"
        + "Jan 19, 2024\t189.33\t191.95\t188.82\t191.56\t190.77\t68,741,000\n"
        + "Jan 18, 2024\t186.09\t189.14\t185.83\t188.63\t187.85\t78,005,800\n"),
    Download(
      source: "Stooq, one stock", file: "aapl_us_d.csv",
      text: "Date,Open,High,Low,Close,Volume\n"
        + "2024-01-18,186.09,189.14,185.83,188.63,78005800\n"
        + "2024-01-19,189.33,191.95,188.82,191.56,68741000\n"),
    Download(
      source: "Stooq, all stocks", file: "d_us.txt",
      text: "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n"
        + "AAPL.US,D,20240118,000000,186.09,189.14,185.83,188.63,78005800.25,0\n"
        + "AAPL.US,D,20240119,000000,189.33,191.95,188.82,191.56,68741000,0\n",
      rows: apple(volumes: ["78005800.25", "68741000"])),
    Download(
      source: "Nasdaq.com", file: "HistoricalData_1705760000000.csv",
      text: "Date,Close/Last,Volume,Open,High,Low\n"
        + "01/19/2024,$191.56,68741000,$189.33,$191.95,$188.82\n"
        + "01/18/2024,$188.63,78005800,$186.09,$189.14,$185.83\n",
      option: "--ticker"),
    Download(
      source: "Investing.com", file: "AAPL_Historical_Data.csv",
      text: "\u{FEFF}\"Date\",\"Price\",\"Open\",\"High\",\"Low\",\"Vol.\",\"Change %\"\n"
        + "\"01/19/2024\",\"191.56\",\"189.33\",\"191.95\",\"188.82\",\"68.90M\",\"1.55%\"\n"
        + "\"01/18/2024\",\"188.63\",\"186.09\",\"189.14\",\"185.83\",\"78.01M\",\"3.26%\"\n",
      rows: apple(volumes: ["78010000", "68900000"])),
    Download(
      source: "Alpha Vantage", file: "daily_AAPL.csv",
      text: "timestamp,open,high,low,close,volume\n"
        + "2024-01-19,189.33,191.95,188.82,191.56,68741000\n"
        + "2024-01-18,186.09,189.14,185.83,188.63,78005800\n"),
    Download(
      source: "Alpha Vantage, JSON", file: "query.json",
      text:
        "{\"Meta Data\":{\"1. Information\":\"Daily Prices\",\"2. Symbol\":\"AAPL\",\"5. Time Zone\":\"US/Eastern\"},\"Time Series (Daily)\":{\"2024-01-19\":{\"1. open\":\"189.3300\",\"2. high\":\"191.9500\",\"3. low\":\"188.8200\",\"4. close\":\"191.5600\",\"5. volume\":\"68741000\"},\"2024-01-18\":{\"1. open\":\"186.0900\",\"2. high\":\"189.1400\",\"3. low\":\"185.8300\",\"4. close\":\"188.6300\",\"5. volume\":\"78005800\"}}}\n"
    ),
    Download(
      source: "Tiingo", file: "AAPL.csv",
      text: "date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor\n"
        + "2024-01-18,188.63,189.14,185.83,186.09,78005800,187.85,188.36,185.06,185.32,78005800,0.0,1.0\n"
        + "2024-01-19,191.56,191.95,188.82,189.33,68741000,190.77,191.16,188.04,188.55,68741000,0.0,1.0\n"),
    Download(
      source: "EODHD", file: "AAPL.US.csv",
      text: "Date,Open,High,Low,Close,Adjusted_close,Volume\n"
        + "2024-01-18,186.09,189.14,185.83,188.63,187.85,78005800\n"
        + "2024-01-19,189.33,191.95,188.82,191.56,190.77,68741000\n",
      rows: apple("AAPL.US")),
    Download(
      source: "EODHD, JSON", file: "eodhd.json",
      text:
        "[{\"date\":\"2024-01-18\",\"open\":186.09,\"high\":189.14,\"low\":185.83,\"close\":188.63,\"adjusted_close\":187.85,\"volume\":78005800},{\"date\":\"2024-01-19\",\"open\":189.33,\"high\":191.95,\"low\":188.82,\"close\":191.56,\"adjusted_close\":190.77,\"volume\":68741000}]",
      option: "--ticker"),
    Download(
      source: "Polygon", file: "response.json",
      text:
        "{\"ticker\":\"AAPL\",\"queryCount\":2,\"resultsCount\":2,\"adjusted\":true,\"results\":[{\"v\":78005800,\"vw\":187.9,\"o\":186.09,\"c\":188.63,\"h\":189.14,\"l\":185.83,\"t\":1705554000000,\"n\":685000},{\"v\":68741000,\"vw\":190.5,\"o\":189.33,\"c\":191.56,\"h\":191.95,\"l\":188.82,\"t\":1705640400000,\"n\":720000}],\"status\":\"OK\"}"
    ),
  ]

  fileprivate static let others: [Download] = [
    Download(
      source: "Kaggle, S&P 500", file: "all_stocks_5yr.csv",
      text: "date,open,high,low,close,volume,Name\n"
        + "2024-01-18,186.09,189.14,185.83,188.63,78005800,AAPL\n"
        + "2024-01-19,189.33,191.95,188.82,191.56,68741000,AAPL\n"),
    Download(
      source: "Kaggle, huge stock market", file: "aapl.us.txt",
      text: "Date,Open,High,Low,Close,Volume,OpenInt\n"
        + "2024-01-18,186.09,189.14,185.83,188.63,78005800,0\n"
        + "2024-01-19,189.33,191.95,188.82,191.56,68741000,0\n"),
    Download(
      source: "Kibot", file: "AAPL.txt",
      text: "01/18/2024,186.09,189.14,185.83,188.63,78005800\n"
        + "01/19/2024,189.33,191.95,188.82,191.56,68741000\n"),
    Download(
      source: "FirstRateData", file: "AAPL_full_1day_adjsplitdiv.txt",
      text: "2024-01-18,186.09,189.14,185.83,188.63,78005800\n"
        + "2024-01-19,189.33,191.95,188.82,191.56,68741000\n"),
    Download(
      source: "Bloomberg", file: "bloomberg.csv",
      text: "Security,AAPL US Equity\n"
        + "Start Date,01/18/2024\n"
        + "\n"
        + "Date,PX_OPEN,PX_HIGH,PX_LOW,PX_LAST,PX_VOLUME\n"
        + "1/18/2024,186.09,189.14,185.83,188.63,78005800\n"
        + "1/19/2024,189.33,191.95,188.82,191.56,68741000\n",
      option: "--ticker"),
    Download(
      source: "Refinitiv", file: "refinitiv.csv",
      text: "Instrument,Date,Price Open,Price High,Price Low,Price Close,Volume\n"
        + "AAPL.O,2024-01-18T00:00:00Z,186.09,189.14,185.83,188.63,78005800\n"
        + "AAPL.O,2024-01-19T00:00:00Z,189.33,191.95,188.82,191.56,68741000\n",
      option: "--ticker"),
    Download(
      source: "82 MetaTrader 5", file: "AAPL_Daily.csv",
      text: "<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n"
        + "2024.01.18\t186.09\t189.14\t185.83\t188.63\t78005800\t0\t2\n"
        + "2024.01.19\t189.33\t191.95\t188.82\t191.56\t68741000\t0\t2\n"),
    Download(
      source: "83 MetaStock", file: "metastock.txt",
      text: "<TICKER>,<PER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n"
        + "AAPL,D,20240118,000000,186.09,189.14,185.83,188.63,78005800,0\n"
        + "AAPL,D,20240119,000000,189.33,191.95,188.82,191.56,68741000,0\n"),
    Download(
      source: "AmiBroker", file: "amibroker.txt",
      text: "Ticker,Date/Time,Open,High,Low,Close,Volume\n"
        + "AAPL,1/18/2024,186.09,189.14,185.83,188.63,78005800\n"
        + "AAPL,1/19/2024,189.33,191.95,188.82,191.56,68741000\n",
      option: "--map"),
    Download(
      source: "WRDS, CRSP", file: "crsp.csv",
      text: "PERMNO,date,TICKER,BIDLO,ASKHI,PRC,VOL,RET,OPENPRC,CFACPR,CFACSHR\n"
        + "14593,2024-01-18,AAPL,185.83,189.14,188.63,78005800,0.03257,186.09,1,1\n"
        + "14593,2024-01-19,AAPL,188.82,191.95,191.56,68741000,0.01553,189.33,1,1\n",
      option: "--map"),
    Download(
      source: "Google Finance", file: "AAPL.csv",
      text: "\u{FEFF}Date,Open,High,Low,Close,Volume\n"
        + "19-Jan-24,189.33,191.95,188.82,191.56,68741000\n"
        + "18-Jan-24,186.09,189.14,185.83,188.63,78005800\n"),
    Download(
      source: "Google Sheets", file: "GOOGLEFINANCE.csv",
      text: "Date,Open,High,Low,Close,Volume\n"
        + "1/18/2024 16:00:00,186.09,189.14,185.83,188.63,78005800\n"
        + "1/19/2024 16:00:00,189.33,191.95,188.82,191.56,68741000\n",
      option: "--ticker"),
    Download(
      source: "Binance", file: "BTCUSDT-1d-2024-01.csv",
      text:
        "1705536000000,42742.31,42930.00,40683.28,41327.50,43527.92,1705622399999,1820567894.1,1520361,21187.45,886164373.2,0\n"
        + "1705622400000,41327.51,42196.86,40280.00,41659.03,48342.74,1705708799999,1992912546.6,1700000,23871.35,984200000.1,0\n",
      rows: [
        "BTCUSDT,2024-01-18,42742.31,42930.0,40683.28,41327.5,43527.92",
        "BTCUSDT,2024-01-19,41327.51,42196.86,40280.0,41659.03,48342.74",
      ]),
    Download(
      source: "CryptoDataDownload", file: "Binance_BTCUSDT_d.csv",
      text: "https://www.CryptoDataDownload.com\n"
        + "Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount\n"
        + "1705622400000,2024-01-19,BTCUSDT,41327.51,42196.86,40280.00,41659.03,48342.74,1992912546.6,1700000\n"
        + "1705536000000,2024-01-18,BTCUSDT,42742.31,42930.00,40683.28,41327.50,43527.92,1820567894.1,1520361\n",
      rows: [
        "BTCUSDT,2024-01-18,42742.31,42930.0,40683.28,41327.5,43527.92",
        "BTCUSDT,2024-01-19,41327.51,42196.86,40280.0,41659.03,48342.74",
      ]),
    Download(
      source: "MetaTrader 4", file: "EURUSD1440.csv",
      text: "2024.01.18,00:00,1.08820,1.09060,1.08470,1.08750,52310\n"
        + "2024.01.19,00:00,1.08750,1.08980,1.08660,1.08970,48120\n",
      rows: [
        "EURUSD,2024-01-18,1.0882,1.0906,1.0847,1.0875,52310",
        "EURUSD,2024-01-19,1.0875,1.0898,1.0866,1.0897,48120",
      ]),
    Download(
      source: "NSE India", file: "Quote-Equity-TCS-EQ-18-01-2024-to-19-01-2024.csv",
      text:
        "\u{FEFF}\"Date \",\"series \",\"OPEN \",\"HIGH \",\"LOW \",\"PREV. CLOSE \",\"ltp \",\"close \",\"vwap \",\"52W H\",\"52W L \",\"VOLUME \",\"VALUE \",\"No of trades \"\n"
        + "\"19-Jan-2024\",\"EQ\",\"3,930.00\",\"3,945.60\",\"3,855.00\",\"3,901.05\",\"3,861.00\",\"3,862.20\",\"3,888.11\",\"3,965.00\",\"3,070.25\",\"21,58,436\",\"8,39,22,31,442.10\",\"1,22,811\"\n"
        + "\"18-Jan-2024\",\"EQ\",\"3,880.00\",\"3,910.00\",\"3,861.10\",\"3,894.70\",\"3,903.00\",\"3,901.05\",\"3,888.62\",\"3,965.00\",\"3,070.25\",\"18,02,312\",\"7,00,84,97,012.35\",\"1,08,411\"\n",
      rows: [
        "TCS,2024-01-18,3880.0,3910.0,3861.1,3901.05,1802312",
        "TCS,2024-01-19,3930.0,3945.6,3855.0,3862.2,2158436",
      ]),
  ]
}
