import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct LimitsTests {
  private static let limits: [String: String] = [
    "rowsPerBlock": grouped(Limits.rowsPerBlock), "blocksPerFile": grouped(Limits.blocksPerFile),
    "manifestByteCount": grouped(Limits.manifestByteCount), "unpackedByteCount": grouped(Limits.unpackedByteCount),
    "shardListByteCount": grouped(Limits.shardListByteCount), "blockByteCount": grouped(Limits.blockByteCount),
    "partByteCount": grouped(Limits.partByteCount), "importRecordCount": grouped(Limits.importRecordCount),
    "tickerByteCount": grouped(Limits.tickerByteCount),
    "years": "\(Limits.years.lowerBound) to \(Limits.years.upperBound)",
    "csvLineByteCount": grouped(Limits.csvLineByteCount),
    "recognitionByteCount": grouped(Limits.recognitionByteCount), "memberNameCount": grouped(Limits.memberNameCount),
    "columnNameCount": grouped(Limits.columnNameCount),
    "jsonDocumentByteCount": grouped(Limits.jsonDocumentByteCount),
    "jsonHeldByteCount": grouped(Limits.jsonHeldByteCount),
    "importBufferRowCount": grouped(Limits.importBufferRowCount),
    "reportedBadRowCount": grouped(Limits.reportedBadRowCount), "sourceByteCount": grouped(Limits.sourceByteCount),
    "predicateByteCount": grouped(Limits.predicateByteCount), "predicateDepth": grouped(Limits.predicateDepth),
    "predicateLevels": grouped(Limits.predicateLevels),
    "heldColumnByteCount": grouped(Limits.heldColumnByteCount),
    "idleColumnByteCount": grouped(Limits.idleColumnByteCount), "threads": grouped(Limits.threads),
    "windowRows": grouped(Limits.windowRows), "ageDays": grouped(Limits.ageDays),
    "questionSteps": grouped(Limits.questionSteps), "pivotColumns": grouped(Limits.pivotColumns),
    "tableMeasuredRowCount": grouped(Limits.tableMeasuredRowCount),
  ]

  private static func grouped(_ number: Int) -> String {
    let digits = String(number)
    return String(digits.enumerated().flatMap { $0 > 0 && (digits.count - $0) % 3 == 0 ? [",", $1] : [$1] })
  }

  /// The page of limits has every limit with its value, and no other.
  @Test func the_page_and_the_code_have_the_same_limits() throws {
    let declared = try text("Sources/Quoin/Model/Limits.swift").split(separator: "static let ").dropFirst()
      .map { String($0.prefix { $0.isLetter }) }
    #expect(Set(declared) == Set(Self.limits.keys))
    let section = try text("docs/architecture/limits.md")
    let rows = section.split(separator: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
      .map { $0.split(separator: "|").map { $0.filter { $0 != "`" }.trimmed } }
    #expect(rows.count == Self.limits.count)
    for row in rows { #expect(row.count == 4 && Self.limits[row[2]] == row[1], "\(row)") }
  }

  private func text(_ path: String) throws -> String {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let file = try SystemFiles().map(root + "/" + path)
    return withExtendedLifetime(file) { String(decoding: file.view.array, as: UTF8.self) }
  }
}

extension String {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
