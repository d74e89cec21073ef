import CXXHash

/// XXH3-64 of some bytes (Yann Collet's xxHash): 64 bits, computed faster than memory can be read.
struct Checksum: Equatable, Sendable {
  let value: UInt64

  init(value: UInt64) { self.value = value }

  init(of bytes: UnsafeRawBufferPointer) {
    // Sound: the library reads `count` bytes from a buffer that holds them; for 0 bytes it reads nothing.
    value = unsafe XXH3_64bits(bytes.baseAddress, bytes.count)
  }

  init(of bytes: ByteView) { self = unsafe Checksum(of: bytes.bytes) }

  init(of bytes: [UInt8]) {
    self = unsafe bytes.withUnsafeBytes { unsafe Checksum(of: $0) }
  }
}
