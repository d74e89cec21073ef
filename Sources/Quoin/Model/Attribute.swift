/// A value that a column can hold: float64 or int64, with one value of each set aside to say that a cell is missing.
public protocol AttributeValue: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// What a column holds where the cell is missing: NaN for float64, `Int64.min` for int64.
  static var missing: Self { get }

  /// Whether this is a missing cell. Every NaN is.
  var isMissing: Bool { get }
}

extension Double: AttributeValue {
  /// NaN.
  public static var missing: Double { .nan }
  /// Whether the value is a NaN, whatever its bits.
  public var isMissing: Bool { isNaN }
}

extension Int64: AttributeValue {
  /// `Int64.min`.
  public static var missing: Int64 { .min }
  /// Whether the value is `Int64.min`.
  public var isMissing: Bool { self == .min }
}

/// The twelve values of a daily quote, in the order of Quandl's WIKI files. `AttributeLayout` has a row for each.
///
/// The raw value is part of the file format.
public enum Attribute: UInt8, CaseIterable, Hashable, Sendable {
  /// The price of the day's first trade, in dollars a share.
  case open
  /// The day's highest price, in dollars a share.
  case high
  /// The day's lowest price, in dollars a share.
  case low
  /// The price of the day's last trade, in dollars a share.
  case close
  /// Shares traded.
  case volume
  /// Dividend in dollars a share, on the day the share first trades without it; 0 on other days.
  case exDividend
  /// New shares for one old share, on the day of the split; 1 on other days.
  case splitRatio
  /// `open` in terms of today's shares: later splits and dividends are taken out.
  case adjustedOpen
  /// `high` in terms of today's shares.
  case adjustedHigh
  /// `low` in terms of today's shares.
  case adjustedLow
  /// `close` in terms of today's shares.
  case adjustedClose
  /// `volume` in terms of today's shares: later splits are taken out.
  case adjustedVolume

  /// The attribute with this name in a WIKI header, a dataset header or the Swift API, whatever its case, hyphens,
  /// underscores, dots and spaces; nil if there is none. A hyphen at the beginning is a minus sign, and no part of a name.
  public init?(named name: some StringProtocol) {
    // No name is that long, and comparing ten megabytes takes seconds.
    guard name.utf8.count <= 64, name.utf8.first != UInt8(ascii: "-"),
      let attribute = Self.bySimplifiedName[Self.simplified(name)]
    else { return nil }
    self = attribute
  }

  private static let bySimplifiedName: [String: Attribute] = {
    var names: [String: Attribute] = [:]
    for attribute in allCases {
      for name in [attribute.wikiName, attribute.datasetName, "\(attribute)"] { names[simplified(name)] = attribute }
    }
    return names
  }()

  private static func simplified(_ name: some StringProtocol) -> String {
    name.lowercased().filter { !"-_. ".contains($0) }
  }
}
