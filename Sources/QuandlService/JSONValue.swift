typealias JSONMember = (name: String, value: JSONValue)

/// JSON to be written. Objects keep the order of their members, because people read the service's answers too.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Null if it isn't finite.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])

  /// The text of a cell with this value, nil for null. The elements of an array have commas between them.
  var cell: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .array(let values): values.map { $0.cell ?? "" }.joined(separator: ",")
    case .bool, .integer, .double, .object: text
    }
  }

  /// A string, or null.
  package init(_ text: (some CustomStringConvertible)?) { self = text.map { .string($0.description) } ?? .null }

  /// A number, or null.
  package init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }

  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .double(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): Self.quoted(value)
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members): "{\(Self.text(ofMembers: members))}"
    }
  }

  /// The members of an object without its braces, so that others can follow.
  static func text(ofMembers members: [(name: String, value: JSONValue)]) -> String {
    members.map { "\(quoted($0.name)):\($0.value.text)" }.joined(separator: ",")
  }

  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONValue: ExpressibleByNilLiteral {
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements.map { ($0.0, $0.1) }) }
}

extension ServiceAnswer {
  package init(status: Int = 200, json: JSONValue) {
    self.init(status: status, .json, body: AnswerBody(Array(json.text.utf8)))
  }
}
