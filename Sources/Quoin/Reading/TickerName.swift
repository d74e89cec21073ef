extension TickerSymbol {
  /// The ticker in a file's name: AAPL for `WIKI-AAPL.csv`, `aapl.us.txt`, `daily_AAPL.csv`, `AAPL_2020-01-01_2020-12-31.csv` and
  /// `AAPL_nasdaq_eod (2).csv`, BRK.A for `brk.a.json.gz`, 7203.JP for `7203_jp_d.csv`.
  ///
  /// - Throws: `ImportError.badTicker` if the name is no symbol, `noTicker` for standard input and for names such as `data.csv`,
  ///   `HistoricalData_1700000000000.csv` and `my-stock-table-of-prices.csv`, which say what a file holds and not whose quotes.
  init(fileName path: String) throws(ImportError) {
    guard path != "-" else { throw .noTicker(file: "standard input") }
    guard let name = FileNameWords.ticker(inPath: path) else { throw .noTicker(file: ShownText.path(path)) }
    do throws(TickerSymbolError) { try self.init(name) } catch { throw .badTicker(file: ShownText.path(path), error) }
  }

  /// The name of a file for this ticker's quotes, by which an import knows the ticker: `FDX.json`.
  ///
  /// An import takes `WIKI-` off a name once, and then nothing else. So a ticker of whose name it would take something gets
  /// it before its name.
  package func fileName(_ fileExtension: String) -> String {
    let name = "\(self).\(fileExtension)"
    return FileNameWords.ticker(inPath: name) == description ? name : "\(FileNameWords.prefixes[0])\(name)"
  }
}

/// What is a ticker in a file's name, and what only says where the file is from and what it holds.
enum FileNameWords {
  /// What stands before nothing but a ticker.
  static let prefixes = ["WIKI-", "WIKI_", "EOD-"]

  /// The part of a path's file name that is a ticker; nil if there is none.
  static func ticker(inPath path: String) -> String? {
    let name = FileNamePattern.unpackedName(of: path)
    let bare = FileNamePattern.withoutExtension(name)
    if let prefix = prefixes.first(where: { bare.uppercased().hasPrefix($0) }) {
      return String(bare.dropFirst(prefix.count))
    }
    if let ticker = ofStooq(bare, isText: name.lowercased().hasSuffix(".txt")) ?? ofMetaTrader(bare) { return ticker }
    let words = words(of: withoutDays(bare), "_ ()")
    let own = words.indices.filter { !isAside(words[$0], isFirst: $0 == 0) }.map { words[$0] }
    guard own.count < words.count else { return words.count <= 2 ? ticker(inWord: bare, isWhole: true) : nil }
    switch own.count {
    case 0: return words.count == 1 && isTickerInCapitals(words[0]) ? words[0] : nil
    case 1: return ticker(inWord: own[0], isWhole: false)
    // An exchange and a ticker, or a ticker and a class, if they are short.
    case 2 where own.contains { $0.count <= 4 }: return own.joined(separator: "_")
    default: return nil
    }
  }

  /// Words in which hyphens are parts of a ticker, unless a part is a word for something else: `BRK-B`, `WSJ-AAPL`.
  private static func ticker(inWord word: String, isWhole: Bool) -> String? {
    let parts = words(of: withoutDays(word), "-")
    let own = parts.indices.filter { !isAside(parts[$0], isFirst: $0 == 0) }.map { parts[$0] }
    if own.count == parts.count { return own.count < 3 || word == word.uppercased() ? withoutDays(word) : nil }
    if own.isEmpty { return parts.count == 1 && isTickerInCapitals(parts[0]) ? word : nil }
    return own.count < 3 ? own.joined(separator: "-") : nil
  }

  private static func words(of name: String, _ signs: String) -> [String] {
    name.split { signs.contains($0) }.map(String.init)
  }

  /// Whether a word isn't the ticker's: a known word, or a number behind others.
  private static func isAside(_ word: String, isFirst: Bool) -> Bool {
    let letters = word.lowercased().filter(\.isLetter)
    if word.allSatisfy(\.isNumber) { return !isFirst && (word.count != 4 || "12".contains(word.prefix(1))) }
    let parts = Self.words(of: word, "-")
    if parts.count > 1 { return parts.allSatisfy { isAside($0, isFirst: false) } }
    if word.allSatisfy({ $0.isLetter || $0.isNumber }), asides.contains(word.lowercased()) { return true }
    // HistoricalData1700000000000, but not A1.
    return letters.count > 3 && asides.contains(letters) && word.contains(where: \.isNumber)
  }

  /// Whether a word for something else is meant as a ticker: a short one in capitals.
  private static func isTickerInCapitals(_ word: String) -> Bool { word == word.uppercased() && word.count <= 5 }

