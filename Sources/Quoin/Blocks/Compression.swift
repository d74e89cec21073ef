import CLZ4

/// The LZ4 block format, through liblz4.
enum LZ4 {
  /// Compresses `bytes` into the beginning of `destination`.
  ///
  /// - Returns: the number of compressed bytes, or nil if `destination` is too small.
  static func compress(_ bytes: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer) -> Int? {
    guard unsafe !destination.isEmpty else { return nil }
    // Sound: both sizes are those of the buffers, and the library writes no further than the destination's.
    let count = unsafe LZ4_compress_default(
      bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
      destination.baseAddress?.assumingMemoryBound(to: CChar.self),
      Int32(bytes.count), Int32(destination.count))
    return count > 0 ? Int(count) : nil
  }

  /// Any bytes, below 2^31 of them, compressed: at most a few more than they were.
  static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let room = Int(LZ4_compressBound(Int32(bytes.count)))
    return unsafe [UInt8](unsafeUninitializedCapacity: room) { destination, count in
      count = unsafe bytes.withUnsafeBytes { unsafe compress($0, into: UnsafeMutableRawBufferPointer(destination)) }!
    }
  }

  /// Calls `body` with the `byteCount` bytes, below 2^31, that were compressed to `bytes`. Throws unless it is so many.
  static func withDecompressed(
    _ bytes: ByteView, byteCount: Int, _ body: (ByteView) throws(Damage) -> Void
  ) throws(Damage) {
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
    defer { unsafe output.deallocate() }
    unsafe try decompress(bytes.bytes, into: output)
    try body(unsafe ByteView(UnsafeRawBufferPointer(output)))
  }

  /// Decompresses `bytes` into `destination`. Throws unless they fill it exactly.
  static func decompress(_ bytes: UnsafeRawBufferPointer, into destination: UnsafeMutableRawBufferPointer)
    throws(Damage)
  {
    // Sound: the "safe" decoder checks every read and write against these sizes.
    let count = unsafe LZ4_decompress_safe(
      bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
      destination.baseAddress?.assumingMemoryBound(to: CChar.self),
      Int32(bytes.count), Int32(destination.count))
    guard Int(count) == destination.count else {
      throw Damage(offset: 0, "LZ4 data unpack to \(count) bytes, not \(destination.count)")
    }
  }
}

/// Byte planes: the first bytes of all elements, then the second bytes, and so on (the "shuffle" of Blosc and HDF5).
///
/// If numbers lie close together, their high planes repeat, which LZ4 can use. The low plane is noise, which it copies.
enum BytePlanes {
  /// Writes the planes of `elements`, which have `planeCount` bytes each. Both buffers have the same size, a multiple of that.
  static func split(
    _ elements: UnsafeRawBufferPointer, into planes: UnsafeMutableRawBufferPointer, planeCount: Int
  ) {
    let count = elements.count / planeCount
    for plane in 0..<planeCount {
      // Sound: both indices stay below count * planeCount, which is the size of both buffers.
      for index in 0..<count { unsafe planes[plane &* count &+ index] = elements[index &* planeCount &+ plane] }
    }
  }

  /// Writes the elements that have these planes. Both buffers have the same size, a multiple of `planeCount`.
  static func join(
    _ planes: UnsafeRawBufferPointer, into elements: UnsafeMutableRawBufferPointer, planeCount: Int
  ) {
    let count = planes.count / planeCount
    for plane in 0..<planeCount {
      // Sound: both indices stay below count * planeCount, which is the size of both buffers.
      for index in 0..<count { unsafe elements[index * planeCount + plane] = planes[plane * count + index] }
    }
  }
}
