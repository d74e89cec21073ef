/// What is known of one attribute: a row of the table of attributes.
///
/// Slots, counts, names, derivation and the order of columns in a WIKI file are all computed from the table. To add an
/// attribute, add a case at the end of `Attribute`, its row below, its key in `TypedAttribute` and its property in
/// `DailyQuoteSummary`; the compiler or `AttributeTests` asks for each. The number of attributes is part of the file format.
struct AttributeLayout: Sendable {
  /// The type of the values in memory and in files.
  enum Kind: Sendable {
    case float64, int64
  }

  /// The name in the header of a WIKI bulk file.
  let wikiName: String
  /// The name in a Quandl dataset's `column_names`.
  let datasetName: String
  /// The type in the description of a Quandl table.
  let tableType: String
  /// What it is, in a sentence.
  let meaning: String
  let kind: Kind
  /// The attribute that this one is computed from: its unadjusted twin. Part of the file format.
  let source: Attribute?
  /// Whether nearly every cell is `0.0` or `1.0`, which the CSV reader recognizes as a whole.
  let isQuiet: Bool

  fileprivate init(
    _ wikiName: String, _ datasetName: String, _ tableType: String, _ meaning: String, _ kind: Kind = .float64,
    from source: Attribute? = nil, isQuiet: Bool = false
  ) {
    self.wikiName = wikiName
    self.datasetName = datasetName
    self.tableType = tableType
    self.meaning = meaning
    self.kind = kind
    self.source = source
    self.isQuiet = isQuiet
  }
}

extension Attribute {
  /// The table: a row for each attribute.
  private var row: AttributeLayout {
    switch self {
    case .open: AttributeLayout("open", "Open", "BigDecimal(34,12)", "The price at which the day began.")
    case .high: AttributeLayout("high", "High", "BigDecimal(34,12)", "The highest price of the day.")
    case .low: AttributeLayout("low", "Low", "BigDecimal(34,12)", "The lowest price of the day.")
    case .close: AttributeLayout("close", "Close", "BigDecimal(34,12)", "The price at which the day ended.")
    case .volume:
      AttributeLayout("volume", "Volume", "BigDecimal(37,15)", "The number of shares that changed hands.", .int64)
    case .exDividend:
      AttributeLayout(
        "ex-dividend", "Ex-Dividend", "BigDecimal(42,20)",
        "The dividend that buyers from this day on don't get; 0 on other days.", isQuiet: true)
    case .splitRatio:
      AttributeLayout(
        "split_ratio", "Split Ratio", "double", "How many shares one share became; 1 on other days.", isQuiet: true)
    case .adjustedOpen:
      AttributeLayout(
        "adj_open", "Adj. Open", "BigDecimal(50,28)", "The open, adjusted for later dividends and splits.", from: .open)
    case .adjustedHigh:
      AttributeLayout(
        "adj_high", "Adj. High", "BigDecimal(50,28)", "The high, adjusted for later dividends and splits.", from: .high)
    case .adjustedLow:
      AttributeLayout(
        "adj_low", "Adj. Low", "BigDecimal(50,28)", "The low, adjusted for later dividends and splits.", from: .low)
    case .adjustedClose:
      AttributeLayout(
        "adj_close", "Adj. Close", "BigDecimal(50,28)", "The close, adjusted for later dividends and splits.",
        from: .close)
    case .adjustedVolume:
      AttributeLayout("adj_volume", "Adj. Volume", "double", "The volume, adjusted for later splits.", from: .volume)
    }
  }

  // Computed once, by raw value, so that a look-up is one load.
  private static let layouts = allCases.map(\.row)
  private static let sources = allCases.map(\.row.source)
  private static let slots = allCases.map { name in
    allCases.prefix { $0 != name }.count { $0.row.kind == name.row.kind }
  }

  /// The attribute's row in the table. Complexity: O(1).
  var layout: AttributeLayout { Self.layouts[Int(rawValue)] }

  /// How many attributes are float64, and how many int64.
  static let doubleCount = allCases.count { $0.row.kind == .float64 }
  static let integerCount = allCases.count { $0.row.kind == .int64 }

  /// The attribute's place among the attributes of its kind, in file order. Complexity: O(1).
  var slot: Int { Self.slots[Int(rawValue)] }

  /// The attribute that this one is computed from; nil for all but the adjusted ones. Part of the file format.
  var derivationSource: Attribute? { Self.sources[Int(rawValue)] }

  /// Whether another attribute is computed from this one.
  var isDerivationSource: Bool { AttributeSet.derivationSources.contains(self) }

  /// Whether values are numbers of shares, which are written without a point where they are whole.
  var countsShares: Bool { self == .volume || self == .adjustedVolume }

  /// Whether the column is int64 (the volume) rather than float64. Complexity: O(1).
  public var isInteger: Bool { AttributeSet.integers.contains(self) }

  /// The name in the header of a WIKI bulk file: `ex-dividend`, `split_ratio`, `adj_open`.
  public var wikiName: String { layout.wikiName }

  /// The name where a hyphen would be a minus, as in SQL: `ex_dividend`.
  package var identifier: String { wikiName.replacing("-", with: "_") }

  /// The name in a Quandl dataset's `column_names`: `Ex-Dividend`, `Split Ratio`, `Adj. Open`.
  public var datasetName: String { layout.datasetName }

  /// The type in the description of a Quandl table: `BigDecimal(34,12)`, `double`.
  package var tableType: String { layout.tableType }

  /// What it is, in a sentence.
  package var meaning: String { layout.meaning }
}

extension Attribute {
  /// A float64 value in the fewest digits that read back as the same value. Whole numbers of shares have no point.
  package func text(of value: Double) -> String {
    if countsShares, let whole = Int64(exactly: value), Double(whole).bitPattern == value.bitPattern {
      return "\(whole)"
    }
    return "\(value)"
  }
}

extension AttributeSet {
  /// The int64 attributes.
  static let integers = AttributeSet(Attribute.allCases.filter { $0.layout.kind == .int64 })

  /// The attributes that are computed from others: the adjusted ones.
  package static let adjusted = AttributeSet(Attribute.allCases.filter { $0.derivationSource != nil })

  /// The attributes that others are computed from.
  fileprivate static let derivationSources = AttributeSet(Attribute.allCases.compactMap(\.derivationSource))
}
