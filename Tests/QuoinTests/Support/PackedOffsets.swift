@testable import Quoin

/// A writer of packed payloads that follows the drawing in PackedBits.swift, bit by bit.
struct PackedOffsets {
  let offsets: [UInt32]
  let width: Int
  let areDifferences: Bool
  /// Bits of each packed value beyond those that it needs.
  var slack = 0

  private struct Frame {
    let bits: Int
    /// What packed values count from: the base, and with differences the least one.
    let numbers: [Int64]
    let values: [UInt64]
  }

  var bytes: [UInt8] {
    let frames = stride(from: 0, to: offsets.count, by: 128).map {
      frame(Array(offsets[$0..<min($0 + 128, offsets.count)]))
    }
    return frames.flatMap(head) + frames.flatMap(words)
  }

  /// Numbers wrap around at the offsets' width.
  private func wrapped(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) & (1 << UInt64(8 * width) - 1) }

  private func frame(_ offsets: [UInt32]) -> Frame {
    let numbers = offsets.map { Int64($0) }
    let differences = zip(numbers.dropFirst(), numbers).map { $0 - $1 }
    let least = (areDifferences ? differences : numbers).min() ?? 0
    var values = (areDifferences ? [least] + differences : numbers).map { wrapped($0 - least) }
    if areDifferences { values[0] = 0 }
    let needed = 64 - (values.max() ?? 0).leadingZeroBitCount
    return Frame(
      bits: min(needed + slack, 8 * width), numbers: areDifferences ? [numbers[0] - least, least] : [least],
      values: values)
  }

  private func head(_ frame: Frame) -> [UInt8] {
    [UInt8(frame.bits)]
      + frame.numbers.flatMap { number in (0..<width).map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) } }
  }

  private func words(_ frame: Frame) -> [UInt8] {
    let parts = frame.bits > 16 ? [(0, 16), (16, frame.bits - 16)] : [(0, frame.bits)]
    return parts.flatMap { first, count -> [UInt8] in
      var lanes = [[Bool]](repeating: [], count: 8)
      for place in 0..<((frame.values.count + 7) / 8 * 8) {
        let value = place < frame.values.count ? frame.values[place] : 0
        for bit in first..<(first + count) { lanes[place % 8].append(value >> UInt64(bit) & 1 == 1) }
      }
      let wordCount = (lanes[0].count + 15) / 16
      return (0..<wordCount).flatMap { word in
        lanes.flatMap { lane in
          (0..<2).map { byte in
            (0..<8).reduce(UInt8(0)) { bits, bit in
              let place = word * 16 + byte * 8 + bit
              return place < lane.count && lane[place] ? bits | 1 << UInt8(bit) : bits
            }
          }
        }
      }
    }
  }
}

extension HandmadeBlock {
  /// A scaled block of these offsets, packed; nil if that doesn't make it smaller.
  static func packed(
    base: Int64, step: UInt32, width: Int, exponent: UInt8, offsets: [UInt32], differences: Bool, slack: Int = 0
  ) -> HandmadeBlock? {
    var block = scaled(base: base, step: step, width: width, exponent: exponent, offsets: offsets)
    let packed = PackedOffsets(offsets: offsets, width: width, areDifferences: differences, slack: slack).bytes
    guard width > 0, packed.count < block.payload.count else { return nil }
    (block.payload, block.storage) = (packed, differences ? 4 : 3)
    return block
  }
}
