extension QuoteFormatter {
  /// A column of the rows that are written.
  public enum Column: Hashable, Sendable {
    case ticker
    case date
    case attribute(Attribute)
    /// The column that a query computes under this name.
    case computed(String)

    /// All columns, in the order of a WIKI bulk file.
    public static let all: [Column] = [.ticker, .date] + Attribute.allCases.map { .attribute($0) }

    /// The name in the header of a WIKI bulk file: `ticker`, `date`, `ex-dividend`.
    public var name: String {
      switch self {
      case .ticker: "ticker"
      case .date: "date"
      case .attribute(let attribute): attribute.wikiName
      case .computed(let name): name
      }
    }

    /// The attribute; nil for the ticker and the date.
    package var attribute: Attribute? {
      if case .attribute(let name) = self { name } else { nil }
    }

    /// The column with this name, whatever its case, hyphens and underscores; nil when there is no such column.
    public init?(named name: some StringProtocol) {
      switch name.lowercased() {
      case "ticker": self = .ticker
      case "date": self = .date
      default:
        guard let attribute = Attribute(named: name) else { return nil }
        self = .attribute(attribute)
      }
    }
  }
}
