import CZlib

/// A deflated stream on its way through zlib.
///
/// Its memory is bounded: zlib keeps a window of 32 kB, and packed bytes come from the buffer of an `InputBytes`.
@safe final class Inflater {
  /// What surrounds the deflated bytes, in zlib's terms: the binary logarithm of the window's size, plus 16 for gzip's
  /// header and trailer, minus the sign for none.
  enum Wrapping: Int32 {
    case none = -15
    case gzip = 31
  }

  /// What one call of zlib did.
  private struct Step {
    var consumed = 0
    var produced = 0
    var isAtEnd = false
    /// zlib's words for what is wrong.
    var damage: String?
  }

  // Sound: zlib keeps the stream's address, so the stream is allocated and stays where it is. zlib gets the true sizes of
  // both buffers, which are valid during each call, and keeps neither pointer's bytes after it.
  private let stream: UnsafeMutablePointer<z_stream>

  init(_ wrapping: Wrapping) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe inflateInit2_(stream, wrapping.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory, or another version: \(status)")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Expects a new stream after one that has ended.
  func reset() { unsafe inflateReset(stream) }

  /// Unpacks some bytes into `buffer`, which isn't empty. No bytes come only from an empty stream's end.
  ///
  /// - Throws: `ImportError.cannotUnpack` if the packed bytes are damaged or end before the stream does.
  func read(
    into buffer: inout MutableRawSpan, from input: inout InputBytes
  ) throws(ImportError) -> (count: Int, isAtEnd: Bool) {
    while true {
      if try input.fill(1) == 0 { throw input.error(Self.endsEarly) }
      let step = unsafe buffer.withUnsafeMutableBytes { buffer in
        unsafe input.ahead.withUnsafeBytes { unsafe inflate($0, into: buffer) }
      }
      input.skip(step.consumed)
      if let damage = step.damage { throw input.error("the archive is damaged (\(damage))") }
      if step.produced > 0 || step.isAtEnd { return (step.produced, step.isAtEnd) }
    }
  }

  private func inflate(_ packed: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer) -> Step {
    // zlib counts in 32 bits.
    let (inputCount, outputCount) = (UInt32(clamping: packed.count), UInt32(clamping: buffer.count))
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: packed.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = inputCount
    unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = outputCount
    let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    var step = Step()
    step.consumed = unsafe Int(inputCount - stream.pointee.avail_in)
    step.produced = unsafe Int(outputCount - stream.pointee.avail_out)
    step.isAtEnd = status == Z_STREAM_END
    // Z_BUF_ERROR says only that one of the buffers is used up.
    if status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR {
      step.damage = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "zlib's error \(status)"
    }
    return step
  }

  static let endsEarly = "the archive ends too early; it may be truncated"

  /// The checksum (CRC-32) of some bytes that follow others with `checksum`; 0 is the checksum of no bytes.
  static func checksum(_ checksum: UInt32, _ bytes: RawSpan) -> UInt32 {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return checksum }
      return unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(checksum), start, bytes.count))
    }
  }
}
