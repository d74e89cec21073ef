// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CQuoin
import Quoin

// The functions of `quoin.h` about snapshots, differences and findings. The header says what they do.
//
// Sound throughout: what a pointer has to point to is in the header; pointers that can't are refused.

/// `quoin_shards`
@c @implementation
public func quoin_shards(
  _ store: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<UnsafePointer<CChar>?>? {
  var result: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  _ = unsafe call(error) { () throws(Failure) in
    let shards = unsafe try openStore(store).shards
    unsafe result = try list(shards.flatMap { [Array($0.path.utf8), Array("\($0.generation)".utf8)] }, count)
  }
  return unsafe result
}

/// `quoin_snapshots`
@c @implementation
public func quoin_snapshots(
  _ store: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<UnsafePointer<CChar>?>? {
  var result: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  _ = unsafe call(error) { () throws(Failure) in
    let names = unsafe try openStore(store).store.snapshots.compactMap(\.name)
    unsafe result = try list(names.map { Array($0.utf8) }, count)
  }
  return unsafe result
}

/// `quoin_open_snapshot`
@c @implementation
public func quoin_open_snapshot(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  var result: OpaquePointer?
  _ = unsafe call(error) { () throws(Failure) in
    let (store, name) = unsafe (
      try openStore(store).store, String(decoding: try textBytes(name, "name"), as: UTF8.self)
    )
    unsafe result = Live.stores.add(OpenStore(try snapshot(name, of: store)))
  }
  return unsafe result
}

/// A snapshot by its name, or a generation that is kept by its number. No name of a snapshot begins with a digit.
func snapshot(_ name: String, of store: QuoteStore) throws(Failure) -> QuoteStore {
  let found: QuoteStore?
  do throws(StoreError) {
    if let number = UInt64(name) {
      found = try store.snapshot(ofGeneration: number)
    } else {
      found = try store.snapshot(named: name)
    }
  } catch { throw Failure(error) }
  if let found { return found }
  let names = store.snapshots.compactMap(\.name)
  let hint =
    Suggestion.question(for: String(name.prefix(64)), among: names)
    ?? "it keeps \(names.isEmpty ? "none" : names.joined(separator: ", "))"
  throw Failure(.unknownSnapshot, "'\(store.path)' keeps no snapshot '\(name.shown)'; \(hint)")
}

/// `quoin_diff`
@c @implementation
public func quoin_diff(
  _ newer: OpaquePointer?, _ older: OpaquePointer?, _ rows: UnsafeMutablePointer<ArrowArrayStream>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe answer(error, rows) { () throws(Failure) in
    let (newer, older) = unsafe (try openStore(newer).store, try openStore(older).store)
    return DifferenceRows(from: older, to: newer)
  }
}

/// `quoin_check`
@c @implementation
public func quoin_check(
  _ store: OpaquePointer?, _ query: UnsafePointer<quoin_query>?, _ rules: UnsafePointer<quoin_rules>?,
  _ rows: UnsafeMutablePointer<ArrowArrayStream>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> quoin_code {
  unsafe answer(error, rows) { () throws(Failure) in
    let open = unsafe try openStore(store)
    let question = unsafe try Question(query)
    var options = unsafe try auditOptions(rules)
    let snapshot = try question.snapshot(of: open)
    (options.tickers, options.from, options.to) = try question.plainRows(of: snapshot, for: "quoin_check")
    options.threads = question.asked.threads ?? AuditOptions.defaultThreads
    return try FindingRows(options, in: snapshot, question.interrupt)
  }
}

private func auditOptions(_ rules: UnsafePointer<quoin_rules>?) throws(Failure) -> AuditOptions {
  let rules = unsafe try options(rules, quoin_rules(), "quoin_rules")
  var options = unsafe AuditOptions(jump: rules.jump == 0 ? AuditOptions.defaultJump : rules.jump)
  guard options.jump > 0, options.jump < .infinity else {
    throw Failure(.misuse, "jump is \(options.jump); it has to be above 0")
  }
  guard let names = unsafe try text(rules.rules, "rules") else { return options }
  options.rules = []
  for name in names.split(separator: ",", omittingEmptySubsequences: false) {
    let name = name.lowercased().filter { $0 != " " }
    guard let rule = AuditRule(rawValue: name) else {
      let hint = Suggestion.hint(for: String(name.prefix(40)), among: AuditRule.allCases.map(\.rawValue))
      throw Failure(.syntax, "rules: unknown rule '\(name.shown)'; \(hint)")
    }
    options.rules.insert(rule)
  }
  return options
}
