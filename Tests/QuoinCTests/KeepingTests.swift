import CQuoin
import Foundation
import Quoin
import Testing

extension CInterface {
  /// Going back, whole tickers, backups: what keeps a store.
  @Suite struct KeepingTests {
    private let directory: CFolder
    private var folder: String { directory.path }
    private var path: String { folder + "/store" }

    init() throws { directory = try CFolder() }

    /// A store with some closes of 2005-08-05 and the days after.
    private func stored(_ closes: [String: [Double]], in path: String? = nil, from day: Int32 = 13_000) throws -> CStore
    {
      let store = try CStore(path ?? self.path, UInt32(QUOIN_CREATE))
      for (ticker, closes) in closes {
        let days = closes.indices.map { day + Int32($0) as Int32? }
        try store.store(
          MadeStream([(closes.count, [.values("date", "tdD", days), .values("close", "g", closes)])]), ticker: ticker)
      }
      return store
    }

    private func rows(of path: String? = nil) throws -> [[Cell]] {
      let query = CQuery(columns: "ticker, date, close", flags: QUOIN_TICKERS_AS_TEXT)
      return try CStore(path ?? self.path).scan(query).columns()
    }

    /// The error of a call that fails.
    private func error(_ body: () throws -> Void) -> CError? {
      do { try body() } catch { return error as? CError }
      return nil
    }

    @Test func the_last_change_is_taken_back_and_a_snapshot_comes_back() throws {
      let store = try stored(["KO": [1, 2]])
      try store.keep("first")
      let before = try rows()
      try store.delete(CQuery(tickers: ["KO"]))
      try store.check { quoin_undo(store.handle, nil, $0) }
      #expect(try rows() == before && store.count() == 2)
      try store.check { quoin_undo(store.handle, nil, $0) }
      #expect(try store.count() == 0)
      try store.check { quoin_restore(store.handle, "first", nil, $0) }
      #expect(try rows() == before)
      let number = "\(try store.refresh() - 1)"
      try store.check { quoin_restore(store.handle, number, nil, $0) }
      #expect(try store.count() == 0)
      let unknown = error { try store.check { quoin_restore(store.handle, "frist", nil, $0) } }
      #expect(unknown?.code == QUOIN_UNKNOWN_SNAPSHOT && unknown?.message.contains("did you mean 'first'?") == true)
      let fresh = try CStore(folder + "/fresh", UInt32(QUOIN_CREATE))
      #expect(error { try fresh.check { quoin_undo(fresh.handle, nil, $0) } } != nil)
    }

    @Test func tickers_get_other_names() throws {
      let store = try stored(["FB": [1, 2, 3], "KO": [5]])
      func rename(_ query: CQuery, _ name: String) throws {
        try query.withC { query in try store.check { quoin_rename(store.handle, query, name, nil, $0) } }
      }
      try rename(CQuery(tickers: ["FB"], from: "2005-08-06"), "META")
      #expect(try rows()[0] == ["FB", "KO", "META", "META"].map { .text($0) })
      try rename(CQuery(tickers: ["FB"]), "META")
      #expect(try rows()[2] == [.double(5), .double(1), .double(2), .double(3)])
      let mistakes: [(CQuery, String, quoin_code, String)] = [
        (CQuery(), "X", QUOIN_MISUSE, "one ticker"),
        (CQuery(tickers: ["KO", "META"]), "X", QUOIN_MISUSE, "one ticker"),
        (CQuery(tickers: ["KO"], condition: "close > 1"), "X", QUOIN_MISUSE, "tickers, from and to alone"),
        (CQuery(tickers: ["KOO"]), "X", QUOIN_UNKNOWN_TICKER, "did you mean KO"),
        (CQuery(tickers: ["KO"]), "X Y", QUOIN_SYNTAX, "name"),
        (CQuery(tickers: ["KO"]), "META", QUOIN_UNANSWERABLE, "META"),
      ]
      let before = try store.refresh()
      for (query, name, code, words) in mistakes {
        let found = error { try rename(query, name) }
        #expect(
          found?.code == code && found?.message.contains(words) == true,
          "\(query) \(name): \(String(describing: found))")
      }
      #expect(try store.refresh() == before)
    }

