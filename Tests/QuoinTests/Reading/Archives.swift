import Testing

@testable import Quoin

// Archives made by hand, as the tools that make them for users do and don't.

/// A gzip as the tool makes it.
func gzip(_ text: some Sequence<UInt8>) throws -> [UInt8] {
  let folder = TemporaryDirectory()
  let path = try folder.write(text, as: "text")
  folder.run("gzip -nc \(path) > \(folder.path)/packed")
  let file = try SystemFiles().map(folder.path + "/packed")
  return withExtendedLifetime(file) { file.view.array }
}

/// A zip of one file and what can be odd about it.
struct Zip: CustomTestStringConvertible {
  enum Descriptor: CaseIterable {
    case plain, withoutSignature, of64Bits, of64BitsWithoutSignature
  }

  var isDeflated = true
  var descriptor: Descriptor?
  /// Whether sizes are in extra fields.
  var isZip64 = false
  /// How many bytes the zip64 end record says that it has after this number; it has as many, up to 100,000.
  var zip64EndByteCount = 44
  var flags: UInt16 = 0
  var method: UInt16?
  var comment: [UInt8] = []

  var testDescription: String {
    "\(isDeflated ? "deflated" : "stored")\(isZip64 ? ", zip64" : "")\(descriptor.map { ", \($0)" } ?? "")"
  }

  /// One of each kind that is unpacked.
  static let kinds =
    [Zip(), Zip(isDeflated: false), Zip(isZip64: true), Zip(isDeflated: false, isZip64: true)]
    + Descriptor.allCases.map { Zip(descriptor: $0) } + [Zip(descriptor: .plain, isZip64: true)]

  func bytes(_ text: [UInt8]) throws -> [UInt8] { try bytes(of: [("all.csv", text)]) }

  /// A zip of several files.
  func bytes(of texts: [(name: String, text: [UInt8])]) throws -> [UInt8] {
    var (local, entry): ([UInt8], [UInt8]) = ([], [])
    for (name, text) in texts {
      let data = isDeflated ? Array(try gzip(text).dropFirst(10).dropLast(8)) : text
      entry += directoryEntry(data, text, Array(name.utf8))
      local += localHeader(data, text, Array(name.utf8)) + data + descriptorBytes(data, text)
    }
    let count = texts.count
    let zip64End =
      isZip64
      ? [0x50, 0x4B, 6, 6] + number(zip64EndByteCount, 8) + number(45, 2) + number(45, 2) + number(0, 8)
        + number(count, 8)
        + number(count, 8) + number(entry.count, 8) + number(local.count, 8)
        + [UInt8](repeating: 0, count: min(zip64EndByteCount, 100_000) - 44) + [0x50, 0x4B, 6, 7] + number(0, 4)
        + number(local.count + entry.count, 8) + number(1, 4) : []
    let end =
      [0x50, 0x4B, 5, 6] + number(0, 4) + number(count, 2) + number(count, 2) + number(entry.count, 4)
      + number(local.count, 4) + number(comment.count, 2) + comment
    return local + entry + zip64End + end
  }

  private func localHeader(_ data: [UInt8], _ text: [UInt8], _ name: [UInt8]) -> [UInt8] {
    let content = descriptor == nil ? content(data, text) : isZip64 ? ContentFields() : ContentFields(extra: [])
    return [0x50, 0x4B, 3, 4] + common + content.fixed + number(name.count, 2) + number(content.extra.count, 2) + name
      + content.extra
  }

  private func directoryEntry(_ data: [UInt8], _ text: [UInt8], _ name: [UInt8]) -> [UInt8] {
    let content = content(data, text)
    return [0x50, 0x4B, 1, 2] + number(20, 2) + common + content.fixed + number(name.count, 2)
      + number(content.extra.count, 2) + number(0, 14) + name + content.extra
  }

  private struct ContentFields {
    var fixed = number(0, 12)
    var extra = number(1, 2) + number(16, 2) + number(0, 16)
  }

  private func content(_ data: [UInt8], _ text: [UInt8]) -> ContentFields {
    if !isZip64 {
      return ContentFields(fixed: number(checksum(text), 4) + number(data.count, 4) + number(text.count, 4), extra: [])
    }
    return ContentFields(
      fixed: number(checksum(text), 4) + [UInt8](repeating: 0xFF, count: 8),
      extra: number(0x5455, 2) + number(1, 2) + [7] + number(1, 2) + number(16, 2) + number(text.count, 8)
        + number(data.count, 8))
  }

  /// Version, flags, method, time and date.
  private var common: [UInt8] {
    number(20, 2) + number(Int(flags) | (descriptor == nil ? 0 : 8), 2)
      + number(Int(method ?? (isDeflated ? 8 : 0)), 2) + number(0, 4)
  }

  private func descriptorBytes(_ data: [UInt8], _ text: [UInt8]) -> [UInt8] {
    guard let descriptor else { return [] }
    let signature: [UInt8] = descriptor == .plain || descriptor == .of64Bits ? [0x50, 0x4B, 7, 8] : []
    let width = descriptor == .plain || descriptor == .withoutSignature ? 4 : 8
    return signature + number(checksum(text), 4) + number(data.count, width) + number(text.count, width)
  }
}

private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
  (0..<byteCount).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
}

/// CRC-32, bit by bit.
private func checksum(_ bytes: [UInt8]) -> Int {
  var crc = UInt32.max
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
  }
  return Int(~crc)
}
