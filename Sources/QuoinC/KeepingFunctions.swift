// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CQuoin
import Quoin

// The functions of `quoin.h` that keep a store: going back, whole tickers, backups. The header says what they do.
//
// Sound throughout: what a pointer has to point to is in the header; pointers that can't are refused.

/// `quoin_undo`
@c @implementation
public func quoin_undo(
  _ store: OpaquePointer?, _ options: UnsafePointer<quoin_write>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, options) = unsafe (try openStore(store).writable(), try WriteOptions(options))
    do throws(StoreError) { try store.undo(patience: options.patience) } catch { throw Failure(error) }
  }
}

/// `quoin_restore`
@c @implementation
public func quoin_restore(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ options: UnsafePointer<quoin_write>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, options) = unsafe (try openStore(store).writable(), try WriteOptions(options))
    let name = unsafe String(decoding: try textBytes(name, "name"), as: UTF8.self)
    let generation = try snapshot(name, of: store).generation
    do throws(StoreError) { try store.restore(generation: generation, patience: options.patience) } catch {
      throw Failure(error)
    }
  }
}

/// `quoin_rename`
@c @implementation
public func quoin_rename(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<quoin_write>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (open, options) = unsafe (try openStore(store), try WriteOptions(options))
    let store = try open.writable()
    let question = unsafe try Question(query)
    guard let ticker = question.asked.tickers?.first, question.asked.tickers?.count == 1 else {
      throw Failure(.misuse, "tickers: quoin_rename takes one ticker")
    }
    let (_, first, last) = try question.plainRows(of: try question.snapshot(of: open), for: "quoin_rename")
    let bytes = unsafe try textBytes(name, "name")
    let new: TickerSymbol
    do throws(TickerSymbolError) { new = unsafe try TickerSymbol(utf8: bytes) } catch {
      throw Failure(error, in: "name")
    }
    do throws(StoreError) {
      try store.rename(ticker, to: new, from: first, through: last, patience: options.patience)
    } catch { throw Failure(error) }
  }
}

/// `quoin_merge`
@c @implementation
public func quoin_merge(
  _ store: OpaquePointer?, _ other: OpaquePointer?, _ query: UnsafePointer<quoin_query>?,
  _ options: UnsafePointer<quoin_write>?, _ counts: UnsafeMutablePointer<quoin_counts>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, other, options) = unsafe (
      try openStore(store).writable(), try openStore(other), try WriteOptions(options)
    )
    try unsafe checkSize(counts)
    let question = unsafe try Question(query)
    let tickers = try question.wholeTickers(for: "quoin_merge")
    let source = try question.snapshot(of: other)
    let done: UpsertCounts
    do throws(StoreError) {
      done = try store.merge(source, tickers: tickers, mode: options.mode, patience: options.patience)
    } catch { throw Failure(error) }
    unsafe write(done, to: counts)
  }
}

/// `quoin_adjust`
@c @implementation
public func quoin_adjust(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ flags: UInt32,
  _ options: UnsafePointer<quoin_write>?, _ counts: UnsafeMutablePointer<quoin_counts>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (open, options) = unsafe (try openStore(store), try WriteOptions(options))
    let store = try open.writable()
    try unsafe checkSize(counts)
    let (replaces, trusts) = (UInt32(QUOIN_REPLACE), UInt32(QUOIN_TRUST_SPLITS))
    guard flags & ~(replaces | trusts) == 0 else {
      throw Failure(.misuse, "flags are 0, QUOIN_REPLACE, QUOIN_TRUST_SPLITS, or both")
    }
    let question = unsafe try Question(query)
    let tickers = try question.wholeTickers(for: "quoin_adjust") ?? store.tickers
    _ = try question.snapshot(of: open)
    let done: UpsertCounts
    do throws(StoreError) {
      done = try store.adjust(
        tickers, replacing: flags & replaces != 0, trustingSplits: flags & trusts != 0, patience: options.patience)
    } catch { throw Failure(error) }
    unsafe write(done, to: counts)
  }
}

/// `quoin_compact`
@c @implementation
public func quoin_compact(
  _ store: OpaquePointer?, _ packing: UnsafePointer<CChar>?, _ options: UnsafePointer<quoin_write>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, options) = unsafe (try openStore(store).writable(), try WriteOptions(options))
    let packing = unsafe try text(packing, "packing").map { word throws(Failure) in
      guard let packing = BlockPacking(rawValue: word) else {
        let words = BlockPacking.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(.syntax, "packing: '\(word.shown)' isn't one of \(words)")
      }
      return packing
    }
    do throws(StoreError) { try store.compact(packing: packing, patience: options.patience) } catch {
      throw Failure(error)
    }
  }
}

/// `quoin_back_up`
@c @implementation
public func quoin_back_up(
  _ store: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<quoin_write>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, options) = unsafe (try openStore(store).inOneDirectory(), try WriteOptions(options))
    let path = unsafe PathText.text(try textBytes(path, "path"))
    do throws(StoreError) { try store.backUp(to: path, patience: options.patience) } catch { throw Failure(error) }
  }
}

/// `quoin_verify`
@c @implementation
public func quoin_verify(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafePointer<CChar>? {
  var result: UnsafePointer<CChar>?
  _ = unsafe call(error) { () throws(Failure) in
    let store = unsafe try openStore(store).inOneDirectory()
    let report: VerifyReport
    do throws(StoreError) { report = try store.verify() } catch { throw Failure(error) }
    unsafe result = try Live.blocks.copy(report.damages.map { "\($0)" }.joined(separator: "\n"))
  }
  return unsafe result
}
