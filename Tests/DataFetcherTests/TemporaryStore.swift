import Foundation
import Quoin

/// A store in a directory that goes away with it.
final class TemporaryStore {
  let path: String
  let store: QuoteStore

  /// - Parameter quotes: what is in it.
  init(_ quotes: [DailyQuoteSummary] = []) throws {
    path = "/tmp/quoin-data-fetcher-\(UUID().uuidString)"
    store = try QuoteStore(at: path)
    if !quotes.isEmpty { try store.upsert(quotes) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A store with the sample of FedEx in it.
  static func ofFedEx() throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    try temporary.store.importFiles([root.appendingPathComponent("data/FDX.json").path])
    return temporary
  }
}
