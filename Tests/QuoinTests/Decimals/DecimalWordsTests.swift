import Testing

@testable import Quoin

/// The reading of cells eight characters at a time against the standard library.
@Suite struct DecimalWordsTests {
  /// What is read at the beginning of `bytes`, behind which more lie.
  private func read(_ bytes: [UInt8]) -> (double: Double?, volume: Int64?, byteCount: Int, volumeByteCount: Int) {
    let padded = bytes + [UInt8](repeating: UInt8(ascii: "7"), count: DecimalWords.readableByteCount)
    return unsafe padded.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return (nil, nil, 0, 0) }
      let decimal = unsafe DecimalWords(at: start, powersOfTen)
      let volume = unsafe DecimalWords.volume(at: start)
      return (decimal?.double(powersOfTen), volume?.value, decimal?.byteCount ?? 0, volume?.byteCount ?? 0)
    }
  }

  /// The standard library's number; it wants a digit on both sides of the point, or none.
  private func number(_ text: String) -> Double? { Double(text.contains(".") ? "0\(text)0" : text) }

  private func cell(_ random: inout TestGenerator) -> String {
    func digits(_ count: UInt64) -> String { (0..<count).map { _ in "\(random.next() % 10)" }.joined() }
    let whole = digits(random.next() % 8)
    let fraction = digits(random.next() % 9)
    return random.next() % 4 == 0 ? whole : whole + "." + fraction
  }

  @Test func plain_cells_are_rounded_as_the_standard_library_does() {
    var random = TestGenerator(seed: TestSettings.seed)
    var readCount = 0
    for _ in 0..<100_000 {
      let text = cell(&random)
      let found = read(Array("\(text),".utf8))
      guard let double = found.double else { continue }
      readCount += 1
      let expected = number(text)
      #expect(double.bitPattern == expected?.bitPattern && found.byteCount == text.utf8.count, "\(text)")
      if let volume = found.volume, found.volumeByteCount == text.utf8.count {
        #expect(Double(volume) == expected, "\(text)")
      }
    }
    #expect(readCount > 80_000)
  }

  @Test(arguments: [
    "86.9", "1373400", "1373400.0", "81.602653510676", "0.0", "1234567.1234567", "7", ".5", "5.", "0.00000000001",
  ])
  func usual_cells_are_read(_ text: String) {
    let expected = number(text)
    for end in [",", "\n", "\r\n", "\t", ";"] {
      let found = read(Array((text + end).utf8))
      #expect(found.double == expected && found.byteCount == text.utf8.count)
    }
  }

  /// Whatever byte stands in whatever place: what is read is a number that ends before a byte which is none of its own.
  @Test func no_byte_is_taken_for_a_digit() {
    for text in ["86.9", "1373400.0", "81.602653510676", "127.5512"] {
      for place in text.utf8.indices {
        for byte in UInt8.min...UInt8.max {
          var bytes = Array("\(text),".utf8)
          let index = text.utf8.distance(from: text.startIndex, to: place)
          bytes[index] = byte
          let found = read(bytes)
          for (count, value) in [
            (found.byteCount, found.double), (found.volumeByteCount, found.volume.map(Double.init)),
          ] {
            guard let value else { continue }
            let cell = String(decoding: bytes[..<count], as: UTF8.self)
            #expect(
              cell.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E } && value == number(cell),
              "\(bytes)")
          }
        }
      }
    }
  }

  @Test(arguments: [",", ".,", "-1,", "+1,", "1e5,", " 1,", "x,", "\n"]) func what_is_not_plain_is_left_to_others(
    _ text: String
  ) {
    let found = read(Array(text.utf8))
    let isWhole = found.double != nil && found.byteCount == text.utf8.count - 1
    #expect(!isWhole)
  }
}
