import CQuoin
import Foundation
import Quoin
import Testing

@testable import QuoteGenerator

extension CInterface {
  /// All functions in random order with random arguments: handles that are open, closed or made up, texts that may be none, structs
  /// of other sizes, streams in any state. Whatever the answers are, no call ends the process, and at last nothing is alive.
  @Suite struct RandomCallTests {
    @Test func random_calls_end_no_process() throws {
      let environment = ProcessInfo.processInfo.environment
      let count = environment["QUOIN_C_CALLS"].flatMap { Int($0) } ?? 20_000
      let seed = environment["QUOIN_SEED"].flatMap { UInt64($0) } ?? 1
      let before = quoin_live_count()
      let counts = try { () throws -> [quoin_code.RawValue: Int] in
        let market = try TestMarket(Self.rows)
        var caller = RandomCaller(market.path, SeededRandom(seed: seed))
        for _ in 0..<count { caller.call() }
        caller.releaseAll()
        return caller.codes
      }()
      let answers = counts[QUOIN_OK.rawValue] ?? 0
      let codes = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      print("promise 21: \(count) random calls, QUOIN_SEED=\(seed), answers by code \(codes)")
      #expect(counts.values.reduce(0, +) == count && answers > count / 20 && answers < count)
      #expect(quoin_live_count() == before)
    }

    private static var rows: [TickerSymbol: QuoteColumns] {
      get throws {
        var rows: [TickerSymbol: QuoteColumns] = [:]
        for (index, ticker) in (["A", "BRK.A", "SPY"] as [TickerSymbol]).enumerated() {
          let days = (0..<30).map { TradingDay(daysSince1970: $0 - 20 + index)! }
          rows[ticker] = try QuoteColumns(
            days: days, doubles: [.close: days.indices.map { $0 % 7 == 3 ? .nan : Double($0 * 37 % 101) }],
            integers: [.volume: days.indices.map { Int64($0 * 1000) }])
        }
        return rows
      }
    }
  }
}

/// Makes one call after another.
private struct RandomCaller {
  private var dice: SeededRandom
  private let path: String
  private var handles: [OpaquePointer?] = [nil, OpaquePointer(bitPattern: 0x7777), OpaquePointer(bitPattern: UInt.max)]
  private var open: [OpaquePointer] = []
  private var streams: [CStream] = []
  private(set) var codes: [quoin_code.RawValue: Int] = [:]

  private static let handleCount = 12
  private static let streamCount = 8

  init(_ path: String, _ dice: SeededRandom) { (self.path, self.dice) = (path, dice) }

  private var handle: OpaquePointer? {
    // Most of them are open.
    mutating get {
      open.isEmpty || dice.chance(0.1) ? handles[dice.below(handles.count)] : open[dice.below(open.count)]
    }
  }

  private mutating func text() -> String? { RandomTexts.text(&dice) }

  mutating func releaseAll() {
    streams = []
    for handle in open { quoin_close(handle) }
    open = []
  }

  /// Makes a call, and counts what it answers.
  mutating func call() {
    var error: OpaquePointer?
    let code = oneCall(&error)
    if let error {
      let words = quoin_error_message(error).map { String(cString: $0) } ?? ""
      precondition(quoin_error_code(error) == code && !words.isEmpty, "\(code) with the error '\(words)'")
    }
    quoin_error_free(error)
    codes[code.rawValue, default: 0] += 1
  }

  private mutating func oneCall(_ error: inout OpaquePointer?) -> quoin_code {
    switch dice.below(100) {
    case 0..<6: return openStore(&error)
    case 6..<7: return close()
    case 7..<10:
      var generation: UInt64 = 0
      return quoin_refresh(handle, &generation, &error)
    case 10..<14: return list(&error) { quoin_tickers($0, nil, $1) }
    case 14: return list(&error) { quoin_shards($0, nil, $1) }
    case 15: return list(&error) { quoin_snapshots($0, nil, $1) }
    case 16..<50: return scan(&error)
    case 50..<60: return read()
    case 60..<70: return ask(&error)
    case 70..<80: return aggregate(&error)
    case 80..<84: return check(&error)
    case 84..<88:
      let (newer, older, stream) = (handle, handle, CStream())
      return keep(stream, quoin_diff(newer, older, stream.pointer, &error))
    case 88..<90: return quoin_keep_snapshot(handle, nil, &error)
    default: return write(&error)
    }
  }

