extension TickerSymbol {
  /// The ticker in a file's name: AAPL for `WIKI-AAPL.csv`, `aapl.us.txt`, `daily_AAPL.csv` and `AAPL_2020-01-01_2020-12-31.csv`, BRK.A for
  /// `brk.a.json.gz`.
  ///
  /// - Throws: `ImportError.badTicker` if the name is no symbol, `noTicker` for standard input and for names such as `data.csv` and
  ///   `HistoricalData_1700000000000.csv`, which say what a file holds and not whose quotes.
  init(fileName path: String) throws(ImportError) {
    guard path != "-" else { throw .noTicker(file: "standard input") }
    let name = Self.bareName(of: path)
    if Self.isCommon(name) { throw .noTicker(file: ShownText.path(path)) }
    do throws(TickerSymbolError) { try self.init(name) } catch { throw .badTicker(file: ShownText.path(path), error) }
  }

  /// The name of a file for this ticker's quotes, by which an import knows the ticker: `FDX.json`.
  ///
  /// An import takes `WIKI-` off a name once, and then nothing else. So a ticker of whose name it would take something gets
  /// it before its name.
  package func fileName(_ fileExtension: String) -> String {
    let name = "\(self).\(fileExtension)"
    let isKnown = Self.bareName(of: name) == description && !Self.isCommon(description)
    return isKnown ? name : "\(Self.vendorPrefixes[0])\(name)"
  }

  private static let vendorPrefixes = ["WIKI-", "WIKI_", "EOD-"]
  /// What vendors and archives of quotes put after the ticker.
  private static let vendorSuffixes = [".us.txt", "_us_d.csv", "_data.csv", "_d.csv", "_us_w.csv", "_w.csv", "_m.csv"]
  /// What vendors and programs put before it.
  private static let wordsBefore = ["daily_", "daily_adjusted_", "time_series_daily_", "eod_", "ohlcv_", "quotes_"]

  /// A path's file name without what isn't the ticker's.
  private static func bareName(of path: String) -> String {
    let name = FileNamePattern.unpackedName(of: path)
    let bare = FileNamePattern.withoutExtension(name)
    if let prefix = vendorPrefixes.first(where: { bare.uppercased().hasPrefix($0) }) {
      return String(bare.dropFirst(prefix.count))
    }
    if let suffix = vendorSuffixes.first(where: { name.lowercased().hasSuffix($0) && name.count > $0.count }) {
      return String(name.dropLast(suffix.count))
    }
    if let word = wordsBefore.last(where: { bare.lowercased().hasPrefix($0) && bare.count > $0.count }) {
      return withoutDays(String(bare.dropFirst(word.count)))
    }
    return withoutDays(bare)
  }

  /// A name without the days behind it: `AAPL_2020-01-01_2020-12-31`, `AAPL-20200101`.
  private static func withoutDays(_ name: String) -> String {
    var rest = name[...]
    while let start = dayStart(in: rest) { rest = rest[..<start] }
    return rest.isEmpty ? name : String(rest)
  }

  /// Where a day begins at the end of a name, with the sign before it.
  private static func dayStart(in name: Substring) -> Substring.Index? {
    for form in ["0000-00-00", "00000000", "0000_00_00"] where name.count > form.count + 1 {
      let day = name.suffix(form.count)
      let isDay =
        zip(day, form).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
        && ["1", "2"].contains(day.first)
      let sign = name.index(name.endIndex, offsetBy: -form.count - 1)
      if isDay, "_-. ".contains(name[sign]) { return sign }
    }
    return nil
  }

