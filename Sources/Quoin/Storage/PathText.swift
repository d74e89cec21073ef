// Sound: the kernel's and the shell's names end with a zero byte, and nothing keeps a pointer.

/// Paths as strings, also those whose bytes aren't UTF-8.
///
/// A byte that is no character's becomes a character for private use, U+10FF80 to U+10FFFF, and that becomes the byte again
/// when the system gets the path. A name that has such a character itself is taken apart in the same way, so that every name
/// has one string. (Python's `os.fsdecode` does the same with surrogates, which Swift's strings don't have.)
package enum PathText {
  private static let escapes = Unicode.Scalar(0x10FF80)!...Unicode.Scalar(0x10FFFF)!
  /// The first byte of an escape in UTF-8.
  private static let mark: UInt8 = 0xF4

  /// The string for bytes that end with a zero.
  package static func text(_ name: UnsafePointer<CChar>) -> String {
    var bytes: [UInt8] = []
    while let byte = unsafe UInt8(bitPattern: name[bytes.count]) as UInt8?, byte != 0 { bytes.append(byte) }
    return text(bytes)
  }

  /// The string for a path's bytes.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(mark) { return text }
    var scalars = String.UnicodeScalarView()
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[...]
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput: return String(scalars)
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if escapes.contains(scalar) {
          scalars += rest.prefix(encoded.count).map(escape)
        } else {
          scalars.append(scalar)
        }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        scalars += rest.prefix(length).map(escape)
        rest = rest.dropFirst(length)
      }
    }
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0x10FF00 + UInt32(byte)) ?? Unicode.Scalar(0xFFFD)!
  }

  /// Calls `body` with the bytes of a path, as the system has them.
  package static func withSystemPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard path.utf8.contains(mark) else { return unsafe path.withCString(body) }
    var bytes: [CChar] = []
    for scalar in path.unicodeScalars {
      if escapes.contains(scalar) {
        bytes.append(CChar(bitPattern: UInt8(truncatingIfNeeded: scalar.value)))
      } else {
        bytes += UTF8.encode(scalar)?.map { CChar(bitPattern: $0) } ?? []
      }
    }
    return unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return unsafe path.withCString(body) }
      return unsafe body(start)
    }
  }
}
