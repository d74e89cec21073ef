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

extension QuoteFormatter.Column {
  /// A column, with the expression if it is computed.
  package typealias Listed = (column: QuoteFormatter.Column, expression: QuoteExpression?)

  /// What is wrong with a list of columns.
  package enum ListError: Error {
    case syntax(PredicateSyntaxError)
    /// There is no column of this name.
    case unknown(String)
    /// Two columns have this name; the second is computed, or is the same once more.
    case repeated(String, QuoteExpression?)

    /// What to say of two columns with a name.
    package static func repetition(of name: String, _ expression: QuoteExpression?) -> String {
      guard let expression else { return "'\(name)' is listed twice" }
      return "there would be two columns '\(name)'; name one with 'as', such as \(expression) as x"
    }
  }

  /// The columns that `text` lists, such as `date, close, mean(close, 20) as ma`.
  package static func list(
    parsing text: String, _ definitions: Definitions = Definitions()
  ) throws(ListError) -> [Listed] {
    let parts: [ListedColumn]
    do throws(PredicateSyntaxError) { parts = try ListedColumn.list(parsing: text, definitions) } catch {
      throw .syntax(error)
    }
    var (columns, names): ([Listed], Set<String>) = ([], [])
    for part in parts {
      guard let expression = part.expression else {
        if part.name == "*" {
          // Those that aren't listed yet.
          for column in all where names.insert(column.name).inserted { columns.append((column, nil)) }
          continue
        }
        guard let column = Self(named: part.name) else { throw .unknown(part.name) }
        guard names.insert(column.name).inserted else { throw .repeated(column.name, nil) }
        columns.append((column, nil))
        continue
      }
      guard names.insert(part.name).inserted, Self(named: part.name) == nil else {
        throw .repeated(part.name, expression)
      }
      columns.append((.computed(part.name), expression))
    }
    return columns
  }
}