    @Test func quotes_of_another_store_are_taken_over() throws {
      let store = try stored(["KO": [1, 2]])
      let other = try stored(["KO": [7, 8, 9], "FDX": [5]], in: folder + "/other", from: 13_001)
      func merge(_ query: CQuery, mode: String? = nil) throws -> [Int64] {
        try store.counting(mode: mode) { options, counts, error in
          query.withC { quoin_merge(store.handle, other.handle, $0, options, counts, error) }
        }
      }
      #expect(try merge(CQuery(tickers: ["KO"]), mode: "keep") == [2, 0, 0, 1, 0])
      #expect(try merge(CQuery()) == [1, 1, 2, 0, 0])
      #expect(
        try rows() == [
          ["FDX", "KO", "KO", "KO", "KO"].map { .text($0) },
          [.day(13_001), .day(13_000), .day(13_001), .day(13_002), .day(13_003)],
          [.double(5), .double(1), .double(7), .double(8), .double(9)],
        ])
      #expect(error { _ = try merge(CQuery(from: "2005-08-06")) }?.message == "quoin_merge takes tickers alone")
      #expect(error { _ = try merge(CQuery(tickers: ["BA"])) }?.code == QUOIN_UNKNOWN_TICKER)
      let same = error { try store.check { quoin_merge(store.handle, store.handle, nil, nil, nil, $0) } }
      #expect(same != nil)
    }

    @Test func adjusted_columns_are_computed() throws {
      let store = try CStore(path, UInt32(QUOIN_CREATE))
      let columns: [MadeColumn] = [
        .values("date", "tdD", [13_000, 13_001] as [Int32?]), .values("close", "g", [20.0, 10]),
        .values("open", "g", [20.0, 10]),
        .values("high", "g", [20.0, 10]), .values("low", "g", [20.0, 10]), .values("volume", "l", [5, 5] as [Int64?]),
        .values("ex-dividend", "g", [0.0, 0]), .values("split_ratio", "g", [1.0, 2]),
      ]
      try store.store(MadeStream([(2, columns)]), ticker: "KO")
      func adjust(_ flags: UInt32, _ query: CQuery = CQuery()) throws -> [Int64] {
        try store.counting(mode: nil) { options, counts, error in
          query.withC { quoin_adjust(store.handle, $0, flags, options, counts, error) }
        }
      }
      #expect(try adjust(0)[1] == 2)
      #expect(try CStore(path).scan(CQuery(columns: "adj_close")).columns() == [[.double(10), .double(10)]])
      #expect(try adjust(UInt32(QUOIN_REPLACE | QUOIN_TRUST_SPLITS), CQuery(tickers: ["KO"]))[2] == 2)
      #expect(error { _ = try adjust(4) }?.code == QUOIN_MISUSE)
      #expect(error { _ = try adjust(0, CQuery(tickers: ["BA"])) }?.code == QUOIN_UNKNOWN_TICKER)
    }

    @Test func files_are_rewritten_checked_and_backed_up() throws {
      let store = try stored(["KO": [1, 2], "FDX": [3]])
      try store.delete(CQuery(tickers: ["FDX"]))
      let before = try rows()
      for packing in ["small", "fast", nil] {
        try store.check { quoin_compact(store.handle, packing, nil, $0) }
        #expect(try rows() == before)
      }
      let wrong = error { try store.check { quoin_compact(store.handle, "tiny", nil, $0) } }
      #expect(wrong?.code == QUOIN_SYNTAX && wrong?.message == "packing: 'tiny' isn't one of fast, balanced, small")
      let backup = folder + "/backup"
      for _ in 0..<2 { try store.check { quoin_back_up(store.handle, backup, nil, $0) } }
      #expect(try rows(of: backup) == before)
      // A reader may back up, and check.
      let reader = try CStore(path)
      try store.check { quoin_back_up(reader.handle, backup, nil, $0) }
      #expect(try reader.verified().isEmpty)
      let joined = try CStore(joining: [path])
      #expect(try joined.verified().isEmpty)
      try FileManager.default.removeItem(atPath: folder + "/backup")
      let file = try #require(FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasSuffix(".columns") })
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/" + file))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path + "/" + file))
      let damages = try CStore(path).verified()
      #expect(!damages.isEmpty && damages.allSatisfy { $0.contains(file) }, "\(damages)")
      #expect(error { try store.check { quoin_back_up(store.handle, backup, nil, $0) } }?.code == QUOIN_DAMAGED)
    }

    @Test func several_stores_as_one_are_kept_each_by_itself() throws {
      _ = (try stored(["KO": [1]]), try stored(["FDX": [5]], in: folder + "/other"))
      let joined = try CStore(joining: [path, folder + "/other"])
      #expect(error { _ = try joined.verified() }?.code == QUOIN_MISUSE)
      #expect(
        error { try joined.check { quoin_back_up(joined.handle, folder + "/backup", nil, $0) } }?.code == QUOIN_MISUSE)
    }

    @Test func only_a_store_that_is_open_for_writing_is_changed() throws {
      _ = try stored(["KO": [1]])
      let reader = try CStore(path)
      let calls: [(UnsafeMutablePointer<OpaquePointer?>) -> quoin_code] = [
        { quoin_undo(reader.handle, nil, $0) }, { quoin_restore(reader.handle, "1", nil, $0) },
        { quoin_rename(reader.handle, nil, "X", nil, $0) },
        { quoin_merge(reader.handle, reader.handle, nil, nil, nil, $0) },
        { quoin_adjust(reader.handle, nil, 0, nil, nil, $0) }, { quoin_compact(reader.handle, nil, nil, $0) },
      ]
      for (index, body) in calls.enumerated() {
        let found = error { try reader.check(body) }
        #expect(found?.code == QUOIN_MISUSE && found?.message.contains("open for reading only") == true, "\(index)")
      }
    }
  }
}

extension CStore {
  /// The damages that a check of every byte finds.
  fileprivate func verified() throws -> [String] {
    var text: UnsafePointer<CChar>?
    try check { error in
      text = quoin_verify(handle, error)
      return text == nil ? quoin_error_code(error.pointee) : QUOIN_OK
    }
    defer { quoin_free(text) }
    return String(cString: text!).split(separator: "\n").map(String.init)
  }
}
