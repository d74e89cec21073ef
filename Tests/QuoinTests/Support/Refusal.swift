import Testing

/// Expects that reading `text` throws an error which has these words in it.
func expectRefusal(_ text: String, naming words: String, reading read: (String) throws -> Void) {
  do {
    try read(text)
    Issue.record("'\(text)' is read")
  } catch { #expect("\(error)".contains(words), "\(error)") }
}
