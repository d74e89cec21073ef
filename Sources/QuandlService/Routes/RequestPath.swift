/// The path of a request, split into words.
///
/// Under `/api/v3/` a path may end in a slash, which is dropped, and in an extension that names the form of the answer.
/// Clients of the older API ask for datasets under `/api/v1/`, with the same parameters; it means the same.
package struct RequestPath: Sendable {
  /// The whole path, without percent-encoding: `/api/v3/datasets/WIKI/FDX.csv`.
  package let text: String
  /// The words between the slashes, without the extension: `api`, `v3`, `datasets`, `WIKI`, `FDX`. There are none if
  /// the path doesn't begin with a slash or is too long, so that no route matches.
  let words: [Substring]
  /// The form that the path's extension names, if it has one.
  let form: AnswerForm?

  package init(_ text: String) {
    self.text = text
    guard text.utf8.first == UInt8(ascii: "/") else {
      (words, form) = ([], nil)
      return
    }
    guard Self.isOfService(text) else {
      (words, form) = (Self.split(text), nil)
      return
    }
    guard text.utf8.count <= ServiceLimits.pathByteCount else {
      (words, form) = ([], nil)
      return
    }
    var words = Self.split(text)
    if words.count > 3, words.last == "" { words.removeLast() }
    if words[1] == Self.olderVersion { words[1] = "v3" }
    form = Self.takeExtension(&words[words.count - 1])
    self.words = words
  }

  /// Whether the path belongs to Quandl's API.
  package var isOfService: Bool { Self.isOfService(text) }

  private static let olderVersion = "v1"

  private static func isOfService(_ text: String) -> Bool {
    if text.hasPrefix(QuandlService.pathPrefix) { return true }
    let words = split(text)
    return words.count > 2 && words[0] == "api" && words[1] == olderVersion
      && (words[2] == "datasets" || words[2].hasPrefix("datasets."))
  }

  private static func split(_ text: String) -> [Substring] {
    text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func takeExtension(_ word: inout Substring) -> AnswerForm? {
    guard let form = AnswerForm.allCases.first(where: { word.hasSuffix("." + $0.rawValue) }) else { return nil }
    word.removeLast(form.rawValue.utf8.count + 1)
    return form
  }
}
