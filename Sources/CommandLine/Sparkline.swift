import Console
import Quoin

/// A small picture of an expression's last values, as a column of a table.
struct Sparkline {
  /// How many values it shows.
  static let rowCount = 20

  let heading: ColumnHeading
  private let expression: QuoteExpression

  /// The picture of the expression that a text spells.
  init(_ text: String, _ names: Definitions) throws {
    guard let (column, expression) = try OptionNames.columns(text, of: "--spark", names).first,
      let value = expression ?? column.attribute.map({ .attribute($0) })
    else { throw UsageError("'\(text)' isn't a number, and --spark draws numbers") }
    heading = .text("\(column.name), \(Self.rowCount) rows")
    self.expression = value
  }

  /// A name that no user can give.
  private static func name(_ row: Int) -> String { "spark \(row)" }

  /// The query that also computes the values.
  func asked(of query: QuoteQuery) -> QuoteQuery {
    (0..<Self.rowCount).reduce(query) { query, row in
      query.computing(Self.name(row), row == 0 ? expression : .prev(expression, row))
    }
  }

  /// The pictures of a batch's rows.
  func cells(of batch: QuoteBatch) -> CellColumn {
    let columns = (0..<Self.rowCount).reversed().map { batch.computed(Self.name($0)) ?? [] }
    return .texts((0..<batch.rowCount).map { row in Self.text(columns.map { $0[row] }) })
  }

  /// A block for each value, from the lowest to the highest of them; a space where it is missing.
  static func text(_ values: [Double]) -> String {
    let known = values.filter(\.isFinite)
    guard let lowest = known.min(), let highest = known.max() else { return "" }
    var text = ""
    for value in values {
      guard value.isFinite else {
        text += " "
        continue
      }
      let part = highest > lowest ? (value - lowest) / (highest - lowest) : 0.5
      text.unicodeScalars.append(Unicode.Scalar(0x2581 + UInt32((part * 7).rounded())) ?? " ")
    }
    return text
  }
}
