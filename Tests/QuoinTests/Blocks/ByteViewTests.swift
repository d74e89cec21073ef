import Testing

@testable import Quoin

@Suite struct ByteViewTests {
  private static func withView<Result>(_ bytes: [UInt8], _ body: (ByteView) throws -> Result) rethrows -> Result {
    try unsafe bytes.withUnsafeBytes { bytes in try body(unsafe ByteView(bytes)) }
  }

  @Test func views_are_parts_of_bytes() {
    Self.withView([1, 2, 3, 4, 5]) { view in
      #expect(view.count == 5 && view.first == 1 && view.array == [1, 2, 3, 4, 5])
      #expect(view.slice(1..<4).array == [2, 3, 4] && view.slice(5..<5).count == 0)
      #expect(view.prefix(2).array == [1, 2] && view.prefix(9).count == 5)
      #expect(
        view.integer(at: 3, as: UInt16.self) == 0x0504
          && view.slice(1..<5).integer(at: 0, as: UInt32.self) == 0x0504_0302)
      #expect(Checksum(of: view.slice(1..<4)) == Checksum(of: [2, 3, 4]))
    }
    #expect(ByteView.empty.count == 0 && ByteView.empty.first == nil && ByteView.empty.prefix(8).array == [])
  }

  @Test func readers_read_views() throws {
    try Self.withView([1, 0, 7, 8, 9]) { view in
      var reader = ByteReader(view)
      let number = try reader.read(UInt16.self)
      let next = try reader.view(2).array
      #expect(number == 1 && next == [7, 8])
      #expect(throws: Damage(offset: 4, "2 bytes wanted, 1 left")) { _ = try reader.view(2) }
    }
  }

  #if !os(Windows)
    @Test func bytes_past_the_end_trap() async {
      await #expect(processExitsWith: .failure) { _ = Self.withView([1, 2, 3]) { $0.integer(at: 0, as: UInt32.self) } }
      await #expect(processExitsWith: .failure) { _ = Self.withView([1, 2, 3]) { $0.slice(2..<4).count } }
      await #expect(processExitsWith: .failure) { _ = [UInt8](repeating: 0, count: 7).integer(at: 0, as: UInt64.self) }
    }
  #endif
}
