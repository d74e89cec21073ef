import Foundation
import Quoin
import Testing

/// A folder that goes away with the test.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = "/tmp/quoin-client-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  func store(_ name: String = "store") throws -> QuoteStore { try QuoteStore(at: "\(path)/\(name)") }
}

/// The bytes packed as gzip does.
func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
  let folder = try TestFolder()
  let file = "\(folder.path)/file"
  try Data(bytes).write(to: URL(fileURLWithPath: file))
  let result = try ProgramRun("/usr/bin/env", ["gzip", "-9", file])
  #expect(result.status == 0)
  return Array(try Data(contentsOf: URL(fileURLWithPath: file + ".gz")))
}

extension QuoteStore {
  /// All rows as the bulk file has them.
  func csv() throws -> String {
    var text = ""
    let formatter = QuoteFormatter(.csv) { bytes in
      text += unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    try allQuotes.forEachBatch { try formatter.append($0) }
    try formatter.finish()
    return text
  }
}
