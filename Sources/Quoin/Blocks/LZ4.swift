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
