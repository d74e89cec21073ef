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

  @Test func files_are_cut_into_chunks_of_about_the_same_size() {
    let wanted: [Range<Int>?] = [0..<1000, nil, 5..<6, 100..<300]
    func chunks(_ crew: Crew) -> [(file: Int, blocks: Range<Int>)] { ScanChunks.ranges(ofFiles: wanted, crew) }
    #expect(chunks(.alone).map(\.file) == [0, 2, 3] && chunks(.alone).map(\.blocks) == wanted.compactMap { $0 })
    let two = chunks(Crew(threadCount: 2))
    for (file, blocks) in wanted.enumerated() {
      #expect(two.filter { $0.file == file }.flatMap(\.blocks) == Array(blocks ?? 0..<0))
    }
    #expect(two.allSatisfy { (1...76).contains($0.blocks.count) })
    #expect(ScanChunks.ranges(ofFiles: [nil, 0..<0], .alone).isEmpty)
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
