/// A page for people, where a service's answer is expected: of a network that wants a login, of a proxy, of a service that has moved.
enum WebPage {
  static let sentence =
    "the answer is a web page, not quotes; does the network want a login, or is the service at another address?"

  /// Whether these bytes begin a page. Space, a mark of the byte order and XML's declaration may come before it.
  static func isBeginning(of bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased().drop {
      $0.isWhitespace || $0 == "\u{feff}"
    }
    return ["<!doctype html", "<html", "<head", "<body", "<!--"].contains { text.hasPrefix($0) }
      || (text.hasPrefix("<?xml") && text.contains("<html"))
  }
}
