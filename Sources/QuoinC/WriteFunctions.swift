// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CQuoin
import Quoin

// The functions of `quoin.h` that write. The header says what they do.
//
// Sound throughout: what a pointer has to point to is in the header; pointers that can't are refused.

/// What a `quoin_write` says.
struct WriteOptions {
  let source: String?
  let ticker: TickerSymbol?
  let mode: UpsertMode
  let patience: Duration
  let threads: Int?
  /// Whether the last one of several rows of a day counts; else different ones are refused.
  let lastRowWins: Bool
  /// Whether columns that aren't known are left out; else they are refused.
  let ignoresExtraColumns: Bool

  init(_ options: UnsafePointer<quoin_write>?) throws(Failure) {
    let options = unsafe try QuoinC.options(options, quoin_write(), "quoin_write")
    unsafe source = try text(options.source, "source")
    ticker = unsafe try text(options.ticker, "ticker").map { text throws(Failure) in
      do throws(TickerSymbolError) { return try TickerSymbol(text) } catch { throw Failure(error, in: "ticker") }
    }
    let word = unsafe try text(options.mode, "mode") ?? UpsertMode.update.rawValue
    guard let mode = UpsertMode(rawValue: word) else {
      let words = UpsertMode.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.syntax, "mode: '\(word.shown)' isn't one of \(words)")
    }
    self.mode = mode
    patience = unsafe .milliseconds(options.patience)
    threads = unsafe options.threads == 0 ? nil : Int(options.threads)
    lastRowWins = unsafe try Self.isSaid("last", options.on_duplicate, "on_duplicate")
    ignoresExtraColumns = unsafe try Self.isSaid("ignore", options.on_extra, "on_extra")
  }

  /// Whether an option has this word; else it is NULL or "error".
  private static func isSaid(
    _ word: String, _ option: UnsafePointer<CChar>?, _ name: String
  ) throws(Failure) -> Bool {
    let said = unsafe try text(option, name) ?? "error"
    guard ["error", word].contains(said) else {
      throw Failure(.syntax, "\(name): '\(said.shown)' isn't one of error, \(word)")
    }
    return said == word
  }
}

/// `quoin_import`
@c @implementation
public func quoin_import(
  _ store: OpaquePointer?, _ rows: UnsafeMutablePointer<ArrowArrayStream>?, _ options: UnsafePointer<quoin_write>?,
  _ counts: UnsafeMutablePointer<quoin_counts>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let rows = unsafe try checked(rows, "rows")
    // The stream goes, whatever happens.
    defer {
      unsafe rows.pointee.release?(rows)
    }
    let (store, options) = unsafe (try openStore(store).writable(), try WriteOptions(options))
    try unsafe checkSize(counts)
    let reader = unsafe try ArrowReader(rows, of: options.ticker, ignoringExtraColumns: options.ignoresExtraColumns)
    let done = try store.importRows(of: reader, options)
    unsafe write(done, to: counts)
  }
}

/// `quoin_import_files`
@c @implementation
public func quoin_import_files(
  _ store: OpaquePointer?, _ paths: UnsafePointer<UnsafePointer<CChar>?>?, _ pathCount: Int,
  _ options: UnsafePointer<quoin_write>?, _ counts: UnsafeMutablePointer<quoin_counts>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, options) = unsafe (try openStore(store).writable(), try WriteOptions(options))
    let paths = unsafe try texts(paths, pathCount, "paths").map { unsafe PathText.text($0) }
    if paths.isEmpty { throw Failure(.misuse, "path_count is 0; name a file at least") }
    if paths.contains("-") { throw Failure(.misuse, "'-' is standard input, which isn't read here; name a file") }
    try unsafe checkSize(counts)
    var importOptions = ImportOptions(
      ticker: options.ticker, mode: options.mode, lastRowWins: options.lastRowWins, source: options.source)
    if let threads = options.threads { importOptions.threads = threads }
    let done: UpsertCounts
    do throws(ImportError) {
      done = try store.importFiles(paths, options: importOptions, patience: options.patience).counts
    } catch { throw Failure(error) }
    unsafe write(done, to: counts)
  }
}

