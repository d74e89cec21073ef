import CLZ4

/// The LZ4 block format, through liblz4.
enum LZ4 {
  /// `bytes` compressed, or nil when that takes more than `limit` bytes.
  static func compressed(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    guard limit > 0 else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: limit) { destination, count in
      count = unsafe bytes.withUnsafeBytes { source in
        // Sound: both sizes are those of the buffers, and the library writes no further than the limit.
        unsafe Int(
          LZ4_compress_default(
            source.baseAddress?.assumingMemoryBound(to: CChar.self),
            UnsafeMutableRawPointer(destination.baseAddress!).assumingMemoryBound(to: CChar.self),
            Int32(source.count), Int32(limit)))
      }
    }.nonEmpty
  }

  /// Decompresses `bytes` into `destination`, which they must fill exactly.
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

extension [UInt8] {
  fileprivate var nonEmpty: [UInt8]? { isEmpty ? nil : self }
}