  /// Words that say what a file holds.
  private static let commonWords: Set<String> = [
    "data", "price", "prices", "quote", "quotes", "download", "downloads", "historical", "historicaldata",
    "historicalprices", "historicalquotes",
    "history", "table", "export", "output", "input", "import", "stock", "stocks", "stockdata", "stockprices", "ohlc",
    "ohlcv", "eod", "daily", "file", "untitled", "document",
    "book", "sheet", "report", "results", "result", "chart", "values", "csv", "json", "temp", "tmp", "sample",
    "example", "bars", "candles", "klines", "market", "marketdata", "dataset",
    "datasets", "timeseries", "query", "response", "new", "copy", "of", "us", "hist", "raw", "final", "adjusted", "all",
    "the",
  ]

  /// Whether a name consists of such words and numbers, such as `stock_prices (2)`. A word that is a ticker too counts alone only in lower case.
  private static func isCommon(_ name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter }.map(String.init)
    let tickers: Set = ["all", "new", "of", "us", "the", "eod", "copy", "raw"]
    guard let first = words.first, words.allSatisfy({ commonWords.contains($0) }) else { return false }
    return words.count > 1 || !tickers.contains(first)
  }
}

/// The form of the names of files that says where the ticker is: `{ticker}-{year}`.
public struct FileNamePattern: Hashable, Sendable, CustomStringConvertible {
  private enum Part: Hashable, Sendable {
    case ticker
    case text(String)
    /// Any characters, or as many digits.
    case other(digits: Int?)
  }

  private let parts: [Part]
  /// The pattern as it was written.
  public let description: String

  /// A pattern with `{ticker}` once. `{year}` stands for four digits, `{date}` for eight, and any other word in braces, as well as
  /// `*`, for any characters. Nil if it isn't one.
  public init?(_ pattern: String) {
    var parts: [Part] = []
    var rest = pattern[...]
    while let first = rest.popFirst() {
      switch first {
      case "*": parts.append(.other(digits: nil))
      case "{":
        guard let end = rest.firstIndex(of: "}") else { return nil }
        switch rest[..<end] {
        case "ticker": parts.append(.ticker)
        case "year": parts.append(.other(digits: 4))
        case "date": parts.append(.other(digits: 8))
        default: parts.append(.other(digits: nil))
        }
        rest = rest[rest.index(after: end)...]
      default: parts.append(.text(String(first)))
      }
    }
    guard parts.count(where: { $0 == .ticker }) == 1 else { return nil }
    (self.parts, description) = (parts, pattern)
  }

  /// The ticker's part of a path's file name, without its extensions; nil if it has another form.
  func ticker(in path: String) -> String? {
    Self.match(parts[...], Self.withoutExtension(Self.unpackedName(of: path))[...])
  }

  /// The ticker of the shortest match; empty if the parts have none.
  private static func match(_ parts: ArraySlice<Part>, _ text: Substring) -> String? {
    guard let part = parts.first else { return text.isEmpty ? "" : nil }
    let rest = parts.dropFirst()
    switch part {
    case .text(let word):
      return text.lowercased().hasPrefix(word.lowercased()) ? match(rest, text.dropFirst(word.count)) : nil
    case .other(let digits?):
      let number = text.prefix(digits)
      guard number.count == digits, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      return match(rest, text.dropFirst(digits))
    case .ticker, .other(nil):
      for count in 1...max(1, text.count) where count <= text.count {
        if let found = match(rest, text.dropFirst(count)) {
          return part == .ticker ? String(text.prefix(count)) : found
        }
      }
      return nil
    }
  }

  /// A path's last name, without the extension of an archive.
  static func unpackedName(of path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for suffix in [".gz", ".zip"] where name.lowercased().hasSuffix(suffix) { name.removeLast(suffix.count) }
    return name
  }

  static let extensions = [".csv", ".tsv", ".txt", ".json", ".ndjson", ".jsonl"]

  /// Whether a file is called like a text of quotes, or an archive of one.
  static func hasExtension(_ name: String) -> Bool {
    let unpacked = unpackedName(of: name)
    return withoutExtension(unpacked) != unpacked || unpacked != name
  }

  static func withoutExtension(_ name: String) -> String {
    extensions.first { name.lowercased().hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
  }
}
