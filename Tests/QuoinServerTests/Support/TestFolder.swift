import Foundation
import Quoin
import QuoteGenerator

/// A folder of one test's, with a store in it, that goes away with the test.
final class TestFolder: Sendable {
  let path: String

  /// - Parameter rowCount: of how many made-up rows of 20 tickers or more the store is; nil for the sample data.
  init(rowCount: Int? = nil) throws {
    path = FileManager.default.temporaryDirectory.path + "/quoin-server-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let store = try QuoteStore(at: store)
    if let rowCount {
      let generator = try QuoteGenerator(tickerCount: max(20, rowCount / 10_000), rowCount: rowCount, seed: 1)
      try store.write { transaction in
        for (index, ticker) in generator.tickers.enumerated() {
          try transaction.upsert(generator.quotes(at: index), of: ticker)
        }
      }
    } else {
      try store.importFiles(["FDX.json", "wiki-sample.csv"].map(Self.data))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var store: String { path + "/store" }

  func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// The path of a file in `data/`.
  static func data(_ name: String) -> String {
    "/" + (#filePath.split(separator: "/").dropLast(4) + ["data", name[...]]).joined(separator: "/")
  }
}
