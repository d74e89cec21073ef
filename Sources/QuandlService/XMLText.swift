import Quoin

/// The answers of the service as Quandl's XML, which is that of Ruby on Rails: names with hyphens, the type as an attribute,
/// and the elements of a list under the list's name in the singular.
enum XMLText {
  /// A document with these elements.
  static func document(_ elements: String) -> String { start + elements + end }

  /// What stands before and after the rows of an element with these members.
  ///
  /// - Parameter after: the members that follow the element.
  static func frame(
    _ name: String, _ before: [JSONMember], _ behind: [JSONMember], after: [JSONMember] = []
  ) -> (head: String, tail: String) {
    (
      start + "<\(tag(name))>" + JSONValue.xml(of: before) + #"<data type="array">"#,
      "</data>" + JSONValue.xml(of: behind) + "</\(tag(name))>" + JSONValue.xml(of: after) + end
    )
  }

  private static let start = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<quandl-response>"
  private static let end = "</quandl-response>\n"

  fileprivate static func tag(_ name: String) -> String { name.replacing("_", with: "-") }
}

extension JSONValue {
  /// The members of an object as elements.
  var xml: String {
    guard case .object(let members) = self else { preconditionFailure("no object") }
    return Self.xml(of: members)
  }

  fileprivate static func xml(of members: [JSONMember]) -> String {
    members.map { $0.value.element($0.name) }.joined()
  }

  private func element(_ name: String) -> String {
    let tag = XMLText.tag(name)
    switch self {
    case .null: return #"<\#(tag) nil="true"/>"#
    case .bool(let value): return #"<\#(tag) type="boolean">\#(value)</\#(tag)>"#
    case .integer(let value): return #"<\#(tag) type="integer">\#(value)</\#(tag)>"#
    case .double: return #"<\#(tag) type="float">\#(text)</\#(tag)>"#
    case .string(let text): return "<\(tag)\(Self.type(ofText: name))>\(text.xmlEscaped)</\(tag)>"
    case .array(let values):
      let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
      return #"<\#(tag) type="array">\#(values.map { $0.element(singular) }.joined())</\#(tag)>"#
    case .object(let members): return "<\(tag)>\(Self.xml(of: members))</\(tag)>"
    }
  }

  /// Days and moments are texts in JSON. Their names tell.
  private static func type(ofText name: String) -> String {
    if name.hasSuffix("_date") { return #" type="date""# }
    return name.hasSuffix("_at") ? #" type="dateTime""# : ""
  }
}
