import CQuoin

/// What the functions of `quoin.h` are asked with.
struct CQuery {
  var tickers: [String]?
  var condition: String?
  var from: String?
  var to: String?
  var asOf: String?
  var resample: String?
  var label: String?
  var columns: String?
  var order: String?
  var limit: Int64 = 0
  var offset: Int64 = 0
  var threads: UInt32 = 0
  var flags: UInt32 = 0
  var definitions: String?
  var top: String?
  /// Fields by their names.
  var fields: [(name: String, text: String?)] = []

  /// Calls `body` with the struct, whose memory is overwritten afterwards, so that nobody can use it later.
  func withC<Result>(_ body: (UnsafePointer<quoin_query>) throws -> Result) rethrows -> Result {
    var texts = CTexts()
    defer { texts.wipe() }
    var query = quoin_query()
    query.size = MemoryLayout<quoin_query>.size
    let list = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: max(1, tickers?.count ?? 0))
    list.initialize(repeating: nil)
    defer {
      list.update(repeating: nil)
      list.deallocate()
    }
    for (index, ticker) in (tickers ?? []).enumerated() { list[index] = texts.add(ticker) }
    if let tickers { (query.tickers, query.ticker_count) = (UnsafePointer(list.baseAddress!), tickers.count) }
    query.where = texts.add(condition)
    (query.from, query.to, query.as_of) = (texts.add(from), texts.add(to), texts.add(asOf))
    (query.resample, query.bar_label) = (texts.add(resample), texts.add(label))
    (query.columns, query.order) = (texts.add(columns), texts.add(order))
    (query.limit, query.offset, query.threads, query.flags) = (limit, offset, threads, flags)
    (query.let, query.top) = (texts.add(definitions), texts.add(top))
    let named = UnsafeMutableBufferPointer<quoin_field>.allocate(capacity: max(1, fields.count))
    named.initialize(repeating: quoin_field())
    defer {
      named.update(repeating: quoin_field())
      named.deallocate()
    }
    for (index, field) in fields.enumerated() {
      named[index] = quoin_field(name: texts.add(field.name), text: texts.add(field.text))
    }
    if !fields.isEmpty { (query.fields, query.field_count) = (UnsafePointer(named.baseAddress!), fields.count) }
    defer { query = quoin_query() }
    return try body(&query)
  }
}

/// Texts in C's form.
struct CTexts {
  private var texts: [UnsafeMutableBufferPointer<CChar>] = []

  mutating func add(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    let characters = Array(text.utf8CString)
    let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
    _ = memory.initialize(fromContentsOf: characters)
    texts.append(memory)
    return UnsafePointer(memory.baseAddress!)
  }

  mutating func wipe() {
    for text in texts {
      text.update(repeating: 0x7F)
      text.deallocate()
    }
    texts = []
  }
}

/// What a call said that failed.
struct CError: Error {
  let code: quoin_code
  let message: String

  /// Takes an error over, and frees it.
  init?(_ error: OpaquePointer?) {
    guard let error = error else { return nil }
    code = quoin_error_code(error)
    message = String(cString: quoin_error_message(error)!)
    quoin_error_free(error)
  }

  init(_ code: quoin_code, _ message: String) { (self.code, self.message) = (code, message) }
}

/// A store that is opened by `quoin_open`.
final class CStore: @unchecked Sendable {
  let handle: OpaquePointer
  private var market: TestMarket?

  /// The store of a market, which stays as long as this object.
  convenience init(_ market: TestMarket) throws {
    try self.init(market.path)
    self.market = market
  }

  convenience init(_ path: String, _ flags: UInt32 = UInt32(QUOIN_READ_ONLY)) throws {
    try self.init { quoin_open(path, flags, $0) }
  }

  /// Several stores as one.
  convenience init(joining paths: [String]) throws {
    var texts = CTexts()
    defer { texts.wipe() }
    let list = paths.map { texts.add($0) }
    try self.init { quoin_open_shards(list, list.count, $0) }
  }

