import Foundation
import Testing

@testable import Quoin

/// The features of `Examples/alpha158.txt`.
@Suite struct FeatureTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  private static let fixtures = "\(root)/Tests/QuoinTests/Fixtures"

  private static func lines(_ path: String) throws -> [Substring] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
  }

  /// Each feature's name and expression.
  private static func features() throws -> [(name: String, expression: QuoteExpression)] {
    try lines("\(root)/Examples/alpha158.txt").map { line in
      let parts = line.split(separator: " as ")
      return (String(parts[1]), try QuoteExpression(parsing: String(parts[0])))
    }
  }

  @Test func features_have_the_values_of_Qlib() throws {
    let directory = TemporaryDirectory()
    let store = try QuoteStore(at: directory.path)
    try store.importFiles(["\(Self.fixtures)/alpha158-quotes.csv"])
    let query = try Self.features().reduce(store.allQuotes.selecting([])) { $0.computing($1.name, $1.expression) }
    let batch = try query.fetchColumns()
    let places = Dictionary(
      uniqueKeysWithValues: (0..<batch.rowCount).map { ("\(batch.tickers[$0]),\(batch.columns.days[$0])", $0) })

    let lines = try Self.lines("\(Self.fixtures)/alpha158.csv").map { $0.split(separator: ",") }
    let names = lines[0].dropFirst(2).map { String($0) }
    #expect(names.count == 157 && lines.count == 37)
    for (column, name) in names.enumerated() {
      let values = try #require(batch.computed(name), "\(name)")
      // What Qlib adds and subtracts as a window moves leaves a rest.
      let rest = ["RSQR", "CORR", "CORD"].contains(String(name.prefix(4))) ? 5e-8 : 1e-9
      for line in lines.dropFirst() {
        let wanted = try #require(Double(line[column + 2]))
        let found = values[try #require(places["\(line[0]),\(line[1])"])]
        #expect((found - wanted).magnitude <= 1e-8 * wanted.magnitude + rest, "\(name) of \(line[0]) on \(line[1])")
      }
    }
  }
}
