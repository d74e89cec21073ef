/// The text forms in which rows go out.
public enum OutputFormat: String, CaseIterable, Hashable, Sendable {
  /// A header and comma-separated cells; with all columns, exactly the form of a WIKI bulk file.
  case csv
  /// A header and tab-separated cells.
  case tsv
  /// One array of objects, a line each.
  case json
  /// One object a line.
  case ndjson
  /// A Markdown table.
  case markdown
  /// Aligned columns for a terminal.
  case table
}

/// A column of the rows that go out.
public enum OutputColumn: Hashable, Sendable {
  /// The ticker's symbol.
  case ticker
  /// The day, as `YYYY-MM-DD`.
  case date
  /// The values of one attribute.
  case attribute(AttributeName)

  /// All columns, in the order of a WIKI bulk file.
  public static let all: [OutputColumn] = [.ticker, .date] + AttributeName.allCases.map { .attribute($0) }

  /// The name in the header of a WIKI bulk file: `ticker`, `date`, `ex-dividend`.
  public var name: String {
    switch self {
    case .ticker: "ticker"
    case .date: "date"
    case .attribute(let attribute): attribute.wikiName
    }
  }

  /// The column with this name, whatever its case, hyphens and underscores; nil when there is none.
  public init?(named name: some StringProtocol) {
    switch name.lowercased() {
    case "ticker": self = .ticker
    case "date": self = .date
    default:
      guard let attribute = AttributeName(named: name) else { return nil }
      self = .attribute(attribute)
    }
  }

  /// Whether the cells are numbers.
  var isNumber: Bool {
    switch self {
    case .ticker, .date: false
    case .attribute: true
    }
  }
}