  init(_ open: (UnsafeMutablePointer<OpaquePointer?>) -> OpaquePointer?) throws {
    var error: OpaquePointer?
    guard let handle = open(&error) else { throw CError(error) ?? CError(QUOIN_OTHER, "an error without words") }
    self.handle = handle
  }

  deinit { quoin_close(handle) }

  /// Calls a function, and throws its error.
  func check(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> quoin_code) throws {
    var error: OpaquePointer?
    let code = body(&error)
    if let error = CError(error) {
      guard error.code == code else { throw CError(QUOIN_OTHER, "returned \(code) with \(error)") }
      throw error
    }
    if code != QUOIN_OK { throw CError(code, "an error without words") }
  }

  func scan(_ query: CQuery = CQuery()) throws -> CStream {
    let stream = CStream()
    try query.withC { query in try check { quoin_scan(handle, query, stream.pointer, $0) } }
    return stream
  }

  func interrupt() throws { try check { quoin_interrupt(handle, $0) } }

  func count(_ query: CQuery = CQuery()) throws -> Int {
    var count: Int64 = -1
    try query.withC { query in try check { quoin_count(handle, query, &count, $0) } }
    return Int(count)
  }

  func aggregate(
    _ list: String, by: String? = nil, having: String? = nil, _ query: CQuery = CQuery()
  ) throws -> CStream {
    let stream = CStream()
    var texts = CTexts()
    defer { texts.wipe() }
    var groups = quoin_groups(
      size: MemoryLayout<quoin_groups>.size, aggregates: texts.add(list), by: texts.add(by), having: texts.add(having))
    try query.withC { query in
      try check { quoin_aggregate(handle, query, &groups, stream.pointer, $0) }
    }
    return stream
  }

  /// The groups that a query's fields ask for.
  func aggregate(_ query: CQuery) throws -> CStream {
    let stream = CStream()
    try query.withC { query in try check { quoin_aggregate(handle, query, nil, stream.pointer, $0) } }
    return stream
  }

  func explain(_ query: CQuery = CQuery()) throws -> String {
    var text: UnsafePointer<CChar>?
    try query.withC { query in
      try check { error in
        text = quoin_explain(handle, query, error)
        return text == nil ? quoin_error_code(error.pointee) : QUOIN_OK
      }
    }
    defer { quoin_free(text) }
    return String(cString: text!)
  }

  /// What is told beside an answer.
  func remarks(_ query: CQuery = CQuery()) throws -> String {
    var text: UnsafePointer<CChar>?
    try query.withC { query in
      try check { error in
        text = quoin_remarks(handle, query, nil, error)
        return text == nil ? quoin_error_code(error.pointee) : QUOIN_OK
      }
    }
    defer { quoin_free(text) }
    return String(cString: text!)
  }

  func tickers() throws -> [String] {
    var (list, count): (UnsafeMutablePointer<UnsafePointer<CChar>?>?, Int) = (nil, -1)
    try check { error in
      list = quoin_tickers(handle, &count, error)
      return list == nil ? quoin_error_code(error.pointee) : QUOIN_OK
    }
    defer { quoin_free(list) }
    let texts = Self.texts(list!)
    guard texts.count == count else { throw CError(QUOIN_OTHER, "\(count) tickers, not \(texts.count)") }
    return texts
  }

  func partitions(_ count: Int, _ query: CQuery = CQuery()) throws -> [[String]] {
    var list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    var ends = Array(repeating: -1, count: count)
    try query.withC { query in
      try check { error in
        list = quoin_partitions(handle, query, count, &ends, error)
        return list == nil ? quoin_error_code(error.pointee) : QUOIN_OK
      }
    }
    defer { quoin_free(list) }
    let texts = Self.texts(list!)
    return zip([0] + ends, ends).map { Array(texts[$0..<$1]) }
  }

  func refresh() throws -> UInt64 {
    var generation: UInt64 = 0
    try check { quoin_refresh(handle, &generation, $0) }
    return generation
  }

  func limitQuestions(seconds: Double, megabytes: UInt64) throws {
    try check { quoin_limit_questions(handle, seconds, megabytes, $0) }
  }

