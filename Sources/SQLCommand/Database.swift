import CQuoinSQLite
import CSQLite3
import Console
import Quoin

/// SQLite refused something. The sentence is its own, with the place in the statement and what may have been meant.
struct DatabaseError: Error, CustomStringConvertible {
  let description: String
}

/// A value of SQLite's.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  /// A number if the text is one.
  init(text: String) {
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if let real = Double(text), real.isFinite, text.first != "n", text.first != "i" {
      self = .real(real)
    } else {
      self = .text(text)
    }
  }
}

/// A connection of SQLite in which a store is the table `temp.quotes`.
@safe final class Database {
  // Sound throughout: the connection lives as long as this object, statements are finalized before it, and texts are copied.
  let connection: OpaquePointer

  static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// - Parameters:
  ///   - path: a database with other tables; nil for one in memory.
  ///   - store: the path of the store.
  ///   - limits: what each of a statement's questions to stores may take.
  init(at path: String?, store: String, _ limits: QuestionLimits = .standard) throws(DatabaseError) {
    let entry:
      @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?) -> Int32 = {
        unsafe sqlite3_quoin_init($0, $1, $2)
      }
    _ = unsafe sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path ?? ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard let made = unsafe opened else { throw DatabaseError(description: "SQLite has no memory for a connection") }
    unsafe connection = made
    if code != SQLITE_OK {
      let sentence = unsafe String(cString: sqlite3_errmsg(made))
      unsafe sqlite3_close_v2(made)
      throw DatabaseError(description: "cannot open the database '\(path ?? ":memory:")': \(sentence)")
    }
    _ = unsafe sqlite3_busy_timeout(made, 5000)
    let seconds = limits.seconds.map { $0 < .infinity ? "\($0)" : "9e999" }
    let megabytes = limits.megabytes.map { "\($0)" }
    try execute("select quoin_limit_questions(\(seconds ?? "null"), \(megabytes ?? "null"))")
    try execute("create virtual table temp.quotes using quoin('\(store.replacing("'", with: "''"))')")
  }

  deinit { unsafe sqlite3_close_v2(connection) }

  /// What SQLite says that is wrong, with the place in `text`.
  func error(in text: String) -> DatabaseError {
    unsafe DatabaseError(
      String(cString: sqlite3_errmsg(connection)), in: text, at: Int(sqlite3_error_offset(connection)), self)
  }

  /// Runs a statement that has no rows.
  func execute(_ text: String) throws(DatabaseError) {
    guard unsafe sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK else { throw error(in: text) }
  }

  /// Calls `body` with each statement of a text, one after the other.
  func forEachStatement(
    of text: String, _ parameters: [String: SQLValue], _ body: (Statement) throws -> Void
  ) throws {
    var rest = text[...]
    while !rest.isEmpty {
      let (statement, end) = try Statement.first(of: String(rest), self)
      if let statement {
        try statement.bind(parameters)
        try body(statement)
      }
      rest = rest.utf8.dropFirst(end).isEmpty ? "" : Substring(rest.utf8.dropFirst(end))
    }
  }

  /// The texts in the first column of a query's rows; none if it can't be asked.
  func texts(_ query: String) -> [String] {
    guard let statement = try? Statement.first(of: query, self).statement else { return [] }
    var texts: [String] = []
    while (try? statement.step()) == true { if let text = statement.cell(0) { texts.append(text) } }
    return texts
  }

  /// The names of tables, without SQLite's own.
  var tables: [String] {
    texts(
      """
      select name from pragma_table_list where schema != '' and type != 'shadow' and name not like 'sqlite\\_%' escape '\\' \
      and name not in (select name from pragma_module_list) order by name
      """)
  }

  /// The names of the columns of a table, or of all tables.
  func columns(of table: String? = nil) -> [String] {
    var names: [String] = []
    for table in table.map({ [$0] }) ?? tables {
      for name in texts("select name from pragma_table_info('\(table.replacing("'", with: "''"))')")
      where !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  var functions: [String] {
    texts("select distinct name from pragma_function_list where name glob '[a-z]*' order by name")
  }
}
