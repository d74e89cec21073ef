import CSQLite

/// A SQLite database, for reading. Stops the program when SQLite says no: this is a benchmark.
final class Database {
  private var handle: OpaquePointer?

  init(_ path: String) {
    check(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil))
    // Core Data leaves the cache at 2 MB; the file in the page cache is mapped instead, which is faster.
    sqlite3_exec(handle, "PRAGMA mmap_size = 8000000000", nil, nil, nil)
  }

  deinit { sqlite3_close(handle) }

  /// Calls `body` for each row that the statement finds.
  func forEachRow(_ sql: String, _ body: (Row) -> Void) {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    while true {
      let status = sqlite3_step(statement)
      guard status == SQLITE_ROW else { return check(status, or: SQLITE_DONE) }
      body(Row(statement: statement))
    }
  }

  private func check(_ status: Int32, or done: Int32 = SQLITE_OK) {
    precondition(status == done, "SQLite: \(String(cString: sqlite3_errmsg(handle)))")
  }
}

/// The row that a statement is at.
struct Row {
  let statement: OpaquePointer?

  var columnCount: Int { Int(sqlite3_column_count(statement)) }
  func name(_ column: Int) -> String { String(cString: sqlite3_column_name(statement, Int32(column))) }
  func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }
  /// Missing cells are NaN.
  func double(_ column: Int) -> Double {
    type(column) == SQLITE_NULL ? .nan : sqlite3_column_double(statement, Int32(column))
  }
  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
  func text(_ column: Int) -> String { sqlite3_column_text(statement, Int32(column)).map { String(cString: $0) } ?? "" }
}
