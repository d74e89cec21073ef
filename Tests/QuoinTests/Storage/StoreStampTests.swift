import Testing

@testable import Quoin

@Suite struct StoreStampTests {
  private let folder = TemporaryDirectory()

  private func stamp() throws -> StoreStamp { try QuoteStore.stamp(of: folder.path) }

  @Test func a_stamp_stays_until_a_commit() throws {
    let store = try QuoteStore(at: folder.path)
    try store.upsert(["FDX": .sample(10)])
    let first = try stamp()
    #expect(first.generation == store.generation)
    #expect(try stamp() == first)
    try store.upsert(["FDX": .sample(11)])
    #expect(try stamp() != first)
    #expect(try stamp().generation == store.generation)
  }

  @Test func a_store_in_the_place_of_another_has_another_stamp() throws {
    let other = TemporaryDirectory()
    try QuoteStore(at: folder.path).upsert(["FDX": .sample(10)])
    try QuoteStore(at: other.path).upsert(["FDX": .sample(10, salt: 1)])
    let (a, b) = (try stamp(), try QuoteStore.stamp(of: other.path))
    #expect(a.generation == b.generation && a != b)
  }

  @Test func without_a_store_there_is_no_stamp() throws {
    #expect(throws: StoreError.noStore(path: folder.path)) { try stamp() }
    try SystemFiles().writeFile(folder.path + "/" + StoreFiles.manifest, [[1, 2, 3]])
    #expect(throws: StoreError.self) { try stamp() }
  }
}
