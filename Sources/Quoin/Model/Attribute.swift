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
  /// A value as it was traded or paid: prices and dividends in dollars a share, volumes in shares.
  case open, high, low, close, volume, exDividend, splitRatio
  /// A value in terms of today's shares: later splits and dividends are taken out.
  case adjustedOpen, adjustedHigh, adjustedLow, adjustedClose, adjustedVolume

  /// The attribute with this name in a WIKI header, a dataset header or the Swift API, whatever its case, hyphens,
  /// underscores, dots and spaces; nil if there is none.
  public init?(named name: some StringProtocol) {
    // No name is that long, and comparing ten megabytes takes seconds.
    guard name.utf8.count <= 64, let attribute = Self.bySimplifiedName[Self.simplified(name)] else { return nil }
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

/// A typed key for one attribute: `.high` finds Doubles, `.volume` finds Int64s.
public struct TypedAttribute<Value: AttributeValue>: Hashable, Sendable {
  /// The attribute, without the type of its values.
  public let name: Attribute

  fileprivate init(_ name: Attribute) { self.name = name }
}

extension TypedAttribute where Value == Double {
  /// The price of the day's first trade, in dollars a share.
  public static var open: Self { Self(.open) }
  /// The day's highest price, in dollars a share.
  public static var high: Self { Self(.high) }
  /// The day's lowest price, in dollars a share.
  public static var low: Self { Self(.low) }
  /// The price of the day's last trade, in dollars a share.
  public static var close: Self { Self(.close) }
  /// Dividend in dollars a share, on the day the share first trades without it.
  public static var exDividend: Self { Self(.exDividend) }
  /// New shares for one old share, on the day of the split; 1 on other days.
  public static var splitRatio: Self { Self(.splitRatio) }
  /// `open` in terms of today's shares: later splits and dividends are taken out.
  public static var adjustedOpen: Self { Self(.adjustedOpen) }
  /// `high` in terms of today's shares.
  public static var adjustedHigh: Self { Self(.adjustedHigh) }
  /// `low` in terms of today's shares.
  public static var adjustedLow: Self { Self(.adjustedLow) }
  /// `close` in terms of today's shares.
  public static var adjustedClose: Self { Self(.adjustedClose) }
  /// `volume` in terms of today's shares: later splits are taken out. It has fractions after odd ones, such as 3 for 2.
  public static var adjustedVolume: Self { Self(.adjustedVolume) }

  /// The float64 attributes, in file order.
  public static let all: [Self] = Attribute.allCases.filter { !$0.isInteger }.map { Self($0) }

  /// The key of a float64 attribute; nil for the volume.
  public init?(name: Attribute) {
    guard !name.isInteger else { return nil }
    self.init(name)
  }
}

extension TypedAttribute where Value == Int64 {
  /// Shares traded.
  public static var volume: Self { Self(.volume) }

  /// The int64 attributes, in file order.
  public static let all: [Self] = Attribute.allCases.filter { $0.isInteger }.map { Self($0) }

  /// The key of an int64 attribute; nil for the others.
  public init?(name: Attribute) {
    guard name.isInteger else { return nil }
    self.init(name)
  }
}

/// A set of attributes.
public struct AttributeSet: OptionSet, Hashable, Sendable {
  /// Bit `Attribute.rawValue` of each member.
  public let rawValue: UInt16

  /// The set whose members are the bits of `rawValue`; bits without an attribute are kept.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The set of these attributes.
  public init(_ names: some Sequence<Attribute>) {
    rawValue = names.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
  }

  /// All twelve attributes.
  public static let all = AttributeSet(Attribute.allCases)

  /// Whether the set has this attribute.
  public func contains(_ name: Attribute) -> Bool { rawValue & 1 << UInt16(name.rawValue) != 0 }

  /// The members, in file order.
  public var names: [Attribute] { Attribute.allCases.filter(contains) }
}
