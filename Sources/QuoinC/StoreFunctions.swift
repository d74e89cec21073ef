// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CQuoin
import Quoin

// The functions of `quoin.h` about the library, errors and stores. The header says what they do.
//
// Sound throughout: what a pointer has to point to is in the header; pointers that can't are refused.

private let versionText = CText(Release.version)
private let emptyText = CText("")

/// `quoin_abi`
@c @implementation
public func quoin_abi() -> UInt32 { UInt32(QUOIN_ABI) }

/// `quoin_version`
@c @implementation
public func quoin_version() -> UnsafePointer<CChar>? { unsafe versionText.start }

/// `quoin_error_code`
@c @implementation
public func quoin_error_code(_ error: OpaquePointer?) -> quoin_code { unsafe Live.errors[error]?.code ?? .ok }

/// `quoin_error_message`
@c @implementation
public func quoin_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe (Live.errors[error]?.message ?? emptyText).start
}

/// `quoin_error_free`
@c @implementation
public func quoin_error_free(_ error: OpaquePointer?) { unsafe Live.errors.remove(error) }

/// `quoin_open`
@c @implementation
public func quoin_open(
  _ path: UnsafePointer<CChar>?, _ flags: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  var store: OpaquePointer?
  _ = unsafe call(error) { () throws(Failure) in
    let path = unsafe PathText.text(try textBytes(path, "path"))
    let modes = [QUOIN_READ_ONLY, QUOIN_READ_WRITE, QUOIN_CREATE].map { UInt32($0) }
    guard let mode = modes.firstIndex(of: flags) else {
      throw Failure(.misuse, "flags are one of QUOIN_READ_ONLY, QUOIN_READ_WRITE and QUOIN_CREATE")
    }
    do throws(StoreError) {
      unsafe store = Live.stores.add(try OpenStore(path, mustExist: mode < 2, isWritable: mode > 0))
    } catch { throw Failure(error) }
  }
  return unsafe store
}

/// `quoin_open_shards`
@c @implementation
public func quoin_open_shards(
  _ paths: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  var store: OpaquePointer?
  _ = unsafe call(error) { () throws(Failure) in
    let paths = unsafe try texts(paths, count, "paths").map(PathText.text)
    if paths.isEmpty { throw Failure(.misuse, "count is 0; name a store at least") }
    do throws(StoreError) { unsafe store = Live.stores.add(try OpenStore(paths)) } catch { throw Failure(error) }
  }
  return unsafe store
}

/// `quoin_limit_questions`
@c @implementation
public func quoin_limit_questions(
  _ store: OpaquePointer?, _ seconds: Double, _ megabytes: UInt64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let store = unsafe try openStore(store)
    guard seconds >= 0 else { throw Failure(.misuse, "seconds is \(seconds); it is a number from 0 on") }
    var limits = QuestionLimits.standard
    if seconds > 0 { limits.seconds = seconds }
    if megabytes > 0 { limits.megabytes = Int(clamping: megabytes) }
    store.limitQuestions(to: limits)
  }
}

/// `quoin_interrupt`
@c @implementation
public func quoin_interrupt(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in unsafe try openStore(store).interrupt() }
}

/// `quoin_close`
@c @implementation
public func quoin_close(_ store: OpaquePointer?) { unsafe Live.stores.remove(store) }

/// `quoin_refresh`
@c @implementation
public func quoin_refresh(
  _ store: OpaquePointer?, _ generation: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (store, wanted) = unsafe (try openStore(store), try optional(generation, "generation"))
    do throws(StoreError) {
      let generation = try store.refresh()
      unsafe wanted?.pointee = generation
    } catch { throw Failure(error) }
  }
}

/// `quoin_tickers`
@c @implementation
public func quoin_tickers(
  _ store: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<UnsafePointer<CChar>?>? {
  var result: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  _ = unsafe call(error) { () throws(Failure) in
    unsafe result = try list(try openStore(store).store.tickers.map(\.utf8), count)
  }
  return unsafe result
}

/// `quoin_free`
@c @implementation
public func quoin_free(_ block: UnsafeRawPointer?) { unsafe Live.blocks.release(block) }

/// `quoin_live_count`
@c @implementation
public func quoin_live_count() -> Int64 { Int64(Live.count) }
