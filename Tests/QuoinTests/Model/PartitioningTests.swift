import Testing

@testable import Quoin

@Suite struct PartitioningTests {
  @Test func a_search_finds_what_a_walk_finds() {
    for count in 0...20 {
      let odd = (0..<count).map { 2 * $0 + 1 }
      for limit in -1...(2 * count + 2) {
        #expect(odd.partitioningIndex { $0 >= limit } == odd.firstIndex { $0 >= limit } ?? count)
        #expect(odd.sortedIndex(of: limit) { $0 } == odd.firstIndex(of: limit))
      }
      let slice = odd.dropFirst(count / 3)
      #expect(slice.partitioningIndex { $0 > count } == slice.firstIndex { $0 > count } ?? slice.endIndex)
    }
  }

  @Test func a_search_looks_at_few_elements() {
    var lookCount = 0
    let index = (0..<1_000_000).partitioningIndex {
      lookCount += 1
      return $0 >= 777_777
    }
    #expect(index == 777_777 && lookCount <= 20)
  }
}
