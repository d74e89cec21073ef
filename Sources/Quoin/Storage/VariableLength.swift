// Integers of variable length: seven bits a byte, the lowest first, and the eighth bit in all bytes but the last (LEB128, as in
// DWARF and Protocol Buffers). Signed ones alternate, 0, -1, 1, -2, 2 (zigzag, as in Protocol Buffers), so that small ones are short.

extension [UInt8] {
  mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  mutating func append(signedNumber number: Int64) {
    append(number: UInt64(bitPattern: number << 1 ^ number >> 63))
  }
}

extension ByteReader {
  mutating func number() throws(Damage) -> UInt64 {
    let start = offset
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte: UInt8 = try read()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1, shift <= 63 else { throw Damage(offset: start, "a number of more than 64 bits") }
      number |= bits << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  mutating func signedNumber() throws(Damage) -> Int64 {
    let number = try number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// A number from 0 to `limit`.
  mutating func count(upTo limit: Int) throws(Damage) -> Int {
    let start = offset
    guard let count = Int(exactly: try number()), count <= limit else {
      throw Damage(offset: start, "a number above \(limit)")
    }
    return count
  }
}
