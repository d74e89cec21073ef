import CZlib

/// Bytes on their way through zlib, which holds some of them back for a while.
///
/// It works at the fastest level, because a client waits for it, and with half of zlib's usual window and table, which are
/// cleared for each stream: 22 kB of JSON then take 125 microseconds instead of 206, and 8 MB don't grow.
@safe final class Deflater {
  /// What surrounds the compressed bytes, in zlib's terms: the binary logarithm of the window's size, plus 16 for gzip's
  /// header and trailer, minus the sign for none.
  enum Wrapping: Int32 {
    case none = -14
    case gzip = 30
  }

  // Sound: zlib keeps the stream's address, so the stream is allocated and stays where it is. Input and output are valid
  // during each call.
  private let stream: UnsafeMutablePointer<z_stream>
  private var scratch = [UInt8](repeating: 0, count: 1 << 15)

  init(_ wrapping: Wrapping) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe deflateInit2_(
      stream, Z_BEST_SPEED, Z_DEFLATED, wrapping.rawValue, 7, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory, or is another one: \(status)")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// The next compressed bytes, if any; with `finish`, all that are left.
  func compress(_ bytes: [UInt8], finish: Bool) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[...]
    repeat {
      // zlib counts in 32 bits.
      let piece = rest.prefix(1 << 30)
      rest = rest.dropFirst(piece.count)
      unsafe piece.withUnsafeBufferPointer { input in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        deflate(into: &output, finish && rest.isEmpty ? Z_FINISH : Z_NO_FLUSH)
      }
    } while !rest.isEmpty
    return output
  }

  /// Lets zlib work until it needs more input.
  private func deflate(into output: inout [UInt8], _ flush: Int32) {
    repeat {
      let count = unsafe scratch.withUnsafeMutableBufferPointer { room in
        unsafe stream.pointee.next_out = room.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room.count)
        unsafe CZlib.deflate(stream, flush)
        return unsafe room.count - Int(stream.pointee.avail_out)
      }
      output += scratch[..<count]
      if count < scratch.count { return }
    } while true
  }
}

/// zlib's checksum of the bytes that have the checksum `start`, followed by these.
func checksum32(of bytes: [UInt8], after start: UInt32) -> UInt32 {
  // For no bytes, zlib would return its initial checksum.
  guard !bytes.isEmpty else { return start }
  // Sound: zlib reads as many bytes as the count says.
  return unsafe bytes.withUnsafeBufferPointer {
    unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(start), $0.baseAddress, $0.count))
  }
}
