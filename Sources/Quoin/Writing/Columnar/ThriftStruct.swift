// Thrift's compact protocol (apache/thrift, doc/specs/thrift-compact-protocol.md), as far as Parquet's metadata need it.

/// The bytes of a struct, field by field in rising order of their numbers.
struct ThriftStruct {
  private enum Kind: UInt8 {
    case int32 = 5
    case int64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  private var fields: [UInt8] = []
  private var lastField = 0

  /// With the mark of its end.
  var bytes: [UInt8] { fields + [0] }

  mutating func set(_ field: Int, _ value: Int32) {
    begin(field, .int32)
    fields.append(signedNumber: Int64(value))
  }

  mutating func set(_ field: Int, _ value: Int64) {
    begin(field, .int64)
    fields.append(signedNumber: value)
  }

  mutating func set(_ field: Int, _ text: String) { set(field, binary: Array(text.utf8)) }

  mutating func set(_ field: Int, binary: [UInt8]) {
    begin(field, .binary)
    append(binary)
  }

  mutating func set(_ field: Int, _ value: ThriftStruct) {
    begin(field, .structure)
    fields += value.bytes
  }

  mutating func set(_ field: Int, _ list: [ThriftStruct]) {
    beginList(field, .structure, list.count)
    for value in list { fields += value.bytes }
  }

  mutating func set(_ field: Int, _ list: [Int32]) {
    beginList(field, .int32, list.count)
    for value in list { fields.append(signedNumber: Int64(value)) }
  }

  mutating func set(_ field: Int, _ list: [String]) {
    beginList(field, .binary, list.count)
    for text in list { append(Array(text.utf8)) }
  }

  private mutating func begin(_ field: Int, _ kind: Kind) {
    precondition(field > lastField && field - lastField < 16, "field \(field) after \(lastField)")
    fields.append(UInt8(field - lastField) << 4 | kind.rawValue)
    lastField = field
  }

  private mutating func beginList(_ field: Int, _ kind: Kind, _ count: Int) {
    begin(field, .list)
    fields.append(UInt8(min(count, 15)) << 4 | kind.rawValue)
    if count >= 15 { fields.append(number: UInt64(count)) }
  }

  private mutating func append(_ binary: [UInt8]) {
    fields.append(number: UInt64(binary.count))
    fields += binary
  }
}