/// `quoin_publish`
@c @implementation
public func quoin_publish(
  _ path: UnsafePointer<CChar>?, _ stores: UnsafePointer<UnsafePointer<CChar>?>?, _ storeCount: Int, _ flags: UInt32,
  _ options: UnsafePointer<quoin_write>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let path = unsafe PathText.text(try textBytes(path, "path"))
    let stores = unsafe try texts(stores, storeCount, "stores").map { unsafe PathText.text($0) }
    if stores.isEmpty, flags == 0 { throw Failure(.misuse, "store_count is 0; name a store at least") }
    for store in stores where !store.hasPrefix(path + "/") {
      throw Failure(.misuse, "stores: '\(store)' isn't inside '\(path)'")
    }
    guard flags == 0 || flags == UInt32(QUOIN_REPLACE) else { throw Failure(.misuse, "flags are 0 or QUOIN_REPLACE") }
    let patience = unsafe try WriteOptions(options).patience
    do throws(StoreError) {
      try QuoteStore.publish(stores, in: path, replacing: flags != 0, patience: patience)
    } catch { throw Failure(error) }
  }
}

/// `quoin_delete`
@c @implementation
public func quoin_delete(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ options: UnsafePointer<quoin_write>?,
  _ count: UnsafeMutablePointer<Int64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (open, options, wanted) = unsafe (
      try openStore(store), try WriteOptions(options), try optional(count, "count")
    )
    let store = try open.writable()
    let question = unsafe try Question(query)
    let (tickers, predicate) = try question.deletedRows
    guard tickers != nil || predicate != nil else {
      throw Failure(.misuse, "say which rows to delete: tickers, where, from or to")
    }
    _ = try question.snapshot(of: open)
    let count: Int
    do throws(StoreError) {
      count =
        switch (tickers, predicate) {
        case (let tickers?, let predicate?):
          try store.delete(tickers, where: predicate, patience: options.patience)
        case (let tickers?, nil): try store.delete(tickers, patience: options.patience)
        case (nil, let predicate?): try store.delete(where: predicate, patience: options.patience)
        case (nil, nil): 0
        }
    } catch { throw Failure(error) }
    unsafe wanted?.pointee = Int64(count)
  }
}

/// `quoin_keep_snapshot`
@c @implementation
public func quoin_keep_snapshot(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, name) = unsafe (
      try openStore(store).writable(), String(decoding: try textBytes(name, "name"), as: UTF8.self)
    )
    do throws(StoreError) { try store.keepSnapshot(named: name) } catch { throw Failure(error) }
  }
}

/// `quoin_drop_snapshot`
@c @implementation
public func quoin_drop_snapshot(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, name) = unsafe (
      try openStore(store).writable(), String(decoding: try textBytes(name, "name"), as: UTF8.self)
    )
    do throws(StoreError) {
      guard try store.dropSnapshot(named: name) else { throw .noSnapshot(path: store.path, name: name.shown) }
    } catch { throw Failure(error) }
  }
}

/// Refuses a struct for counts of another version's size.
func checkSize(_ counts: UnsafeMutablePointer<quoin_counts>?) throws(Failure) {
  _ = unsafe try options(UnsafePointer(counts), quoin_counts(), "quoin_counts")
}

func write(_ done: UpsertCounts, to counts: UnsafeMutablePointer<quoin_counts>?) {
  guard let counts = unsafe counts else { return }
  let numbers = [done.inserted, done.replaced, done.unchanged, done.kept, done.empty].map { Int64($0) }
  unsafe UnsafeMutableRawPointer(counts).withMemoryRebound(to: Int64.self, capacity: 6) { fields in
    // As many as the caller has.
    for (index, number) in numbers.enumerated() where unsafe (index + 2) * 8 <= counts.pointee.size {
      unsafe fields[index + 1] = number
    }
  }
}

extension QuoteStore {
  /// So many rows wait in memory at most, but for those of a batch.
  private static let waitingRowCount = 1 << 18

  /// Stores the rows of a reader as one commit.
  fileprivate func importRows(of reader: ArrowReader, _ options: WriteOptions) throws(Failure) -> UpsertCounts {
    let source = options.source ?? "Arrow"
    do {
      return try write(patience: options.patience) { transaction in
        var counts = UpsertCounts()
        var (waiting, waitingCount): ([TickerSymbol: QuoteColumns], Int) = ([:], 0)
        var (days, isAtEnd) = (DaysBrought(), false)
        while !isAtEnd {
          if let quotes = try reader.next() {
            for (ticker, rows) in quotes {
              waitingCount += rows.rowCount
              waiting[ticker, default: QuoteColumns(attributes: rows.attributes)].append(rows)
            }
          } else {
            isAtEnd = true
          }
          if !isAtEnd, waitingCount < Self.waitingRowCount { continue }
          if options.lastRowWins {
            counts += try transaction.upsert(waiting, source: source, mode: options.mode)
          } else {
            counts += try transaction.upsert(waiting, source: source, mode: options.mode, after: &days)
          }
          (waiting, waitingCount) = ([:], 0)
        }
        return counts
      }
    } catch let error as StoreError {
      throw Failure(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(.other, "\(error)")
    }
  }
}
