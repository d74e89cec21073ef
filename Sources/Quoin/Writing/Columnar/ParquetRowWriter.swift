// Parquet (parquet.apache.org/docs/file-format, and parquet.thrift for its metadata): groups of rows, and in each a page of values for
// each column, packed with LZ4; what is where comes at the end.

/// Writes rows as a file of Parquet.
struct ParquetRowWriter: RowWriter {
  private static let magic = Array("PAR1".utf8)
  private static let rowsPerGroup = 131_072
  /// The codec's number: LZ4 blocks, which every reader has had since 2021.
  private static let lz4: Int32 = 7

  private var buffer: TextBuffer
  private var waiting: WaitingRows
  private var rowCount = 0
  /// Bytes that are written.
  private var position = 0
  private var groups: [ThriftStruct] = []

  init(_ headings: [ColumnHeading], sink: @escaping QuoteFormatter.Sink) {
    waiting = WaitingRows(headings, capacity: Self.rowsPerGroup)
    buffer = TextBuffer(sink: sink)
  }

  mutating func append(_ cells: [CellColumn], rows: Range<Int>) throws {
    guard !rows.isEmpty else { return }
    if !waiting.hasTypes { try begin(of: cells) }
    var rest = rows
    while !rest.isEmpty {
      rest = try waiting.append(cells, rows: rest)
      if waiting.isFull { try writeGroup() }
    }
  }

  mutating func finish() throws {
    if !waiting.hasTypes { try begin() }
    if waiting.count > 0 { try writeGroup() }
    let metadata = metadata.bytes
    var end = metadata
    end.append(littleEndian: UInt32(metadata.count))
    try write(end + Self.magic)
    try buffer.flush()
  }

  private mutating func begin(of cells: [CellColumn]? = nil) throws {
    waiting.setTypes(of: cells)
    try write(Self.magic)
  }

  private mutating func writeGroup() throws {
    var (chunks, byteCount): ([ThriftStruct], Int) = ([], 0)
    for column in waiting.columns {
      let page = column.parquetPage
      let packed = LZ4.compressed(page)
      let header = Self.header(of: column, byteCount: page.count, packedByteCount: packed.count).bytes
      let start = position
      try write(header)
      try write(packed)
      chunks.append(Self.chunk(of: column, at: start, header.count + page.count, header.count + packed.count))
      byteCount += header.count + page.count
    }
    var group = ThriftStruct()
    group.set(1, chunks)
    group.set(2, Int64(byteCount))
    group.set(3, Int64(waiting.count))
    groups.append(group)
    rowCount += waiting.count
    waiting.removeAll()
  }

  private static func header(of column: WaitingColumn, byteCount: Int, packedByteCount: Int) -> ThriftStruct {
    var (header, data) = (ThriftStruct(), ThriftStruct())
    data.set(1, Int32(column.count))
    // Values are plain, levels are runs.
    data.set(2, Int32(0))
    data.set(3, Int32(3))
    data.set(4, Int32(3))
    header.set(1, Int32(0))
    header.set(2, Int32(byteCount))
    header.set(3, Int32(packedByteCount))
    header.set(5, data)
    return header
  }

  private static func chunk(
    of column: WaitingColumn, at start: Int, _ byteCount: Int, _ packedByteCount: Int
  ) -> ThriftStruct {
    var (chunk, metadata) = (ThriftStruct(), ThriftStruct())
    metadata.set(1, column.kind.parquetType)
    metadata.set(2, [Int32(0), 3])
    metadata.set(3, [column.name])
    metadata.set(4, lz4)
    metadata.set(5, Int64(column.count))
    metadata.set(6, Int64(byteCount))
    metadata.set(7, Int64(packedByteCount))
    metadata.set(9, Int64(start))
    metadata.set(12, column.parquetStatistics)
    chunk.set(2, Int64(start))
    chunk.set(3, metadata)
    return chunk
  }

  private var metadata: ThriftStruct {
    let columns = waiting.columns
    var (root, order, metadata) = (ThriftStruct(), ThriftStruct(), ThriftStruct())
    root.set(4, "quotes")
    root.set(5, Int32(columns.count))
    // Extremes are in the order of the type.
    order.set(1, ThriftStruct())
    metadata.set(1, Int32(2))
    metadata.set(2, [root] + columns.map { $0.kind.parquetElement($0.name) })
    metadata.set(3, Int64(rowCount))
    metadata.set(4, groups)
    metadata.set(6, "quoin version \(Release.version)")
    metadata.set(7, columns.map { _ in order })
    return metadata
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try buffer.append(bytes[...])
    position += bytes.count
  }
}
