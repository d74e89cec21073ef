/// Working memory to encode blocks in. Each thread that writes has its own. Sound: this object owns the memory
/// until it ends, and every area has room for the longest payload.
@safe
final class EncoderScratch {
  let decoding = BlockScratch()
  /// The best way to scale the block so far, and room to try another.
  private(set) var scaled = ScaledColumn()
  private(set) var spare = ScaledColumn()
  let planes: UnsafeMutableRawBufferPointer
  /// Room for two compressed payloads, which must be shorter than the raw ones.
  let compressed: (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)

  init() {
    unsafe planes = Self.allocate()
    unsafe compressed = (Self.allocate(), Self.allocate())
  }

  deinit {
    unsafe planes.deallocate()
    unsafe compressed.0.deallocate()
    unsafe compressed.1.deallocate()
  }

  /// Makes the attempt in `spare` the best one.
  func keepSpare() { swap(&scaled, &spare) }

  private static func allocate() -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: Limits.rowsPerBlock * 8, alignment: 64)
  }
}
