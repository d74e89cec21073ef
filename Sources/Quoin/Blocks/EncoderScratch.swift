/// Working memory to encode blocks in. Each thread that writes has its own.
final class EncoderScratch {
  let decoding = BlockScratch()
  /// The best way to scale the block so far, and room to try another.
  private(set) var scaled = ScaledColumn()
  private(set) var spare = ScaledColumn()

  /// Makes the attempt in `spare` the best one.
  func keepSpare() { swap(&scaled, &spare) }
}
