import Foundation
import Quoin
import Testing

@testable import QuoinServer

/// Who can ask what: `docs/faces.md`, field by field. `QUOIN_WRITE_DOCS=1` writes it.
@Suite struct FaceTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
    path: "../../docs/faces.md")

  /// What Spark asks itself by a data frame, and what its option is called.
  private static let spark: [QuestionField.Name: String] = [
    .tickers: "option `tickers`", .where: "option `where`, filters", .from: "filters", .to: "filters",
    .columns: "`select`", .aggregates: "`agg`", .by: "`groupBy`", .having: "filters", .order: "`orderBy`",
    .limit: "`limit`", .offset: "`offset`", .threads: "option `partitions`",
  ]

  @Test func the_documentation_has_a_row_for_each_field() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let parts = text.split(separator: "<!-- faces -->\n", omittingEmptySubsequences: false)
    let (head, rest) = (parts[0], try #require(parts.last).split(separator: "<!-- end -->", maxSplits: 1))
    let table = try Self.table().joined(separator: "\n") + "\n"
    let made = head + "<!-- faces -->\n" + table + "<!-- end -->" + (try #require(rest.last))
    if ProcessInfo.processInfo.environment["QUOIN_WRITE_DOCS"] != nil {
      return try made.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(made == text, "QUOIN_WRITE_DOCS=1 swift test --filter FaceTests writes it")
  }

  /// A field that Spark asks itself is refused as an option, with the form that asks it.
  @Test func spark_has_a_form_for_each_field_that_it_asks_itself() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: page.appending(path: "../../Spark/quoin/spark/Options.java"), encoding: .utf8)
    let written = text.matches(of: /\n +"([a-z_]+)", "\./).map { String($0.1) }
    let expected = Self.spark.keys.filter { $0 != .tickers && $0 != .where }.map(\.rawValue)
    #expect(written.sorted() == expected.sorted())
  }

  private static func table() throws -> [String] {
    let heads = ["field", "command", "HTTP", "page", "C, by name", "Python", "Swift", "SQL", "Spark"]
    let rows = try QuestionField.all.map { field in
      let name = field.name.rawValue
      let routes = [
        ScanRequest.parameters.map(\.description.name), AggregateRequest.parameters.map(\.description.name),
      ]
      return [
        "`\(name)`", "`\(option(field.name))`", routes.contains { $0.contains(name) } ? "x" : "-",
        QuestionForm.names.contains(field.name) ? "x" : "-", "x", "`\(python(field.name))`", "`.\(field.name)`",
        try isOfSQL(field) ? "x" : "-", spark[field.name] ?? "-",
      ]
    }
    return ([heads, heads.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
  }

  private static func option(_ name: QuestionField.Name) -> String {
    switch name {
    case .tickers: "TICKER ..."
    case .aggregates: "--aggregate"
    case .resample: "resample --by"
    case .barLabel: "resample --label"
    default: "--" + name.rawValue.replacing("_", with: "-")
    }
  }

  private static func python(_ name: QuestionField.Name) -> String {
    switch name {
    case .from: "start"
    case .to: "end"
    default: name.rawValue
    }
  }

  private static func isOfSQL(_ field: QuestionField) throws -> Bool {
    var texts: [QuestionText] = [(field.name, field.example)]
    if [.by, .having, .pivot].contains(field.name) { texts.append((.aggregates, "count")) }
    if field.name == .pivot { texts.append((.by, "year, ticker")) }
    if field.name == .barLabel { texts.append((.resample, "week")) }
    if field.name == .trustSplits { texts.append((.asOf, "2010-06-01")) }
    if case .text = try Spelling(texts).sql(store: "quotes") { return true }
    return false
  }
}
