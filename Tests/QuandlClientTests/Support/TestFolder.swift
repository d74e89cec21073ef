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
  /// Runs `body` while another writer holds the store.
  func whileHeld(_ body: () async throws -> Void) async throws {
    let other = try await QuoteStore(at: path)
    let (isHeld, isOver) = (Shared(false), Shared(false))
    let writer = Task {
      try await other.write { _ in
        isHeld.withLock { $0 = true }
        while !isOver.value { usleep(1000) }
      }
    }
    defer { isOver.withLock { $0 = true } }
    while !isHeld.value { try await Task.sleep(for: .milliseconds(1)) }
    try await body()
    isOver.withLock { $0 = true }
    try await writer.value
  }

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
