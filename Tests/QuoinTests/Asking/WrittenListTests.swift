import Testing

@testable import Quoin

/// The lists of attributes and fields in other languages are those of the tables.
@Suite struct WrittenListTests {
  @Test func the_fields_in_the_header_for_c_are_those_of_the_table() throws {
    let width = (QuestionField.all.map(\.name.rawValue.count).max() ?? 0) + 2
    let lines = QuestionField.all.map { field in
      let name = field.name.rawValue.padding(to: width)
      return " *     \(name)\(field.meaning) \"\(field.example)\"" + (field.usual.map { "; \($0) without it" } ?? "")
    }
    try WrittenPage("Sources/CQuoin/include/quoin.h").expect([
      ("fields", "\n/*\n * The fields of a question:\n *\n\(lines.joined(separator: "\n"))\n */\n")
    ])
  }

  @Test func the_columns_of_sql_are_those_of_the_table() throws {
    let names = ["ticker", "date"] + Attribute.allCases.map(\.identifier)
    try WrittenPage("Sources/CQuoinSQLite/module.c").expect([
      ("columns", Self.lines(names.map { "\"\($0)\"" }, indentation: 4))
    ])
    let columns = Attribute.allCases.map { "\($0.identifier) \($0.isInteger ? "integer" : "real")" }
    let texts = (["ticker text", "date text"] + columns).map { "\"\($0)" }.joined(separator: ", \" \\\n  ")
    try WrittenPage("Sources/CQuoinSQLite/table.h").expect([
      ("count", "\nenum { COLUMN_COUNT = \(names.count) };\n"),
      ("columns", "\n#define QUOTE_COLUMNS \\\n  \(texts)\"\n"),
    ])
  }

  @Test func the_columns_of_spark_are_those_of_the_table() throws {
    let names = Attribute.allCases.map { "\"\($0.identifier)\"" }
    try WrittenPage("Spark/quoin/spark/Columns.java").expect([("columns", Self.lines(names, indentation: 6))])
  }

  /// Those of which there is no option are refused with what to write.
  @Test func the_fields_that_spark_refuses_are_those_of_the_table() throws {
    let fields = QuestionField.all.map(\.name).filter { $0 != .tickers && $0 != .where }
    let names = fields.map { "\"\($0.rawValue)\"" }
    try WrittenPage("Spark/quoin/spark/Options.java").expect([("fields", Self.lines(names, indentation: 6))])
  }

  /// A line for each item, between two comments that have a line each.
  private static func lines(_ items: [String], indentation: Int) -> String {
    let start = "\n" + String(repeating: " ", count: indentation)
    return start + items.joined(separator: "," + start) + start
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
