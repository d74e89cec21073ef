/// What one stock did on one trading day: Quandl WIKI's twelve values, each of which may be missing.
///
/// The volume is int64 and all other values are float64, exactly as they were given. A volume with a fraction is a float64 too:
/// `exactVolume`, and `volume` is that in whole shares. A missing cell reads as nil (and so does a NaN or an `Int64.min` that was
/// put in).
public struct DailyQuoteSummary: Hashable, Sendable {
  /// The stock.
  public let ticker: TickerSymbol
  /// The trading day.
  public let date: TradingDay

  /// The price of the day's first trade, in dollars a share.
  @Cell public var open: Double?
  /// The day's highest price, in dollars a share.
  @Cell public var high: Double?
  /// The day's lowest price, in dollars a share.
  @Cell public var low: Double?
  /// The price of the day's last trade, in dollars a share.
  @Cell public var close: Double?
  /// Shares traded. Of a volume with a fraction, the nearest whole number; nil if no int64 is near, as for 1e30.
  @Cell public var volume: Int64? { didSet { fractionalVolume = nil } }
  /// Dividend in dollars a share, on the day the share first trades without it; 0 on other days.
  @Cell public var exDividend: Double?
  /// New shares for one old share, on the day of the split; 1 on other days.
  @Cell public var splitRatio: Double?
  /// `open` in terms of today's shares: later splits and dividends are taken out.
  @Cell public var adjustedOpen: Double?
  /// `high` in terms of today's shares.
  @Cell public var adjustedHigh: Double?
  /// `low` in terms of today's shares.
  @Cell public var adjustedLow: Double?
  /// `close` in terms of today's shares.
  @Cell public var adjustedClose: Double?
  /// `volume` in terms of today's shares: later splits are taken out. It has fractions after odd ones, such as 3 for 2.
  @Cell public var adjustedVolume: Double?
  /// The volume, where no int64 is.
  @Cell private var fractionalVolume: Double?

  /// A quote of these values; those left out are missing.
  public init(
    ticker: TickerSymbol, date: TradingDay,
    open: Double? = nil, high: Double? = nil, low: Double? = nil, close: Double? = nil, volume: Int64? = nil,
    exDividend: Double? = nil, splitRatio: Double? = nil,
    adjustedOpen: Double? = nil, adjustedHigh: Double? = nil, adjustedLow: Double? = nil,
    adjustedClose: Double? = nil, adjustedVolume: Double? = nil
  ) {
    self.ticker = ticker
    self.date = date
    self.open = open
    self.high = high
    self.low = low
    self.close = close
    self.volume = volume
    self.exDividend = exDividend
    self.splitRatio = splitRatio
    self.adjustedOpen = adjustedOpen
    self.adjustedHigh = adjustedHigh
    self.adjustedLow = adjustedLow
    self.adjustedClose = adjustedClose
    self.adjustedVolume = adjustedVolume
  }

  /// The quote whose cells two functions give.
  @inline(__always)
  init(
    ticker: TickerSymbol, date: TradingDay,
    double: (TypedAttribute<Double>) -> Double?, volume: VolumeCell
  ) {
    self.init(
      ticker: ticker, date: date,
      open: double(.open), high: double(.high), low: double(.low), close: double(.close),
      volume: volume.whole,
      exDividend: double(.exDividend), splitRatio: double(.splitRatio),
      adjustedOpen: double(.adjustedOpen), adjustedHigh: double(.adjustedHigh), adjustedLow: double(.adjustedLow),
      adjustedClose: double(.adjustedClose), adjustedVolume: double(.adjustedVolume))
    if case .exact(let exact) = volume { exactVolume = exact }
  }
}

/// A volume in the type that its column has.
enum VolumeCell {
  case absent
  case whole(Int64)
  case exact(Double)

  fileprivate var whole: Int64? { if case .whole(let number) = self { number } else { nil } }
}

extension DailyQuoteSummary {
  /// Shares traded, with their fraction where there is one. A whole number is given as the nearest float64, which is the number
  /// itself up to 2^53; `volume` is exact beyond. To set it sets `volume` too.
  public var exactVolume: Double? {
    get { fractionalVolume ?? volume.map { Double($0) } }
    set {
      let value = newValue ?? .missing
      volume = Int64.nearest(to: value)
      if Int64(exactly: value) == nil { fractionalVolume = value }
    }
  }

  /// Whether no int64 is the volume.
  var hasFraction: Bool { fractionalVolume != nil }
}

extension Int64 {
  /// The nearest whole number, the larger one of two; missing if no int64 is near.
  static func nearest(to value: Double) -> Int64 { Int64(exactly: value.rounded()) ?? .missing }
}

extension DailyQuoteSummary {
  /// The value of an attribute; nil when it is missing.
  ///
  /// A volume is `exactVolume`. A NaN that is set is missing.
  public subscript(attribute: Attribute) -> Double? {
    get {
      switch attribute {
      case .open: open
      case .high: high
      case .low: low
      case .close: close
      case .volume: exactVolume
      case .exDividend: exDividend
      case .splitRatio: splitRatio
      case .adjustedOpen: adjustedOpen
      case .adjustedHigh: adjustedHigh
      case .adjustedLow: adjustedLow
      case .adjustedClose: adjustedClose
      case .adjustedVolume: adjustedVolume
      }
    }
    set {
      switch attribute {
      case .open: open = newValue
      case .high: high = newValue
      case .low: low = newValue
      case .close: close = newValue
      case .volume: exactVolume = newValue
      case .exDividend: exDividend = newValue
      case .splitRatio: splitRatio = newValue
      case .adjustedOpen: adjustedOpen = newValue
      case .adjustedHigh: adjustedHigh = newValue
      case .adjustedLow: adjustedLow = newValue
      case .adjustedClose: adjustedClose = newValue
      case .adjustedVolume: adjustedVolume = newValue
      }
    }
  }

  /// The exact value of an int64 attribute; nil when it is missing or has a fraction, and for a float64 attribute.
  package func integer(_ attribute: Attribute) -> Int64? {
    switch attribute {
    case .volume: hasFraction ? nil : volume
    default: nil
    }
  }
}

extension DailyQuoteSummary {
  /// An optional value in the space of the value alone: the missing marker stands for nil.
  ///
  /// A `DailyQuoteSummary` is 144 bytes with it, 248 without.
  @propertyWrapper
  public struct Cell<Value: AttributeValue>: Hashable, Sendable, BitwiseCopyable {
    var stored: Value = .missing

    /// A missing cell.
    public init() {}

    /// The value; nil when the cell is missing. Setting the missing marker itself makes the cell missing.
    public var wrappedValue: Value? {
      get { stored.isMissing ? nil : stored }
      set { stored = newValue ?? .missing }
    }

    /// Whether both values are equal, or both cells are missing.
    public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
    /// Hashes the value, or that it is missing.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
  }
}
