import Testing

@testable import Quoin
@testable import QuoteGenerator

/// What is imported doesn't depend on the number of threads, and neither do the errors.
@Suite struct ImportThreadsTests {
  /// The bytes of all files of a store into which the file at `path` was imported, without its records of imports, which
  /// have the time.
  private func storeBytes(_ path: String, threads: Int) throws -> (names: [String], blocks: [[UInt8]]) {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.importFiles([path], options: ImportOptions(skipsBadRows: true, source: "a test", threads: threads))
    let names = try disk.names(in: "store").filter(StoreFiles.isColumnFile).sorted()
    let blocks = try store.snapshot.soundFiles().flatMap { file in
      try ColumnSection.all.map { section in
        let directory = try file.directory(section)
        return try (0..<file.blockCount).flatMap { index in
          _ = try file.block(index, section, directory)
          return file.blockBytes(index, section, directory).array
        }
      }
    }
    return (names, blocks)
  }

  private func csv(tickers: Int, rows: Int, seed: UInt64) throws -> String {
    let generator = try QuoteGenerator(tickerCount: tickers, rowCount: rows, seed: seed)
    var text: [UInt8] = []
    let formatter = QuoteFormatter(.csv) { bytes in
      for index in bytes.byteOffsets { unsafe text.append(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
    }
    for index in generator.tickers.indices {
      try formatter.append(QuoteBatch(ticker: generator.tickers[index], columns: generator.quotes(at: index)))
    }
    try formatter.finish()
    return String(decoding: text, as: UTF8.self)
  }

  @Test func one_thread_and_several_write_the_same_bytes() throws {
    let folder = TemporaryDirectory()
    let text = try csv(tickers: 30, rows: TestSettings.isDebug ? 15_000 : 40_000, seed: 5)
    let lines = text.split(separator: "\n")
    // By ticker, and by day, so that tickers come again.
    let byDay = [lines[0]] + lines.dropFirst().sorted { $0.split(separator: ",")[1] < $1.split(separator: ",")[1] }
    for (name, text) in [("ticker.csv", text), ("day.csv", byDay.joined(separator: "\n"))] {
      let path = try folder.write(text.utf8, as: name)
      let expected = try storeBytes(path, threads: 1)
      #expect(!expected.blocks.isEmpty)
      for threads in [2, 3, 8] {
        let found = try storeBytes(path, threads: threads)
        #expect(found.names == expected.names && found.blocks == expected.blocks, "\(threads) threads, \(name)")
      }
    }
  }

  @Test func one_thread_and_several_name_the_same_bad_rows() throws {
    var lines = try csv(tickers: 20, rows: 20_000, seed: 6).split(separator: "\n").map(String.init)
    for line in [17, 5_000, 5_001, 12_345, 19_999] {
      lines[line] = lines[line].replacing(",", with: ",x", maxReplacements: 3)
    }
    lines[3_000] = ""
    lines[7_000] += ",1"
    lines[9_000] = lines[8_999] + "0"
    let text = lines.joined(separator: "\n")
    let tuning = ImportTuning(readByteCount: 10_000)
    let folder = TemporaryDirectory()
    let path = try folder.write(text.utf8, as: "all.csv")
    func imported(_ threads: Int) throws -> (summary: ImportSummary, sink: MemorySink) {
      var sink = MemorySink()
      let options = ImportOptions(skipsBadRows: true, threads: threads)
      return (try QuoteImporter(options: options, tuning: tuning).importFiles([path], into: &sink), sink)
    }
    let expected = try imported(1)
    #expect(expected.summary.badRows.count >= 7)
    #expect(expected.summary.badRows.first.first?.position.number == 18)
    for threads in [2, 5] {
      let found = try imported(threads)
      #expect(found.summary == expected.summary && found.sink.quotes == expected.sink.quotes, "\(threads) threads")
    }
  }

  @Test func one_thread_and_several_name_the_same_line_that_is_too_long() throws {
    let row = "2005-10-14,1\n"
    for (count, tail) in [(100, "\n"), (5_000, "\n2005-10-17,2\n"), (5_000, "")] {
      let text = "date,close\n" + String(repeating: row, count: count) + String(repeating: "1", count: 3_000) + tail
      let expected = "FDX.csv, line \(count + 2): longer than 2000 bytes; is this CSV or NDJSON?"
      // The reader finds it if a chunk is shorter than the line; otherwise the parser does.
      for readByteCount in [1_000, 10_000] {
        let tuning = ImportTuning(readByteCount: readByteCount, lineByteCountMax: 2_000)
        for threads in [1, 2, 5] {
          #expect(failure(of: text, options: ImportOptions(threads: threads), tuning: tuning) == expected)
        }
      }
    }
  }
}
