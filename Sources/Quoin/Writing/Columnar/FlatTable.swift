// FlatBuffers (Google 2014, flatbuffers.dev/internals), as far as Arrow's metadata need them. A buffer is a tree: each table comes before
// what it refers to, because offsets count forward, and after a list of the places of its fields, its vtable.

/// A table of a FlatBuffer: fields by their slots.
struct FlatTable {
  fileprivate enum Field {
    /// 1, 2, 4 or 8 bytes, the lowest first.
    case scalar([UInt8])
    case text(String)
    case table([FlatTable])
    case tables([FlatTable])
    /// Structs of words of 8 bytes.
    case structs([[UInt64]])

    /// Bytes in the table: of all but a scalar, those of an offset.
    var byteCount: Int { if case .scalar(let bytes) = self { bytes.count } else { 4 } }
  }

  fileprivate private(set) var fields: [(slot: Int, value: Field)] = []

  mutating func set<Value: FixedWidthInteger & BitwiseCopyable>(_ slot: Int, _ value: Value) {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: value)
    fields.append((slot, .scalar(bytes)))
  }

  mutating func set(_ slot: Int, _ text: String) { fields.append((slot, .text(text))) }
  mutating func set(_ slot: Int, _ table: FlatTable) { fields.append((slot, .table([table]))) }
  mutating func set(_ slot: Int, _ tables: [FlatTable]) { fields.append((slot, .tables(tables))) }
  mutating func set(_ slot: Int, structs: [[UInt64]]) { fields.append((slot, .structs(structs))) }

  /// The buffer of which this table is the root.
  var bytes: [UInt8] {
    var writer = FlatWriter()
    let root = writer.write(self)
    writer.setOffset(at: 0, to: root)
    writer.align(to: 8)
    return writer.bytes
  }
}

private struct FlatWriter {
  /// The offset of the root comes first.
  private(set) var bytes = [UInt8](repeating: 0, count: 4)

  /// Writes a table and what it refers to. Returns its place.
  mutating func write(_ table: FlatTable) -> Int {
    let slotCount = (table.fields.map(\.slot).max() ?? -1) + 1
    let tableByteCount = 4 + 2 * slotCount
    // The largest first, so that each lies at a multiple of its size.
    var places = [Int](repeating: 0, count: slotCount)
    var end = 4
    for field in table.fields.sorted(by: { $0.value.byteCount > $1.value.byteCount }) {
      let size = field.value.byteCount
      end = (end + size - 1) / size * size
      places[field.slot] = end
      end += size
    }
    align(to: 8, before: tableByteCount)
    bytes.append(littleEndian: UInt16(tableByteCount))
    bytes.append(littleEndian: UInt16(end))
    bytes.append(littleEndian: places.map { UInt16($0) })
    let start = bytes.count
    bytes.append(littleEndian: Int32(tableByteCount))
    bytes += [UInt8](repeating: 0, count: end - 4)
    for field in table.fields { write(field.value, at: start + places[field.slot]) }
    return start
  }

  private mutating func write(_ field: FlatTable.Field, at place: Int) {
    switch field {
    case .scalar(let scalar): bytes.replaceSubrange(place..<place + scalar.count, with: scalar)
    case .table(let tables): for table in tables { setOffset(at: place, to: write(table)) }
    case .text(let text):
      align(to: 4)
      setOffset(at: place, to: bytes.count)
      bytes.append(littleEndian: UInt32(text.utf8.count))
      bytes += Array(text.utf8) + [0]
    case .tables(let tables):
      align(to: 4)
      let start = bytes.count
      setOffset(at: place, to: start)
      bytes.append(littleEndian: UInt32(tables.count))
      bytes += [UInt8](repeating: 0, count: 4 * tables.count)
      for (index, table) in tables.enumerated() { setOffset(at: start + 4 + 4 * index, to: write(table)) }
    case .structs(let structs):
      align(to: 8, before: 4)
      setOffset(at: place, to: bytes.count)
      bytes.append(littleEndian: UInt32(structs.count))
      for words in structs { bytes.append(littleEndian: words) }
    }
  }

  mutating func setOffset(at place: Int, to target: Int) {
    var offset: [UInt8] = []
    offset.append(littleEndian: UInt32(target - place))
    bytes.replaceSubrange(place..<place + 4, with: offset)
  }

  /// Appends zeros up to a multiple of a size, or until so many bytes more would be one.
  mutating func align(to size: Int, before byteCount: Int = 0) {
    while (bytes.count + byteCount) % size != 0 { bytes.append(0) }
  }
}
