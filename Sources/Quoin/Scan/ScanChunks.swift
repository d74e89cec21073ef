/// How a scan divides blocks among threads.
enum ScanChunks {
  /// The largest number of blocks that are filtered together: enough that what is looked up for one serves the next, and few
  /// enough that their masks stay in the cache.
  static let blockCountMax = 64

  /// With fewer blocks, one thread is done before another has woken up.
  private static let blocksWorthThreads = 8

  /// With fewer verdicts, which take about a nanosecond each, one thread is done before another has woken up.
  static let verdictsWorthThreads = 20_000

  /// Ranges of `count` blocks, in order: several for each thread, and none with more than `blockCountMax` blocks.
  static func ranges(_ count: Int, _ crew: Crew, blockCountMax: Int = blockCountMax) -> [Range<Int>] {
    let isShared = crew.threadCount > 1 && count >= blocksWorthThreads
    let chunkCount = isShared ? crew.threadCount * Crew.itemsPerThread : 1
    let size = max(1, min(blockCountMax, (count + chunkCount - 1) / chunkCount))
    return (0..<count).chunked(size)
  }

  /// The wanted blocks of each file, in order, in ranges that take about the same time to judge. A crew of one gets one
  /// range for each file.
  static func ranges(ofFiles wanted: [Range<Int>?], _ crew: Crew) -> [(file: Int, blocks: Range<Int>)] {
    let count = wanted.reduce(0) { $0 + ($1?.count ?? 0) }
    let size = crew.threadCount > 1 ? count / (crew.threadCount * Crew.itemsPerThread) + 1 : max(1, count)
    return wanted.enumerated().flatMap { file, blocks in (blocks ?? 0..<0).chunked(size).map { (file, $0) } }
  }
}

extension Range<Int> {
  /// The range in parts of `size` numbers; the last one may be smaller.
  fileprivate func chunked(_ size: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: size).map { $0..<Swift.min($0 + size, upperBound) }
  }
}
