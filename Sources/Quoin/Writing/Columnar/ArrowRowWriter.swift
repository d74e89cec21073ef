// Arrow's IPC format (arrow.apache.org/docs/format/Columnar.html), with what Message.fbs, Schema.fbs and File.fbs say of its metadata.
//
//   stream   the schema, record batches, and an end; each a message: its length, a FlatBuffer, then the values
//   file     "ARROW1", a stream, the places of its batches, and "ARROW1" once more

/// Writes rows as record batches of Arrow: a stream, or a file.
struct ArrowRowWriter: RowWriter {
  private static let magic = Array("ARROW1".utf8)
  /// Version 5, of Arrow 1.0 and later.
  private static let version: Int16 = 4

  private let isFile: Bool
  private var buffer: TextBuffer
  private var waiting: WaitingRows
  /// Bytes that are written.
  private var position = 0
  /// The place of each batch, the bytes of its metadata and of its values.
  private var blocks: [[UInt64]] = []

  init(_ headings: [ColumnHeading], isFile: Bool, sink: @escaping QuoteFormatter.Sink) {
    self.isFile = isFile
    // Hundreds of streams may wait for those who read them, and none should hold much.
    waiting = WaitingRows(headings, capacity: isFile ? 65_536 : 2_048)
    buffer = TextBuffer(sink: sink)
  }

  mutating func append(_ cells: [CellColumn], rows: Range<Int>) throws {
    guard !rows.isEmpty else { return }
    if !waiting.hasTypes { try begin(of: cells) }
    var rest = rows
    while !rest.isEmpty {
      rest = try waiting.append(cells, rows: rest)
      if waiting.isFull { try writeBatch() }
    }
  }

  mutating func finish() throws {
    if !waiting.hasTypes { try begin() }
    if waiting.count > 0 { try writeBatch() }
    try write([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
    if isFile { try writeFooter() }
    try buffer.flush()
  }

  private mutating func begin(of cells: [CellColumn]? = nil) throws {
    waiting.setTypes(of: cells)
    if isFile { try write(Self.magic + [0, 0]) }
    _ = try write(message: 1, schema, bodyByteCount: 0)
  }

  private var schema: FlatTable {
    var schema = FlatTable()
    schema.set(0, Int16(0))
    schema.set(
      1,
      waiting.columns.map { column in
        var field = FlatTable()
        field.set(0, column.name)
        field.set(1, UInt8(1))
        field.set(2, column.kind.arrowType.number)
        field.set(3, column.kind.arrowType.table)
        field.set(5, [FlatTable]())
        return field
      })
    return schema
  }

  private mutating func writeBatch() throws {
    var (body, places, nodes): ([UInt8], [[UInt64]], [[UInt64]]) = ([], [], [])
    for column in waiting.columns {
      nodes.append([UInt64(waiting.count), UInt64(column.missing.count)])
      column.forEachArrowBuffer { values in
        places.append([UInt64(body.count), UInt64(values.count)])
        body += values
        body.pad(to: 8)
      }
    }
    var batch = FlatTable()
    batch.set(0, Int64(waiting.count))
    batch.set(1, structs: nodes)
    batch.set(2, structs: places)
    let start = position
    let metadata = try write(message: 3, batch, bodyByteCount: body.count)
    try write(body)
    // The second word is 4 bytes of length and 4 that are unused.
    blocks.append([UInt64(start), UInt64(metadata), UInt64(body.count)])
    waiting.removeAll()
  }

  /// Writes a message without its values. Returns its bytes.
  private mutating func write(message kind: UInt8, _ header: FlatTable, bodyByteCount: Int) throws -> Int {
    var message = FlatTable()
    message.set(0, Self.version)
    message.set(1, kind)
    message.set(2, header)
    message.set(3, Int64(bodyByteCount))
    let metadata = message.bytes
    var bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    bytes.append(littleEndian: Int32(metadata.count))
    bytes += metadata
    try write(bytes)
    return bytes.count
  }

  private mutating func writeFooter() throws {
    var footer = FlatTable()
    footer.set(0, Self.version)
    footer.set(1, schema)
    footer.set(2, structs: [])
    footer.set(3, structs: blocks)
    var bytes = footer.bytes
    bytes.append(littleEndian: Int32(bytes.count))
    try write(bytes + Self.magic)
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try buffer.append(bytes[...])
    position += bytes.count
  }
}
