/// A split ratio as people write it: `10:1`, `10/1`, `3-for-2`.
enum SplitText {
  /// The ratio that the whole of `text` spells; nil if it has another form.
  static func ratio(_ text: some Collection<UInt8>) -> Double? {
    guard text.count <= 24 else { return nil }
    let words = String(decoding: text, as: UTF8.self).lowercased().filter { !" -".contains($0) }
    for sign in [":", "/", "for"] {
      let parts = words.split(separator: sign, omittingEmptySubsequences: false)
      guard parts.count == 2, let new = number(parts[0]), let old = number(parts[1]), old > 0 else { continue }
      return new / old
    }
    return nil
  }

  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) else { return nil }
    return Double(text)
  }
}
