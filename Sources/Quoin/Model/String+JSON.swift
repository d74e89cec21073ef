extension String {
  /// The text as a JSON string, with its quotes. Complexity: O(bytes).
  package var asJSONString: String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }

  /// Whether JSON has the number that this text spells: it has no `inf` and no `nan`.
  var isJSONNumber: Bool { !hasSuffix("inf") && !hasSuffix("nan") }
}
