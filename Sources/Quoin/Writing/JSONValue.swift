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
  package var cell: String? {
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
    case .string(let value): value.asJSONString
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members): "{\(Self.text(ofMembers: members))}"
    }
  }

  /// The members of an object without its braces, so that others can follow.
  package static func text(ofMembers members: [(name: String, value: JSONValue)]) -> String {
    members.map { "\($0.name.asJSONString):\($0.value.text)" }.joined(separator: ",")
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
