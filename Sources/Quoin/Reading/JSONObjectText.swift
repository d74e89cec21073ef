/// Writes what `JSONSerialization` has read as JSON again, so that every document is read in one way.
///
/// The values are Foundation's or Swift's. Foundation isn't needed for that: what it makes of a JSON number is cast to
/// `Double`, and a null is known by its name.
enum JSONObjectText {
  /// Deeper documents are refused, because each level takes some of the stack.
  private static let levelCountMax = 100

  /// The object as a JSON text.
  ///
  /// - Parameter name: the name of the document in errors.
  static func bytes(of object: [String: Any], name: String) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(WrongValue) { try write(object, at: [], to: &bytes) } catch {
      throw .unknownShape(file: name, path: error.path.joined(separator: "."), detail: error.detail)
    }
    return bytes
  }

  private struct WrongValue: Error {
    let path: [String]
    let detail: String
  }

  private static func write(_ value: Any, at path: [String], to bytes: inout [UInt8]) throws(WrongValue) {
    guard path.count <= levelCountMax else {
      throw WrongValue(path: [], detail: "it has more than \(levelCountMax) levels")
    }
    if let text = value as? String {
      bytes += text.asJSONString.utf8
    } else if let object = value as? [String: Any] {
      try write(object, at: path, to: &bytes)
    } else if let list = value as? [Any] {
      try write(list, at: path, to: &bytes)
    } else {
      guard let text = text(of: value) else {
        throw WrongValue(path: path, detail: "JSON has no \(type(of: value)) such as '\(shown(value))'")
      }
      bytes += text.utf8
    }
  }

  private static func write(_ list: [Any], at path: [String], to bytes: inout [UInt8]) throws(WrongValue) {
    bytes.append(UInt8(ascii: "["))
    for (index, value) in list.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try write(value, at: path + ["\(index + 1)"], to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func write(_ object: [String: Any], at path: [String], to bytes: inout [UInt8]) throws(WrongValue) {
    bytes.append(UInt8(ascii: "{"))
    for (index, (key, value)) in object.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += key.asJSONString.utf8
      bytes.append(UInt8(ascii: ":"))
      try write(value, at: path + [key], to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// A null, a truth value or a number as JSON has it; nil for anything else.
  private static func text(of value: Any) -> String? {
    let name = "\(type(of: value))"
    if name == "NSNull" || name.hasPrefix("Optional<") && "\(value)" == "nil" { return "null" }
    // A truth value of Foundation is a number too.
    if name == "Bool" || name.hasSuffix("CFBoolean") { return value as? Bool == true ? "true" : "false" }
    if let number = value as? Double { return number.isFinite ? "\(number)" : nil }
    // An integer that float64 doesn't hold, a decimal, or a number of another type of Swift's.
    let text = "\(value)"
    guard Double(text)?.isFinite == true, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else {
      return nil
    }
    return text
  }

  private static func shown(_ value: Any) -> String { ShownText.sanitized("\(value)".utf8) }
}
