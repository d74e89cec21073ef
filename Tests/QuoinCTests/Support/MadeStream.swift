import CQuoin

/// A column as a program in another language would make it.
struct MadeColumn {
  let name: String
  let format: String
  /// Validity bits and values, and whatever else the format has.
  let buffers: [[UInt8]?]
  var nullCount = 0
  var offset = 0
  /// The format and the buffers of the dictionary.
  var dictionary: (format: String, buffers: [[UInt8]?], count: Int)?

  static func values<Value>(_ name: String, _ format: String, _ values: [Value?], offset: Int = 0) -> MadeColumn {
    // Where a value is missing there may be any bytes.
    let filler = values.lazy.compactMap(\.self).first!
    let bytes = values.flatMap { value in withUnsafeBytes(of: value ?? filler, Array.init) }
    return MadeColumn(
      name: name, format: format, buffers: [bits(values.map { $0 != nil }), bytes],
      nullCount: values.count { $0 == nil },
      offset: offset)
  }

  /// Texts, whose places have the type `Place`.
  static func texts<Place: FixedWidthInteger>(_ name: String, _ format: String, _ texts: [String?], _: Place.Type)
    -> MadeColumn
  {
    MadeColumn(
      name: name, format: format, buffers: [bits(texts.map { $0 != nil })] + Self.textBuffers(texts, Place.self),
      nullCount: texts.count { $0 == nil })
  }

  static func textBuffers<Place: FixedWidthInteger>(_ texts: [String?], _: Place.Type) -> [[UInt8]] {
    var (places, letters): ([Place], [UInt8]) = ([0], [])
    for text in texts {
      letters += Array((text ?? "").utf8)
      places.append(Place(letters.count))
    }
    return [places.flatMap { withUnsafeBytes(of: $0, Array.init) }, letters]
  }

  /// Texts as views: up to 12 bytes in place, and longer ones in a buffer.
  static func views(_ name: String, _ texts: [String]) -> MadeColumn {
    var (views, letters): ([UInt8], [UInt8]) = ([], [])
    for text in texts {
      let bytes = Array(text.utf8)
      var view = withUnsafeBytes(of: Int32(bytes.count), Array.init) + bytes.prefix(bytes.count > 12 ? 4 : 12)
      if bytes.count > 12 {
        view += withUnsafeBytes(of: Int32(0), Array.init) + withUnsafeBytes(of: Int32(letters.count), Array.init)
        letters += bytes
      }
      views += view + Array(repeating: 0, count: 16 - view.count)
    }
    return MadeColumn(name: name, format: "vu", buffers: [nil, views, letters, [UInt8](repeating: 0, count: 8)])
  }

  static func bits(_ present: [Bool]) -> [UInt8]? {
    if present.allSatisfy({ $0 }) { return nil }
    var bits = [UInt8](repeating: 0, count: (present.count + 7) / 8)
    for (row, isThere) in present.enumerated() where isThere { bits[row / 8] |= 1 << (row % 8) }
    return bits
  }
}

/// A stream of made columns. It counts what is released, and its memory goes with the object.
final class MadeStream: StreamOwner, @unchecked Sendable {
  let pointer = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)
  private let fields: [MadeColumn]
  private var batches: ArraySlice<(rowCount: Int, columns: [MadeColumn])>
  /// What the stream says instead of a batch that there isn't.
  private let failure: String?
  private var memory: [UnsafeMutableRawPointer] = []
  private(set) var releasedCount = 0
  private var sentence: UnsafeMutablePointer<CChar>?

  /// - Parameter batches: the columns of each batch, with its number of rows.
  init(_ batches: [(rowCount: Int, columns: [MadeColumn])], fields: [MadeColumn]? = nil, failure: String? = nil) {
    self.fields = fields ?? batches.first?.columns ?? []
    (self.batches, self.failure) = (batches[...], failure)
    pointer.initialize(
      to: ArrowArrayStream(
        get_schema: { stream, schema in
          MadeStream.of(stream).writeSchema(schema!)
          return 0
        },
        get_next: { stream, array in MadeStream.of(stream).writeNext(array!) },
        get_last_error: { stream in UnsafePointer(MadeStream.of(stream).sentence) },
        release: { stream in
          MadeStream.of(stream).releasedCount += 1
          stream!.pointee.release = nil
        }, private_data: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    for block in memory { block.deallocate() }
    pointer.deallocate()
  }

  private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> MadeStream {
    Unmanaged<MadeStream>.fromOpaque(stream!.pointee.private_data).takeUnretainedValue()
  }

  private func allocate<Value>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let block = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
    block.initialize(from: values, count: values.count)
    memory.append(UnsafeMutableRawPointer(block))
    return block
  }

  private func text(_ text: String) -> UnsafePointer<CChar> { UnsafePointer(allocate(Array(text.utf8CString))) }

  private func schema(_ format: String, _ name: String) -> ArrowSchema {
    ArrowSchema(
      format: text(format), name: text(name), metadata: nil, flags: 2, n_children: 0, children: nil, dictionary: nil,
      release: { $0!.pointee.release = nil }, private_data: nil)
  }

  private func writeSchema(_ target: UnsafeMutablePointer<ArrowSchema>) {
    var all = schema("+s", "")
    let children = fields.map { column in
      var field = schema(column.format, column.name)
      if let dictionary = column.dictionary { field.dictionary = allocate([schema(dictionary.format, "")]) }
      return Optional(allocate([field]))
    }
    (all.n_children, all.children) = (Int64(children.count), allocate(children))
    target.initialize(to: all)
  }

  private func array(_ rowCount: Int, _ buffers: [[UInt8]?], nullCount: Int = 0, offset: Int = 0) -> ArrowArray {
    let addresses = buffers.map { bytes in bytes.map { UnsafeRawPointer(allocate($0)) } }
    return ArrowArray(
      length: Int64(rowCount), null_count: Int64(nullCount), offset: Int64(offset), n_buffers: Int64(buffers.count),
      n_children: 0, buffers: allocate(addresses), children: nil, dictionary: nil,
      release: { $0!.pointee.release = nil }, private_data: nil)
  }

  private func writeNext(_ target: UnsafeMutablePointer<ArrowArray>) -> Int32 {
    target.initialize(to: ArrowArray())
    guard let (rowCount, columns) = batches.popFirst() else {
      if let failure { sentence = allocate(Array(failure.utf8CString)) }
      return failure == nil ? 0 : 5
    }
    var batch = array(rowCount, [nil])
    let children = columns.map { column in
      var child = array(rowCount, column.buffers, nullCount: column.nullCount, offset: column.offset)
      if let dictionary = column.dictionary {
        child.dictionary = allocate([array(dictionary.count, dictionary.buffers)])
      }
      return Optional(allocate([child]))
    }
    (batch.n_children, batch.children) = (Int64(children.count), allocate(children))
    target.initialize(to: batch)
    return 0
  }
}
