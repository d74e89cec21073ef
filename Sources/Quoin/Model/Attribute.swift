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

  /// The attribute of which `name` is one of the `spellings`, in any case of letters; nil if there is none.
  public init?(named name: some StringProtocol) {
    // No name is that long, and comparing ten megabytes takes seconds.
    guard name.utf8.count <= 64, let attribute = Self.bySpelling[name.lowercased()] else { return nil }
    self = attribute
  }

  /// The ways to write its name, in lower case: its words as a WIKI file or the Swift API has them, with `_`, `-`, a point, a
  /// space or nothing between them, and its name in a dataset's header.
  package var spellings: [String] {
    let words = wikiName.split { "-_".contains($0) }.map(String.init)
    guard words.count > 1 else { return words }
    let full = words[0] == "adj" ? [words, ["adjusted"] + words.dropFirst()] : [words]
    var spellings = full.flatMap { words in ["_", "-", ".", " ", ""].map { words.joined(separator: $0) } }
    if !spellings.contains(datasetName.lowercased()) { spellings.append(datasetName.lowercased()) }
    return spellings
  }

  private static let bySpelling = Dictionary(
    uniqueKeysWithValues: allCases.flatMap { attribute in attribute.spellings.map { ($0, attribute) } })
}