  /// Stooq's names: `aapl.us.txt` and `aapl_us_d.csv` are AAPL, `7203.jp.txt` and `7203_jp_d.csv` are 7203.JP, `cdr_d.csv` is CDR.
  private static func ofStooq(_ bare: String, isText: Bool) -> String? {
    if isText, bare.hasSuffix(".us"), bare.count > 3 { return String(bare.dropLast(3)) }
    guard ["_d", "_w", "_m"].contains(where: bare.hasSuffix), bare.count > 2 else { return nil }
    let name = bare.dropLast(2)
    guard let sign = name.lastIndex(of: "_"), case let country = name[name.index(after: sign)...], country.count == 2,
      country.allSatisfy({ $0.isASCII && $0.isLowercase }), sign > name.startIndex
    else { return name.contains("_") || name.contains("-") ? nil : String(name) }
    return country == "us" ? String(name[..<sign]) : "\(name[..<sign]).\(country)"
  }

  /// MetaTrader 4's names have the minutes of a day behind the ticker: `EURUSD1440.csv`.
  private static func ofMetaTrader(_ bare: String) -> String? {
    let name = bare.dropLast(4)
    return bare.hasSuffix("1440") && name.count > 1 && name.allSatisfy { $0.isASCII && $0.isUppercase }
      ? String(name) : nil
  }

  /// A name without the days behind it: `AAPL_2020-01-01_2020-12-31`, `AAPL-20200101`.
  private static func withoutDays(_ name: String) -> String {
    var rest = name[...]
    while let start = dayStart(in: rest) { rest = rest[..<start] }
    return rest.isEmpty ? name : String(rest)
  }

  /// Where a day or a month begins at the end of a name, with the sign before it.
  private static func dayStart(in name: Substring) -> Substring.Index? {
    for form in ["0000-00-00", "00000000", "0000_00_00", "00-00-0000", "0000-00"] where name.count > form.count + 1 {
      let day = name.suffix(form.count)
      let isDay = zip(day, form).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
      let isYear = form.hasPrefix("00-") || ["1", "2"].contains(day.first)
      let sign = name.index(name.endIndex, offsetBy: -form.count - 1)
      if isDay, isYear, "_-. ".contains(name[sign]) { return sign }
    }
    return nil
  }

  /// Words that say what a file holds, and where it is from.
  private static let asides: Set<String> = [
    // What it holds.
    "data", "price", "prices", "quote", "quotes", "historical", "historicaldata", "historicalprices",
    "historicalquotes", "historic", "history", "hist", "table", "stock", "stocks", "stockdata", "stockprices", "equity",
    "equities", "eq", "ohlc", "ohlcv", "eod", "daily", "day", "1d", "d1", "1day", "weekly", "monthly", "bars",
    "candles",
    "klines", "market", "marketdata", "series", "time", "timeseries", "full", "adj", "adjusted", "unadjusted", "raw",
    "split", "splits", "adjsplit", "adjsplitdiv", "dividends", "close", "closes", "max", "index", "etf", "from", "to",
    // What files are called.
    "download", "downloads", "export", "output", "input", "import", "file", "untitled", "document", "book", "sheet",
    "report", "results", "result", "chart", "values", "csv", "json", "temp", "tmp", "sample", "example", "dataset",
    "datasets", "query", "list", "shares", "response", "new", "old", "copy", "of", "final", "all", "the", "my", "test",
    "ascii", "dat",
    // Where it is from.
    "us", "yahoo", "yfinance", "stooq", "kibot", "investing", "google", "googlefinance", "finance", "alphavantage",
    "tiingo", "polygon", "eodhd", "twelve", "twelvedata", "bloomberg", "wsj", "marketwatch", "barchart", "binance",
    "kraken", "coinbase", "gemini", "bitstamp", "bitfinex", "bybit", "cryptodatadownload", "coinmarketcap", "coingecko",
    "euronext", "xetra", "bse", "nse", "nyse", "nasdaq", "amex", "xnas", "xnys", "lse", "asx", "hkex", "zerodha",
    "upstox", "moex", "finam", "ariva", "onvista", "tsetmc", "alpaca", "ibkr", "tradingview", "metatrader", "mt4",
    "mt5", "refinitiv", "factset", "databento", "simfin", "intrinio", "finnhub", "fmp", "marketstack", "sharadar",
    "crsp", "compustat", "wrds", "quantmod", "tushare", "akshare", "baostock", "krx", "twse", "cboe", "thinkorswim",
    "quandl", "schwab", "portfolio", "performance", "lean", "sierra", "amibroker", "pandas",
  ]
}
