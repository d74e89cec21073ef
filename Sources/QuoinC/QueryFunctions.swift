// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CQuoin
import Quoin

// The functions of `quoin.h` that ask. The header says what they do.
//
// Sound throughout: what a pointer has to point to is in the header; pointers that can't are refused.

/// `quoin_scan`
@c @implementation
public func quoin_scan(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ rows: UnsafeMutablePointer<ArrowArrayStream>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe answer(error, rows) { () throws(Failure) in
    let open = unsafe try openStore(store)
    return unsafe try ScannedRows(try Question(query), of: open)
  }
}

/// `quoin_aggregate`
@c @implementation
public func quoin_aggregate(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ groups: UnsafePointer<quoin_groups>?,
  _ rows: UnsafeMutablePointer<ArrowArrayStream>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe answer(error, rows) { () throws(Failure) in
    let open = unsafe try openStore(store)
    return unsafe try GroupRows(query, groups, of: open)
  }
}

/// Writes a stream of what `makeSource` makes; a released one when it fails.
func answer(
  _ error: UnsafeMutablePointer<OpaquePointer?>?, _ rows: UnsafeMutablePointer<ArrowArrayStream>?,
  _ makeSource: () throws(Failure) -> any BatchSource
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let rows = unsafe try checked(rows, "rows")
    unsafe rows.initialize(to: ArrowArrayStream())
    unsafe ArrowStream.export(try makeSource(), to: rows)
  }
}

/// `quoin_count`
@c @implementation
public func quoin_count(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ count: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let (count, open) = unsafe (try checked(count, "count"), try openStore(store))
    let question = unsafe try Question(query)
    let snapshot = try question.snapshot(of: open)
    unsafe count.pointee = Int64(try question.ask(snapshot) { query throws(StoreError) in try query.count() })
  }
}

/// `quoin_explain`
@c @implementation
public func quoin_explain(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafePointer<CChar>? {
  var result: UnsafePointer<CChar>?
  _ = unsafe call(error) { () throws(Failure) in
    let open = unsafe try openStore(store)
    let question = unsafe try Question(query)
    let scan = try ScannedRows(question, of: open)
    unsafe result = try Live.blocks.copy(try scan.report().text)
  }
  return unsafe result
}

/// `quoin_remarks`
@c @implementation
public func quoin_remarks(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ groups: UnsafePointer<quoin_groups>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafePointer<CChar>? {
  var result: UnsafePointer<CChar>?
  _ = unsafe call(error) { () throws(Failure) in
    let open = unsafe try openStore(store)
    let texts = unsafe try options(groups, quoin_groups(), "quoin_groups")
    let asked = unsafe try Question(query, groups: texts).asked
    let remarks = asked.notes + asked.remarks(among: open.store.tickers).map { $0.text { $0.rawValue } }
    unsafe result = try Live.blocks.copy(remarks.joined(separator: "\n"))
  }
  return unsafe result
}

/// `quoin_inspect`
@c @implementation
public func quoin_inspect(
  _ query: UnsafePointer<quoin_query>?, _ groups: UnsafePointer<quoin_groups>?,
  _ facts: UnsafeMutablePointer<quoin_facts>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe call(error) { () throws(Failure) in
    let place = unsafe try checked(facts, "facts")
    let isOfGroups = unsafe groups != nil
    let (_, texts) = unsafe (
      try options(UnsafePointer(place), quoin_facts(), "quoin_facts"),
      try options(groups, quoin_groups(), "quoin_groups")
    )
    let asked = unsafe try Question(query, groups: isOfGroups ? texts : nil).asked
    unsafe place.pointee.key_count = UInt32(asked.keyCount)
    unsafe place.pointee.is_by_day = asked.isByDay ? 1 : 0
  }
}

/// `quoin_partitions`
@c @implementation
public func quoin_partitions(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ partCount: Int, _ ends: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<UnsafePointer<CChar>?>? {
  var result: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  _ = unsafe call(error) { () throws(Failure) in
    let (ends, open) = unsafe (try checked(ends, "ends"), try openStore(store))
    guard (1...CallLimits.partCount).contains(partCount) else {
      throw Failure(.misuse, "part_count is \(UInt(bitPattern: partCount)); it is from 1 to \(CallLimits.partCount)")
    }
    let question = unsafe try Question(query)
    let snapshot = try question.snapshot(of: open)
    var known: Set<TickerSymbol> = []
    let tickers = question.asked.tickers?.filter { known.insert($0).inserted }
    let parts: [[TickerSymbol]]
    do throws(StoreError) { parts = try snapshot.parts(partCount, of: tickers) } catch { throw Failure(error) }
    var end = 0
    for (index, part) in parts.enumerated() {
      end += part.count
      unsafe ends[index] = end
    }
    unsafe result = try list(parts.joined().map(\.utf8))
  }
  return unsafe result
}
