import Quoin

/// A vendor of daily quotes: where it answers, how it spells tickers and days, and how it knows its users.
///
///     let other = VendorService(
///       name: "other", title: "Other", address: "https://quotes.example/{ticker}.csv?from={from}&to={to}",
///       key: .parameter("token"), keyVariable: "OTHER_API_KEY")
public struct VendorService: Hashable, Sendable {
  /// Where a request has the key.
  public enum KeyPlace: Hashable, Sendable {
    /// In a header of this name, after these words: `Authorization: Token KEY`.
    case header(String, prefix: String = "")
    /// In a parameter of the address, which is never shown with it.
    case parameter(String)

    static let quandl = KeyPlace.header("x-api-token")
  }

  /// The form of an answer.
  public enum Form: Hashable, Sendable {
    /// Lines of cells under a header, the quotes of one ticker.
    case csv
    /// Quandl's API: a document for a dataset, and tables page by page.
    case quandl
  }

  /// How a vendor writes tickers.
  public struct Spelling: Hashable, Sendable {
    /// The market that follows a ticker which names none: `.US`. A ticker with a point names one, and so does one that begins with `^`.
    public var market = ""
    /// Whether the letters are small.
    public var isLowercase = false

    /// As it is.
    public init(market: String = "", isLowercase: Bool = false) {
      (self.market, self.isLowercase) = (market, isLowercase)
    }
  }

  /// A word for it: `tiingo`.
  public let name: String
  /// Its name: `Tiingo`.
  public let title: String
  /// Its address, with `{ticker}`, `{from}`, `{to}` and `{size}` where these go. A parameter of the query whose value isn't known
  /// is left out. Of a service of the form `quandl` it is the base.
  public let address: String
  /// Where the key goes; nil if there are no keys.
  public var key: KeyPlace?
  /// The variable of the environment that has the key.
  public var keyVariable: String?
  /// The form of its answers.
  public var form: Form
  /// How it writes tickers.
  public var spelling = Spelling()
  /// Whether days are written `20240102`, not `2024-01-02`.
  public var writesDaysWithoutDashes = false
  /// The day that stands for the beginning, if the vendor wants one; without it, some give the last row alone.
  public var firstDay: TradingDay?
  /// Whether a first day wants a last one.
  public var wantsLastDay = false
  /// The rows of the answer if `{size}` is `compact`, the newest ones; it is `full` for all rows.
  public var compactRowCount: Int?
  /// The answer's text if there are no rows, beside an empty one.
  public var emptyAnswer: String?
  /// Tickers as the vendor writes them, for people: `AAPL, BRK-B`.
  public var examples = ""
  /// What the vendor gives to whom, in a few words.
  public var limits = ""

  /// A vendor that writes tickers and days as Quoin does; its other properties can be set.
  public init(
    name: String, title: String, address: String, key: KeyPlace? = nil, keyVariable: String? = nil, form: Form = .csv
  ) {
    (self.name, self.title, self.address) = (name, title, address)
    (self.key, self.keyVariable, self.form) = (key, keyVariable, form)
  }
}

extension VendorService {
  /// The key in the environment; nil if there is none.
  public var environmentKey: String? {
    self == .nasdaqDataLink ? QuandlClient.environmentKey : keyVariable.flatMap { ProcessEnvironment[$0] }
  }

  /// What the vendor calls a ticker.
  func symbol(_ ticker: TickerSymbol) -> String {
    let text = "\(ticker)"
    let whole = text.contains(".") || text.hasPrefix("^") ? text : text + spelling.market
    return spelling.isLowercase ? whole.lowercased() : whole
  }

  func text(of day: TradingDay) -> String { writesDaysWithoutDashes ? "\(day)".filter { $0 != "-" } : "\(day)" }

  /// Scheme and host: `https://api.tiingo.com`.
  var origin: String {
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    return String(address[..<(address[start...].firstIndex(of: "/") ?? address.endIndex)])
  }

  /// The path after the host, and the query's items, in which these values stand for their names in braces.
  func route(_ values: [String: String]) -> (path: String, query: [(name: String, value: String?)]) {
    let parts = address.dropFirst(origin.count).split(separator: "?", maxSplits: 1)
    let path = Self.filled(String(parts.first?.drop { $0 == "/" } ?? ""), values.mapValues(ServiceBase.encoded)) ?? ""
    let items = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(sides[0]), value: sides.count > 1 ? Self.filled(String(sides[1]), values) : "")
    }
    return (path, items)
  }

  /// The text with values in place of their names; nil if one isn't known.
  private static func filled(_ text: String, _ values: [String: String]) -> String? {
    var (result, rest) = ("", text[...])
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      guard let value = values[String(rest[rest.index(after: start)..<end])] else { return nil }
      result += rest[..<start] + value
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
