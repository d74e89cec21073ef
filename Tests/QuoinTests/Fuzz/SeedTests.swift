import Testing
@testable import Quoin
@testable import QuoteGenerator
@Suite struct SeedTests {
  @Test func write() throws {
    var dice = TestSettings.dice("seeds")
    var inputs: [[UInt8]] = []
    for width in 1...4 {
      for differences in [false, true] {
        for count in [40, 137, 256] {
          var walk = Int64(1) << Int64(8 * width - 2)
          let offsets = (0..<count).map { _ -> UInt32 in
            walk += Int64(dice.below(9)) - 4
            return UInt32(max(0, min(walk, Int64(UInt32.max >> UInt32(32 - 8 * width)))))
          }
          guard var block = HandmadeBlock.packed(base: 100, step: width == 2 ? 5 : 1, width: width, exponent: differences ? 2 : 0, offsets: offsets, differences: differences) else { continue }
          if count == 137 { block.patches = [(0, Double.nan.bitPattern), (130, 7)] }
          inputs.append([0, 0] + block.bytes)
          if !differences { inputs.append([0, 0x80] + block.bytes) }
        }
      }
    }
    let prices = (0..<200).map { _ in Double(9000 + dice.below(200)) / 100 }
    let values = prices.enumerated().map { SignificantDigits(digits: 14).rounded($1 * ($0 < 90 ? 0.91234 : 1)) }
    let both = derived(prices, values, EncodingChoice(.small))
    #expect(both.source[1] >= 3 && both.block[0] == 4)
    inputs.append([UInt8(both.source.count & 255), UInt8(both.source.count >> 8)] + both.source + both.block)
    for (index, input) in inputs.enumerated() { try SystemFiles().writeFile("/tmp/packseeds/\(index)", [input]) }
  }
}