  func snapshot(_ name: String) throws -> CStore { try CStore { quoin_open_snapshot(handle, name, $0) } }

  func keep(_ name: String) throws { try check { quoin_keep_snapshot(handle, name, $0) } }

  func drop(_ name: String) throws { try check { quoin_drop_snapshot(handle, name, $0) } }

  func snapshots() throws -> [String] {
    var (list, count): (UnsafeMutablePointer<UnsafePointer<CChar>?>?, Int) = (nil, -1)
    try check { error in
      list = quoin_snapshots(handle, &count, error)
      return list == nil ? quoin_error_code(error.pointee) : QUOIN_OK
    }
    defer { quoin_free(list) }
    return Self.texts(list!)
  }

  func diff(from older: CStore) throws -> CStream {
    let stream = CStream()
    try check { quoin_diff(handle, older.handle, stream.pointer, $0) }
    return stream
  }

  func audit(_ list: String? = nil, jump: Double = 0, _ query: CQuery = CQuery()) throws -> CStream {
    let stream = CStream()
    var texts = CTexts()
    defer { texts.wipe() }
    var rules = quoin_rules(size: MemoryLayout<quoin_rules>.size, rules: texts.add(list), jump: jump)
    try query.withC { query in try check { quoin_check(handle, query, &rules, stream.pointer, $0) } }
    return stream
  }

  /// Stores rows. Returns how many are new, replaced, unchanged and kept.
  @discardableResult
  func store(
    _ rows: some StreamOwner, ticker: String? = nil, mode: String? = nil, source: String? = nil,
    onDuplicate: String? = nil, onExtra: String? = nil
  ) throws -> [Int64] {
    try write(ticker, mode, source, onDuplicate, onExtra) { quoin_import(handle, rows.pointer, $0, $1, $2) }
  }

  @discardableResult
  func importFiles(_ paths: [String], ticker: String? = nil, onDuplicate: String? = nil) throws -> [Int64] {
    var texts = CTexts()
    defer { texts.wipe() }
    let list = paths.map { texts.add($0) }
    return try write(ticker, nil, nil, onDuplicate, nil) { quoin_import_files(handle, list, list.count, $0, $1, $2) }
  }

  private func write(
    _ ticker: String?, _ mode: String?, _ source: String?, _ onDuplicate: String?, _ onExtra: String?,
    _ body: (UnsafePointer<quoin_write>, UnsafeMutablePointer<quoin_counts>, UnsafeMutablePointer<OpaquePointer?>) ->
      quoin_code
  ) throws -> [Int64] {
    var texts = CTexts()
    defer { texts.wipe() }
    var options = quoin_write(
      size: MemoryLayout<quoin_write>.size, source: texts.add(source), ticker: texts.add(ticker), mode: texts.add(mode),
      patience: 0, threads: 0, on_duplicate: texts.add(onDuplicate), on_extra: texts.add(onExtra))
    var counts = quoin_counts(
      size: MemoryLayout<quoin_counts>.size, inserted: -1, replaced: -1, unchanged: -1, kept: -1, empty: -1)
    try check { body(&options, &counts, $0) }
    return [counts.inserted, counts.replaced, counts.unchanged, counts.kept, counts.empty]
  }

  /// What a call counts that takes rows.
  func counting(
    mode: String? = nil,
    _ body: (UnsafePointer<quoin_write>, UnsafeMutablePointer<quoin_counts>, UnsafeMutablePointer<OpaquePointer?>) ->
      quoin_code
  ) throws -> [Int64] {
    try write(nil, mode, nil, nil, nil, body)
  }

  @discardableResult
  func delete(_ query: CQuery) throws -> Int {
    var count: Int64 = -1
    try query.withC { query in try check { quoin_delete(handle, query, nil, &count, $0) } }
    return Int(count)
  }

  /// The texts of a list, up to its NULL.
  private static func texts(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> [String] {
    var texts: [String] = []
    while let text = list[texts.count] { texts.append(String(cString: text)) }
    return texts
  }
}
