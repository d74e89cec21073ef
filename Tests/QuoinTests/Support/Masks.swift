@testable import Quoin

/// The rows of a mask, for messages.
extension RowMask {
  var rows: [Int] {
    var rows: [Int] = []
    forEachRow { rows.append($0) }
    return rows
  }
}

/// Values as bits, with which NaN and the zeros compare as they are stored.
func bits<Value: BlockValue>(_ values: [Value]) -> [UInt64] { values.map(\.bits) }

/// Bytes as text in base 16, in words of 8 bytes.
func hex(_ bytes: [UInt8]) -> String {
  stride(from: 0, to: bytes.count, by: 8).map { start in
    bytes[start..<min(start + 8, bytes.count)].map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }.joined(separator: " ")
}

/// The bytes that a text in base 16 names, whatever its spaces and line ends.
func bytes(hex text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