  private mutating func openStore(_ error: inout OpaquePointer?) -> quoin_code {
    let made: OpaquePointer?
    let paths = [path, path, path, path + "/none", "", "/dev/null"]
    switch dice.below(4) {
    case 0:
      let name = text() ?? "first"
      made = quoin_open_snapshot(handle, name, &error)
    case 1:
      var texts = CTexts()
      defer { texts.wipe() }
      let list = (0..<dice.below(3)).map { _ in texts.add(paths[dice.below(paths.count)]) }
      made = quoin_open_shards(list, list.count, &error)
    default: made = quoin_open(paths[dice.below(paths.count)], UInt32(dice.below(3) == 0 ? dice.below(9) : 0), &error)
    }
    guard let made else { return quoin_error_code(error) }
    handles.append(made)
    open.append(made)
    if open.count > Self.handleCount { return close() }
    return QUOIN_OK
  }

  private mutating func close() -> quoin_code {
    let handle = handle
    open.removeAll { $0 == handle }
    quoin_close(handle)
    if handles.count > 4 * Self.handleCount { handles.removeSubrange(3..<handles.count - Self.handleCount) }
    return QUOIN_OK
  }

  private mutating func list(
    _ error: inout OpaquePointer?,
    _ body: (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>) -> UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> quoin_code {
    let list = body(handle, &error)
    quoin_free(list)
    return list == nil ? quoin_error_code(error) : QUOIN_OK
  }

  private mutating func query() -> CQuery {
    func maybe(_ chance: Double, _ text: String?) -> String? { dice.chance(chance) ? text : nil }
    var query = CQuery(threads: 1)
    if dice.chance(0.1) { query.tickers = (0..<dice.below(3)).map { _ in text() ?? "A" } }
    query.condition = maybe(0.3, text())
    (query.from, query.asOf) = (maybe(0.05, text()), maybe(0.05, text()))
    (query.resample, query.label) = (maybe(0.05, text()), maybe(0.02, text()))
    (query.columns, query.order) = (maybe(0.2, text()), maybe(0.1, text()))
    (query.definitions, query.top) = (maybe(0.1, text()), maybe(0.05, text()))
    if dice.chance(0.3) { query.limit = Int64(bitPattern: dice.next()) >> Int64(dice.below(64)) }
    if dice.chance(0.1) { query.offset = Int64(dice.below(9)) - 1 }
    let names = QuestionField.all.map(\.name.rawValue) + ["", "no field"]
    if dice.chance(0.2) {
      query.fields = (0...dice.below(3)).map { _ in (names[dice.below(names.count)], maybe(0.9, text())) }
    }
    if dice.chance(0.3) { query.flags = UInt32(dice.below(20) == 0 ? 4 : dice.below(4)) }
    return query
  }

  private mutating func scan(_ error: inout OpaquePointer?) -> quoin_code {
    let (handle, stream) = (handle, CStream())
    return keep(stream, query().withC { quoin_scan(handle, $0, stream.pointer, &error) })
  }

  /// Keeps a stream for later calls, and drops another one.
  private mutating func keep(_ stream: CStream, _ code: quoin_code) -> quoin_code {
    precondition(
      (code == QUOIN_OK) != stream.isReleased, "\(code), and the stream is \(stream.isReleased ? "" : "not ")released")
    if code == QUOIN_OK { streams.append(stream) }
    if streams.count > Self.streamCount { streams.remove(at: dice.below(streams.count)) }
    return code
  }

  private mutating func read() -> quoin_code {
    guard !streams.isEmpty else { return QUOIN_MISUSE }
    let stream = streams[dice.below(streams.count)]
    do {
      if dice.chance(0.3) { _ = try stream.schema() } else { _ = try stream.next() }
      return QUOIN_OK
    } catch {
      precondition(stream.lastError?.isEmpty == false, "a stream fails without words")
      return QUOIN_OTHER
    }
  }

  private mutating func ask(_ error: inout OpaquePointer?) -> quoin_code {
    let (handle, choice, query) = (handle, dice.below(5), query())
    var (count, ends) = (Int64(0), [0, 0, 0, 0])
    let partCount = dice.chance(0.1) ? Int(bitPattern: UInt(truncatingIfNeeded: dice.next())) | 1 << 40 : dice.below(5)
    return query.withC { query in
      switch choice {
      case 0: return quoin_count(handle, query, &count, &error)
      case 1:
        let text = quoin_explain(handle, query, &error)
        quoin_free(text)
        return text == nil ? quoin_error_code(error) : QUOIN_OK
      case 2:
        let text = quoin_remarks(handle, query, nil, &error)
        quoin_free(text)
        return text == nil ? quoin_error_code(error) : QUOIN_OK
      case 3:
        var facts = quoin_facts(size: MemoryLayout<quoin_facts>.size, key_count: 0, is_by_day: 0)
        return quoin_inspect(query, nil, &facts, &error)
      default:
        let list = quoin_partitions(handle, query, partCount, &ends, &error)
        quoin_free(list)
        return list == nil ? quoin_error_code(error) : QUOIN_OK
      }
    }
  }

  private mutating func aggregate(_ error: inout OpaquePointer?) -> quoin_code {
    let (handle, query, stream) = (handle, query(), CStream())
    var texts = CTexts()
    defer { texts.wipe() }
    var groups = quoin_groups(
      size: dice.chance(0.1) ? dice.below(80) : MemoryLayout<quoin_groups>.size, aggregates: texts.add(text()),
      by: texts.add(dice.chance(0.5) ? "month" : text()), having: dice.chance(0.2) ? texts.add(text()) : nil)
    // The size may say more than there is, but not beyond these zeros.
    let code = withUnsafeMutablePointer(to: &groups) { groups -> quoin_code in
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 16)
      defer { room.deallocate() }
      room.initializeMemory(as: UInt8.self, repeating: 0)
      room.baseAddress!.copyMemory(from: groups, byteCount: MemoryLayout<quoin_groups>.size)
      return query.withC {
        quoin_aggregate(
          handle, $0, room.baseAddress!.assumingMemoryBound(to: quoin_groups.self), stream.pointer, &error)
      }
    }
    return keep(stream, code)
  }

