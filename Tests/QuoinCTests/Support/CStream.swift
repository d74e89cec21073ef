import CQuoin

/// A value that a stream handed out.
enum Cell: Hashable, Sendable {
  case missing
  case text(String)
  case day(Int32)
  case integer(Int64)
  /// A float64, as bits.
  case bits(UInt64)

  static func double(_ value: Double) -> Cell { value.isNaN ? .missing : .bits(value.bitPattern) }
  static func integer(orMissing value: Int64) -> Cell { value == .min ? .missing : .integer(value) }
}

/// What keeps a stream where it is.
protocol StreamOwner: AnyObject {
  var pointer: UnsafeMutablePointer<ArrowArrayStream> { get }
}

/// A stream, read as a consumer of Arrow's data reads it.
final class CStream: StreamOwner, @unchecked Sendable {
  let pointer = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)

  init() { pointer.initialize(to: ArrowArrayStream()) }

  deinit {
    release()
    pointer.deallocate()
  }

  func release() { pointer.pointee.release?(pointer) }

  var isReleased: Bool { pointer.pointee.release == nil }

  var lastError: String? { pointer.pointee.get_last_error(pointer).map { String(cString: $0) } }

  /// Names and formats, `ticker:i` and `ticker:i/u` with a dictionary.
  func schema() throws -> [String] {
    let schema = CSchema()
    let code = pointer.pointee.get_schema(pointer, schema.pointer)
    if code != 0 { throw CError(QUOIN_OTHER, "\(code): \(lastError ?? "no words")") }
    return schema.fields
  }

  /// The next batch; nil at the end.
  func next() throws -> CArray? {
    let array = CArray()
    let code = pointer.pointee.get_next(pointer, array.pointer)
    if code != 0 { throw CError(QUOIN_OTHER, lastError ?? "no words") }
    return array.isReleased ? nil : array
  }

  func rowCount() throws -> Int {
    var count = 0
    while let batch = try next() { count += Int(batch.pointer.pointee.length) }
    return count
  }

  /// All batches, each as columns of cells, by the formats of the schema.
  func batches() throws -> [[[Cell]]] {
    let formats = try schema().map { String($0.split(separator: ":").last ?? "") }
    var batches: [[[Cell]]] = []
    while let batch = try next() { batches.append(try batch.columns(formats)) }
    return batches
  }

  /// All rows, as columns of cells.
  func columns() throws -> [[Cell]] {
    let count = try schema().count
    let batches = try batches()
    return (0..<count).map { column in batches.flatMap { $0[column] } }
  }
}

/// A schema that was handed out.
final class CSchema {
  let pointer = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)

  init() { pointer.initialize(to: ArrowSchema()) }

  deinit {
    pointer.pointee.release?(pointer)
    pointer.deallocate()
  }

  var fields: [String] {
    let schema = pointer.pointee
    guard String(cString: schema.format) == "+s", schema.flags == 0 else { return ["no struct"] }
    return (0..<Int(schema.n_children)).map { index in
      let child = schema.children[index]!.pointee
      let dictionary = child.dictionary.map { "/" + String(cString: $0.pointee.format) } ?? ""
      let nullable = child.flags == Int64(ARROW_FLAG_NULLABLE) ? "" : " not null"
      return "\(String(cString: child.name)):\(String(cString: child.format))\(dictionary)\(nullable)"
    }
  }
}

/// An array that was handed out, or a part that was moved out of one.
final class CArray: @unchecked Sendable {
  let pointer = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)

  init() { pointer.initialize(to: ArrowArray()) }

  deinit {
    release()
    pointer.deallocate()
  }

  func release() { pointer.pointee.release?(pointer) }

  var isReleased: Bool { pointer.pointee.release == nil }
  var rowCount: Int { Int(pointer.pointee.length) }
  var childCount: Int { Int(pointer.pointee.n_children) }

  func child(_ index: Int) -> UnsafeMutablePointer<ArrowArray> { pointer.pointee.children[index]! }

  /// Takes a child out, as the interface says it: its struct is copied, and marked as released where it was.
  func moveChild(_ index: Int) -> CArray {
    let moved = CArray()
    moved.pointer.pointee = child(index).pointee
    child(index).pointee.release = nil
    return moved
  }

  func columns(_ formats: [String]) throws -> [[Cell]] {
    guard pointer.pointee.null_count == 0, pointer.pointee.n_buffers == 1, pointer.pointee.buffers[0] == nil,
      childCount == formats.count
    else { throw CError(QUOIN_OTHER, "no batch of records") }
    return try (0..<childCount).map { index in
      try Self.cells(child(index).pointee, formats[index], rowCount)
    }
  }

  /// The values of a column. Throws if something is otherwise than `quoin.h` promises.
  static func cells(_ array: ArrowArray, _ format: String, _ rowCount: Int) throws -> [Cell] {
    func fail(_ message: String) -> CError { CError(QUOIN_OTHER, "\(format): \(message)") }
    guard array.length == rowCount, array.offset == 0, array.n_children == 0 else {
      throw fail("its length, offset or children")
    }
    for index in 0..<(Int(array.n_buffers)) {
      let address = UInt(bitPattern: array.buffers[index])
      guard address % 64 == 0, index == 0 || address != 0 else { throw fail("buffer \(index) is at \(address)") }
    }
    let bits = array.buffers[0]?.assumingMemoryBound(to: UInt8.self)
    let isThere = (0..<rowCount).map { row in bits.map { $0[row / 8] & 1 << (row % 8) != 0 } ?? true }
    let missingCount = isThere.count { !$0 }
    guard array.null_count == missingCount, (bits == nil) == (missingCount == 0) else {
      throw fail("\(array.null_count) nulls, not \(missingCount)")
    }
    func values<Value, Made>(_: Value.Type, _ make: (Value) -> Made) -> [Made] {
      let values = array.buffers[1]!.assumingMemoryBound(to: Value.self)
      return (0..<rowCount).map { make(values[$0]) }
    }
    var cells: [Cell]
    switch format {
    case "tdD": cells = values(Int32.self) { .day($0) }
    case "l": cells = values(Int64.self) { .integer($0) }
    case "g": cells = values(Double.self) { .bits($0.bitPattern) }
    case "i/u":
      let symbols = try Self.cells(array.dictionary.pointee, "u", Int(array.dictionary.pointee.length))
      cells = values(Int32.self) { symbols[Int($0)] }
    case "u":
      let offsets = array.buffers[1]!.assumingMemoryBound(to: Int32.self)
      let letters = array.buffers[2]!.assumingMemoryBound(to: UInt8.self)
      guard offsets[0] == 0 else { throw fail("texts begin at \(offsets[0])") }
      cells = (0..<rowCount).map { row in
        let range = Int(offsets[row])..<Int(offsets[row + 1])
        return .text(String(decoding: range.map { letters[$0] }, as: UTF8.self))
      }
    default: throw fail("an unknown format")
    }
    for row in 0..<rowCount where !isThere[row] { cells[row] = .missing }
    for case .bits(let bits) in cells where Double(bitPattern: bits).isNaN { throw fail("a NaN that is there") }
    return cells
  }
}
