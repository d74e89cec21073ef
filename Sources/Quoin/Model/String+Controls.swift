extension String {
  /// The text with `mark` in place of each control character, which no terminal and no line of a file should receive.
  package func replacing(controlsWith mark: Unicode.Scalar) -> String {
    var text = UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.properties.generalCategory == .control ? mark : scalar) }
    return String(text)
  }
}
