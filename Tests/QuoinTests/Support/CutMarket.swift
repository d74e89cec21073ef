import Foundation
import Synchronization
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// A small store in a folder of its own, whose files are cut and put back.
final class CutMarket: Sendable {
  let path: String
  private let contents: [String: [UInt8]]
  private let tickers: [TickerSymbol]

  init() throws {
    var template = Array("/tmp/quoin-cut-XXXXXX".utf8CString)
    let folder = unsafe template.withUnsafeMutableBufferPointer { unsafe String(cString: mkdtemp($0.baseAddress!)) }
    path = folder
    let market = try QuoteGenerator(tickerCount: 4, rowCount: 4_000, seed: 1)
    let store = try QuoteStore(at: path)
    try store.write { transaction in
      for (index, ticker) in market.tickers.enumerated() {
        try transaction.upsert(market.quotes(at: index), of: ticker)
      }
    }
    tickers = store.tickers
    contents = Dictionary(
      uniqueKeysWithValues: try SystemFiles().names(in: path).map { name in
        let file = try SystemFiles().map(folder + "/" + name)
        defer { withExtendedLifetime(file) {} }
        return (folder + "/" + name, file.view.array)
      })
  }

  deinit { _ = unsafe system("rm -rf \(path)") }

  var columnFile: String { path + "/00000001.columns" }

  func cut(_ file: String, to byteCount: Int) { #expect(unsafe truncate(file, off_t(byteCount)) == 0) }

  /// Writes the file's bytes into it, as `cp` does.
  func putBack(_ file: String) { write(contents[file] ?? [], to: file, at: 0, O_TRUNC) }

  func overwrite(_ file: String, at offset: Int, byteCount: Int) {
    write([UInt8](repeating: 0, count: byteCount), to: file, at: offset, 0)
  }

  private func write(_ bytes: [UInt8], to file: String, at offset: Int, _ flags: Int32) {
    let descriptor = unsafe open(file, O_WRONLY | flags)
    defer { close(descriptor) }
    #expect(unsafe pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  /// All that a question can bring of the store.
  struct Content: Equatable {
    var rows: [DailyQuoteSummary]
    var count: Int
    var sums: [Double?]
  }

  func content(of store: QuoteStore) throws(StoreError) -> Content {
    let aggregates = try store.allQuotes.aggregate([.sum(.close), .max(.adjustedHigh)], by: .month)
    return Content(
      rows: Array(try store.allQuotes.fetch()), count: try store.allQuotes.where(.close, in: 20...60).count(),
      sums: aggregates.doubles(.sum(.close)) + aggregates.doubles(.max(.adjustedHigh)))
  }

  func readBeyondTheEndOfAnotherFile() throws {
    let file = path + "/other"
    let descriptor = unsafe open(file, O_RDWR | O_CREAT, 0o600)
    ftruncate(descriptor, 8192)
    let memory = unsafe mmap(nil, 8192, PROT_READ, MAP_SHARED, descriptor, 0)
    ftruncate(descriptor, 0)
    print(unsafe memory?.load(fromByteOffset: 4096, as: UInt8.self) ?? 0)
  }

  /// Cuts files at random places and puts them back, while threads read and compare.
  func read(threads: Int, cuts: Int) throws {
    let whole = try content(of: QuoteStore(at: path))
    let tally = Mutex((isOver: false, right: 0, wrong: 0, errors: 0))
    let readers = DispatchGroup()
    for _ in 0..<threads {
      readers.enter()
      Thread.detachNewThread { [self] in
        defer { readers.leave() }
        var store: QuoteStore?
        while !tally.withLock({ $0.isOver }) {
          do {
            let open = try store ?? QuoteStore(at: path)
            store = open
            let isRight = try content(of: open) == whole
            tally.withLock { if isRight { $0.right += 1 } else { $0.wrong += 1 } }
          } catch {
            tally.withLock { $0.errors += 1 }
            store = nil
          }
        }
      }
    }
    cutFiles(cuts) { tally.withLock { $0.right } }
    tally.withLock { $0.isOver = true }
    readers.wait()
    let (_, right, wrong, errors) = tally.withLock { $0 }
    #expect(right > 0 && wrong == 0 && errors > 0)
    print(
      "promise 20: the library, \(cuts) cuts under \(threads) threads: \(right) right answers, \(wrong) wrong, \(errors) errors"
    )
  }

  /// Cuts files and puts them back: twice in a row, and then once somebody has read the whole store, if that doesn't take long.
  private func cutFiles(_ count: Int, rightCount: () -> Int) {
    var dice = TestSettings.dice("cuts")
    for number in 0..<count {
      let (file, bytes) = dice.element(of: contents.sorted { $0.key < $1.key })
      cut(file, to: dice.below(bytes.count + 1))
      usleep(UInt32(dice.below(3_000)))
      putBack(file)
      let before = rightCount()
      for _ in 0..<200 where number % 2 == 1 && rightCount() == before { usleep(1_000) }
    }
  }
}
