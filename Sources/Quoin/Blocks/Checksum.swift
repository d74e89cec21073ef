/// XXH3-64 of some bytes (Yann Collet's xxHash): 64 bits, computed faster than memory can be read.
struct Checksum: Equatable, Sendable {
  let value: UInt64

  init(value: UInt64) { self.value = value }
  init(of bytes: ByteView) { value = bytes.hash }
  init(of bytes: [UInt8]) { value = bytes.withView { $0.hash } }
}
