import CSQLite3
import Quoin

/// A statement that is being answered.
@safe final class Statement {
  // Sound throughout: the statement lives as long as this object, which keeps its connection, and texts are copied.
  private let statement: OpaquePointer
  private let database: Database
  private let text: String

  private init(_ statement: OpaquePointer, _ text: String, _ database: Database) {
    unsafe self.statement = statement
    (self.text, self.database) = (text, database)
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// The first statement of a text, and the byte at which it ends; nil for a comment and for nothing.
  static func first(of text: String, _ database: Database) throws(DatabaseError) -> (statement: Statement?, end: Int) {
    var made: OpaquePointer?
    var end = text.utf8.count
    let bytes = Array(text.utf8CString)
    let code = unsafe bytes.withUnsafeBufferPointer { buffer in
      var tail: UnsafePointer<CChar>?
      let code = unsafe sqlite3_prepare_v2(
        database.connection, buffer.baseAddress, Int32(clamping: buffer.count), &made, &tail)
      if let base = buffer.baseAddress, let tail = unsafe tail { unsafe end = tail - base }
      return code
    }
    guard code == SQLITE_OK else { throw database.error(in: text) }
    return (unsafe made.map { unsafe Statement($0, text, database) }, end == 0 ? text.utf8.count : end)
  }

  /// Gives parameters their values. Each that the statement has needs one.
  func bind(_ parameters: [String: SQLValue]) throws(DatabaseError) {
    let count = unsafe sqlite3_bind_parameter_count(statement)
    for index in 1..<max(1, count + 1) {
      let name = unsafe sqlite3_bind_parameter_name(statement, index).map { unsafe String(cString: $0) } ?? "?"
      guard let value = parameters[String(name.dropFirst())] else {
        let hint = name == "?" ? "name it, as in :price, and give it" : "give it"
        let example = name == "?" ? "price" : String(name.dropFirst())
        throw DatabaseError(description: "the parameter \(name) has no value; \(hint) with --parameter \(example)=80")
      }
      switch value {
      case .null: _ = unsafe sqlite3_bind_null(statement, index)
      case .integer(let value): _ = unsafe sqlite3_bind_int64(statement, index, value)
      case .real(let value): _ = unsafe sqlite3_bind_double(statement, index, value)
      case .text(let value):
        // SQLITE_TRANSIENT: SQLite copies the text.
        let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        _ = unsafe sqlite3_bind_text(statement, index, value, Int32(clamping: value.utf8.count), copied)
      }
    }
  }

  var columnCount: Int { unsafe Int(sqlite3_column_count(statement)) }

  var columnNames: [String] {
    (0..<columnCount).map { column in
      unsafe sqlite3_column_name(statement, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// Goes on to the next row; false after the last one.
  func step() throws(DatabaseError) -> Bool {
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error(in: text)
    }
  }

  /// Whether a cell of this row is a text or bytes.
  func isText(_ column: Int) -> Bool {
    let type = unsafe sqlite3_column_type(statement, Int32(column))
    return type == SQLITE_TEXT || type == SQLITE_BLOB
  }

  /// A cell of this row as it is written; nil for null. Bytes are written as SQL has them, x'00ff'.
  func cell(_ column: Int) -> String? {
    let column = Int32(column)
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER: return "\(unsafe sqlite3_column_int64(statement, column))"
    case SQLITE_FLOAT: return "\(unsafe sqlite3_column_double(statement, column))"
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(statement, column)
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
      let digits = Array("0123456789abcdef".utf8)
      let hexadecimal = unsafe bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return "x'\(String(decoding: hexadecimal, as: UTF8.self))'"
    default:
      let start = unsafe sqlite3_column_text(statement, column)
      let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
      return unsafe String(decoding: bytes, as: UTF8.self)
    }
  }
}
