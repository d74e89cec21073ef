/// A JSON text to be, whose members stay in their order.
indirect enum JSONValue {
  case string(String)
  case integer(Int)
  case bool(Bool)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// The text in UTF-8, and a line feed.
  var bytes: [UInt8] {
    var text = ""
    write(to: &text)
    return Array((text + "\n").utf8)
  }

  private func write(to text: inout String) {
    switch self {
    case .string(let string): Self.write(string, to: &text)
    case .integer(let integer): text += "\(integer)"
    case .bool(let bool): text += "\(bool)"
    case .array(let values): Self.write(values, "[", "]", to: &text) { $0.write(to: &$1) }
    case .object(let members):
      Self.write(members, "{", "}", to: &text) { member, text in
        Self.write(member.0, to: &text)
        text += ":"
        member.1.write(to: &text)
      }
    }
  }

  private static func write<Part>(
    _ parts: [Part], _ start: String, _ end: String, to text: inout String, _ writePart: (Part, inout String) -> Void
  ) {
    text += start
    for (index, part) in parts.enumerated() {
      if index > 0 { text += "," }
      writePart(part, &text)
    }
    text += end
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\u{0}"..."\u{1f}", "\u{7f}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral
{
  init(stringLiteral string: String) { self = .string(string) }
  init(integerLiteral integer: Int) { self = .integer(integer) }
  init(booleanLiteral bool: Bool) { self = .bool(bool) }
  init(arrayLiteral values: JSONValue...) { self = .array(values) }
  init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members) }
}
