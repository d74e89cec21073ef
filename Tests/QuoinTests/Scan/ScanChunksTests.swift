import Testing

@testable import Quoin

@Suite struct ScanChunksTests {
  @Test func chunks_cover_all_blocks_in_order() {
    for threads in [1, 2, 3, 8] {
      for count in [0, 1, 7, 8, 9, 63, 64, 65, 1000, 15_040] {
        for blockCountMax in [ScanChunks.blockCountMax, .max] {
          let chunks = ScanChunks.ranges(count, Crew(threadCount: threads), blockCountMax: blockCountMax)
          #expect(chunks.flatMap { $0 } == Array(0..<count))
          #expect(chunks.allSatisfy { (1...blockCountMax).contains($0.count) })
        }
      }
    }
  }

  @Test func several_threads_get_several_chunks_each_and_one_thread_one() {
    let two = Crew(threadCount: 2)
    #expect(ScanChunks.ranges(15_040, two, blockCountMax: .max).count == 16)
    #expect(ScanChunks.ranges(15_040, two).count == 235)
    #expect(ScanChunks.ranges(160, two).map(\.count) == Array(repeating: 10, count: 16))
    #expect(ScanChunks.ranges(15_040, .alone, blockCountMax: .max) == [0..<15_040])
    #expect(ScanChunks.ranges(15_040, .alone).count == 235)
    // So few blocks aren't worth another thread.
    #expect(ScanChunks.ranges(7, two) == [0..<7])
  }
}
