/// The key by which the service knows its user. Only `headerValue` has its text: printing or dumping a client doesn't show it.
struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The value of the header; nil without a key.
  let headerValue: String?

  /// - Throws: `QuandlClientError` if a header can't carry the key. The transport's own error would show it.
  init(_ text: String?) throws(QuandlClientError) {
    guard let text, !text.isEmpty else {
      headerValue = nil
      return
    }
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), text.utf8.count <= 4096 else {
      throw QuandlClientError(
        .usage, "the API key has a character that no key has (a space, a line break?); check where it comes from")
    }
    headerValue = text
  }

  var description: String { headerValue == nil ? "no key" : "***" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }

  /// The text without the key, which a service may repeat in its answers.
  func redacted(_ text: String) -> String {
    headerValue.map { text.replacing($0, with: "***") } ?? text
  }
}
