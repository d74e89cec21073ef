extension String {
  /// The text with `mark` in place of each control character, which no terminal and no line of a file should receive.
  package func replacing(controlsWith mark: Unicode.Scalar) -> String {
    replacing(with: mark) { $0.properties.generalCategory == .control }
  }

  /// The text as a sentence may have it, whoever has written it: `?` for what a terminal would obey, what would begin another line
  /// of a log, and what isn't seen.
  package var printable: String { replacing(with: "?") { $0.isHidden } }

  /// The same for several lines.
  package var printableLines: String { replacing(with: "?") { $0.isHidden && $0 != "\n" } }

  private func replacing(with mark: Unicode.Scalar, _ isReplaced: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isReplaced) else { return self }
    var text = UnicodeScalarView()
    for scalar in unicodeScalars { text.append(isReplaced(scalar) ? mark : scalar) }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var isHidden: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }
}
