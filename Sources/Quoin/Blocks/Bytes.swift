import CKernels
import CXXHash

/// Bytes in memory that another object keeps, such as those of a mapped file. Every access is checked.
///
/// Sound: views are made from a buffer, whose bytes must outlive them, and narrowed only to ranges that lie inside.
@safe
struct ByteView {
  /// The bytes, for the codecs.
  let bytes: UnsafeRawBufferPointer

  /// The bytes must outlive the view and must not change.
  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

  static var empty: ByteView { unsafe ByteView(UnsafeRawBufferPointer(start: nil, count: 0)) }

  var count: Int { unsafe bytes.count }
  var first: UInt8? { unsafe bytes.first }
  var array: [UInt8] { unsafe Array(bytes) }

  /// The bytes `range`. Traps when they don't lie inside.
  @inline(__always)
  func slice(_ range: Range<Int>) -> ByteView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "bytes \(range) of \(count)")
    return unsafe ByteView(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// The first `limit` bytes, or all of them.
  func prefix(_ limit: Int) -> ByteView { slice(0..<min(limit, count)) }

  /// The integer at `offset`. Traps when it doesn't lie inside.
  @inline(__always)
  func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
    precondition(offset >= 0 && offset <= count - MemoryLayout<T>.size, "byte \(offset) of \(count)")
    return unsafe bytes.integer(at: offset)
  }

  /// XXH3-64 of the bytes.
  var hash: UInt64 {
    // Sound: the library reads `count` bytes from a buffer that holds them; for 0 bytes it reads nothing.
    unsafe XXH3_64bits(bytes.baseAddress, bytes.count)
  }

  /// Asks the processor to fetch the bytes at `offset`.
  @inline(__always)
  func prefetch(at offset: Int) {
    // Sound: nothing is read from the address.
    if let base = unsafe bytes.baseAddress { unsafe quoin_prefetch(base + offset) }
  }
}

/// A copy of bytes at an address that stays the same.
final class OwnedBytes: @unchecked Sendable {
  /// The bytes, which must not be looked at after the object is gone.
  let view: ByteView

  init(_ bytes: some Collection<UInt8>) {
    // Sound: the memory belongs to the object, holds all bytes, and is never written again. Blocks want multiples of 8.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    unsafe memory.copyBytes(from: bytes)
    view = unsafe ByteView(UnsafeRawBufferPointer(memory))
  }

  convenience init(_ bytes: ByteView) { unsafe self.init(bytes.bytes) }

  deinit { unsafe UnsafeMutableRawBufferPointer(mutating: view.bytes).deallocate() }
}

/// Memory for a copy of bytes that may change, on one thread. The next copy takes the place of the last one.
@safe
final class CopiedBytes {
  // Sound: the memory belongs to the object, and holds what is copied into it.
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { unsafe memory.deallocate() }

  /// A copy of `bytes`, which must not be looked at after the next one was made, or the object is gone.
  func copy(_ bytes: ByteView) -> ByteView {
    if unsafe memory.count < bytes.count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: (bytes.count + 4095) / 4096 * 4096, alignment: 8)
    }
    unsafe memory.copyMemory(from: bytes.bytes)
    return unsafe ByteView(UnsafeRawBufferPointer(rebasing: memory[..<bytes.count]))
  }
}

/// Memory for copies of a block and of the one that it is computed from, on one thread.
final class BlockCopies {
  let block = CopiedBytes()
  let source = CopiedBytes()
}

/// Reads little-endian integers, one after another.
///
/// Reads past the buffer's end throw, because a store may be damaged. The machine may have either byte order.
@safe
struct ByteReader {
  let bytes: UnsafeRawBufferPointer
  var offset: Int

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    unsafe self.bytes = unsafe bytes
    self.offset = offset
  }

  init(_ bytes: ByteView, at offset: Int = 0) { unsafe self.init(bytes.bytes, at: offset) }

  @inline(__always)
  mutating func read<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) throws(Damage) -> T {
    let size = MemoryLayout<T>.size
    guard offset >= 0, unsafe offset <= bytes.count - size else { throw tooShort(for: size) }
    // Sound: the guard above keeps the load inside the buffer.
    let value = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
    offset += size
    return T(littleEndian: value)
  }

  @inline(never)
  private func tooShort(for count: Int) -> Damage {
    unsafe Damage(offset: offset, "\(count) bytes wanted, \(max(0, bytes.count - offset)) left")
  }

  /// The next `count` bytes.
  mutating func slice(_ count: Int) throws(Damage) -> UnsafeRawBufferPointer {
    guard count >= 0, offset >= 0, unsafe offset <= bytes.count - count else {
      throw tooShort(for: count)
    }
    let slice = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    offset += count
    return unsafe slice
  }

  /// The next `count` bytes, as a view.
  mutating func view(_ count: Int) throws(Damage) -> ByteView { unsafe ByteView(try slice(count)) }
}

extension UnsafeRawBufferPointer {
  /// The integer at `offset`. The caller must make sure that it lies inside the buffer, because a release build doesn't check.
  @inline(__always)
  func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
    // Sound: the caller has made sure.
    T(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: type))
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Stores an integer at `offset`. The caller must make sure that it lies inside the buffer, because a release build doesn't
  /// check.
  @inline(__always)
  func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    // Sound: the caller has made sure.
    unsafe storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }
}

extension [UInt8] {
  /// The integer at `offset`. Traps when it doesn't lie inside.
  func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
    withView { $0.integer(at: offset) }
  }

  /// Calls `body` with a view of the bytes, which must not leave it.
  func withView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
    unsafe try withUnsafeBytes { unsafe try body(ByteView($0)) }
  }

  mutating func append<T: FixedWidthInteger & BitwiseCopyable>(littleEndian value: T) {
    // All bytes at once. One by one, they took a seventh of the time to write a file of small blocks.
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends integers one after another.
  mutating func append<T: FixedWidthInteger & BitwiseCopyable>(littleEndian values: [T]) {
    // Copied at once: one by one, each takes a hundred instructions.
    let values = T(1).littleEndian == 1 ? values : values.map(\.littleEndian)
    unsafe values.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Appends a copy of the bytes.
  package mutating func append(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) } }

  /// Appends zeros until the count is a multiple of `alignment`.
  mutating func pad(to alignment: Int) {
    let excess = count % alignment
    if excess > 0 { append(contentsOf: repeatElement(0, count: alignment - excess)) }
  }
}

/// Bytes that are not what the format says, at an offset into the bytes that were being read.
struct Damage: Error, Equatable {
  var offset: Int
  let reason: String
  /// Whether it may be no damage, but what a newer version has written.
  let isUnknown: Bool

  init(offset: Int, _ reason: String, isUnknown: Bool = false) {
    self.offset = offset
    self.reason = reason
    self.isUnknown = isUnknown
  }
}
