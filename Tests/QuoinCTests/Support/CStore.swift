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

  init(_ path: String) throws {
    var error: OpaquePointer?
    guard let handle = quoin_open(path, 0, &error) else {
      throw CError(error) ?? CError(QUOIN_OTHER, "an error without words")
    }
    self.handle = handle
  }

  deinit { quoin_close(handle) }

  /// Calls a function, and throws its error.
  private func check(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> quoin_code) throws {
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

  /// The texts of a list, up to its NULL.
  private static func texts(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> [String] {
    var texts: [String] = []
    while let text = list[texts.count] { texts.append(String(cString: text)) }
    return texts
  }
}
