// A text as other languages write it. What a text says is never read as anything else.

extension String {
  /// A word of a POSIX shell: bare if it may be, else in quotes.
  var shellWord: String {
    if !isEmpty, utf8.allSatisfy({ $0.isLetterOrDigit || "_./:@+,-".utf8.contains($0) }) { return self }
    if !contains("'") { return "'\(self)'" }
    // Between double quotes these mean something, the last one to a shell that is typed into.
    if !utf8.contains(where: { "\"$`\\!".utf8.contains($0) }) { return "\"\(self)\"" }
    return "'\(replacing("'", with: #"'\''"#))'"
  }

  /// A literal of Swift: raw if that saves backslashes.
  var swiftLiteral: String {
    if unicodeScalars.contains(where: \.isControl) {
      return "\"" + escaped(quote: "\"") { "\\u{\(String($0.value, radix: 16))}" } + "\""
    }
    if !contains("\"") && !contains("\\") { return "\"\(self)\"" }
    var signs = "#"
    while contains("\"\(signs)") || contains("\\\(signs)") { signs += "#" }
    return "\(signs)\"\(self)\"\(signs)"
  }

  /// A literal of Python.
  var pythonLiteral: String {
    let quote: Unicode.Scalar = contains("\"") && !contains("'") ? "'" : "\""
    return "\(quote)" + escaped(quote: quote) { "\\u" + "000\(String($0.value, radix: 16))".suffix(4) } + "\(quote)"
  }

  /// A literal of SQL.
  var sqlLiteral: String { "'\(replacing("'", with: "''"))'" }

  /// The text with backslashes before what ends or changes a literal, and control characters as `code` has them.
  private func escaped(quote: Unicode.Scalar, code: (Unicode.Scalar) -> String) -> String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case quote, "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case _ where scalar.isControl: result += code(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it ends a line or is no visible character.
  fileprivate var isControl: Bool {
    properties.generalCategory == .control || properties.generalCategory == .lineSeparator
      || properties.generalCategory == .paragraphSeparator
  }
}

extension UInt8 {
  var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