  private mutating func check(_ error: inout OpaquePointer?) -> quoin_code {
    let (handle, stream) = (handle, CStream())
    var query = CQuery(threads: 1)
    if dice.chance(0.3) { query = self.query() }
    var texts = CTexts()
    defer { texts.wipe() }
    var rules = quoin_rules(
      size: MemoryLayout<quoin_rules>.size, rules: dice.chance(0.5) ? texts.add(text()) : nil,
      jump: dice.chance(0.3) ? Double(bitPattern: dice.next()) : 0)
    return keep(stream, query.withC { quoin_check(handle, $0, &rules, stream.pointer, &error) })
  }

  /// Writes, of which few succeed: a commit takes as long as a hundred other calls.
  private mutating func write(_ error: inout OpaquePointer?) -> quoin_code {
    let isAllowed = dice.chance(0.005)
    // A store that is open for reading refuses.
    let handle = isAllowed ? self.handle : nil
    var texts = CTexts()
    defer { texts.wipe() }
    var options = quoin_write(
      size: MemoryLayout<quoin_write>.size, source: texts.add(text()),
      ticker: dice.chance(0.2) ? texts.add(text()) : nil,
      mode: dice.chance(0.3) ? texts.add(text()) : nil, patience: 0, threads: 1,
      on_duplicate: dice.chance(0.3) ? texts.add(text()) : nil,
      on_extra: dice.chance(0.3) ? texts.add(text()) : nil)
    var counts = quoin_counts(
      size: MemoryLayout<quoin_counts>.size, inserted: 0, replaced: 0, unchanged: 0, kept: 0, empty: 0)
    switch dice.below(9) {
    case 0:
      let stream = streams.popLast() ?? CStream()
      defer { precondition(stream.isReleased, "the stream that was imported isn't released") }
      return quoin_import(handle, stream.pointer, &options, &counts, &error)
    case 1:
      let list = (0..<dice.below(3)).map { _ in texts.add(path + "/" + (text() ?? "")) }
      return quoin_import_files(handle, list, list.count, &options, &counts, &error)
    case 2:
      var query = query()
      query.condition = "close > 1e6 and close < 0"
      return query.withC { quoin_delete(handle, $0, &options, nil, &error) }
    case 3: return quoin_keep_snapshot(handle, text() ?? "first", &error)
    case 4: return quoin_restore(handle, text(), &options, &error)
    case 5:
      let query = query()
      return query.withC { quoin_rename(handle, $0, text() ?? "X", &options, &error) }
    case 6:
      let query = query()
      return query.withC { quoin_merge(handle, self.handle, $0, &options, &counts, &error) }
    case 7:
      let query = query()
      return query.withC { quoin_adjust(handle, $0, UInt32(dice.below(5)), &options, &counts, &error) }
    default: return quoin_drop_snapshot(handle, text() ?? "first", &error)
    }
  }
}
