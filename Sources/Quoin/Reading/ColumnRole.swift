/// The contents of a file's column.
package enum ColumnRole: Hashable, Sendable {
  case ticker
  case date
  /// The float64 (or int64) attribute with this slot in `QuoteColumns`.
  case double(slot: Int)
  /// A float64 attribute that counts shares, so none of its values is below zero.
  case shares(slot: Int)
  /// Split ratios in a file that has 0 where there was no split.
  case splits(slot: Int)
  case integer(slot: Int)
  case ignored

  init(_ attribute: Attribute) {
    switch attribute.key {
    case .double: self = attribute.countsShares ? .shares(slot: attribute.slot) : .double(slot: attribute.slot)
    case .integer: self = .integer(slot: attribute.slot)
    }
  }

  init(_ use: ImportedFile.Column.Use) {
    switch use {
    case .ticker: self = .ticker
    case .date: self = .date
    case .attribute(let attribute): self.init(attribute)
    case .ignored: self = .ignored
    }
  }

  /// The attribute that such a column holds, if any.
  package var attribute: Attribute? {
    if case .splits = self { return .splitRatio }
    return Attribute.allCases.first { ColumnRole($0) == self }
  }

  /// The ratio in a column of the role `splits`.
  package static func splitRatio(_ value: Double) -> Double { value == 0 ? 1 : value }

  /// What the column is taken for.
  var use: ImportedFile.Column.Use {
    switch self {
    case .ticker: .ticker
    case .date: .date
    case .ignored: .ignored
    case .double, .shares, .splits, .integer: attribute.map { .attribute($0) } ?? .ignored
    }
  }
}

// The names that vendors give to columns.
extension ColumnRole {
  /// The role of a column with this name, whatever the other columns are.
  package init(named name: String) {
    let name = Self.simplified(name)
    if let attribute = Attribute(named: name) ?? Self.otherNames[name] {
      self.init(attribute)
    } else if name == "stocksplits" {
      self = .splits(slot: Attribute.splitRatio.slot)
    } else if Self.dateNames.contains(name) {
      self = .date
    } else {
      self = Self.tickerNames.contains(name) ? .ticker : .ignored
    }
  }

  /// The names of the ticker and of the day. If a file has several, the one that comes first here counts.
  private static let tickerNames = ["ticker", "symbol", "code", "stock", "name"]
  private static let dateNames = ["date", "timestamp", "datetime", "day"]

  /// Quandl's EOD, yfinance, Alpha Vantage, Tiingo, Stooq.
  private static let otherNames: [String: Attribute] = [
    "dividend": .exDividend, "dividends": .exDividend, "dividendamount": .exDividend, "divcash": .exDividend,
    "split": .splitRatio, "splitcoefficient": .splitRatio, "splitfactor": .splitRatio, "vol": .volume,
  ]

  /// Stooq writes its names as `<DATE>`.
  private static func simplified(_ name: String) -> String {
    guard name.utf8.count <= 64 else { return "" }
    let inside = name.hasPrefix("<") && name.hasSuffix(">") ? name.dropFirst().dropLast() : name[...]
    return inside.lowercased().filter { !"-_. ".contains($0) }
  }

  /// How far behind the names come that count less; nil if the role may come only once.
  func rank(of name: String) -> Int? {
    let name = Self.simplified(name)
    return switch self {
    case .ticker: Self.tickerNames.firstIndex(of: name)
    case .date: Self.dateNames.firstIndex(of: name)
    default: nil
    }
  }
}
