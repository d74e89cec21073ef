/// How a scan divides blocks among threads.
enum ScanChunks {
  /// Blocks that are filtered together: enough that what is looked up for one serves the next, and few enough that their
  /// masks stay in the cache.
  static let blockCountMax = 64

  /// With fewer blocks, one thread is done before another has woken up.
  private static let blocksWorthThreads = 8

  /// With fewer verdicts, one thread is done before another has woken up: a verdict takes about a nanosecond.
  static let verdictsWorthThreads = 100_000

  /// Ranges of `count` blocks, in order: several for each thread, but none of more than `blockCountMax`.
  static func ranges(_ count: Int, _ crew: Crew, blockCountMax: Int = blockCountMax) -> [Range<Int>] {
    let isShared = crew.threadCount > 1 && count >= blocksWorthThreads
    let chunkCount = isShared ? crew.threadCount * Crew.itemsPerThread : 1
    let size = max(1, min(blockCountMax, (count + chunkCount - 1) / chunkCount))
    return stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
  }
}
