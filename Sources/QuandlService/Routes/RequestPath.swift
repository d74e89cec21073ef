/// The path of a request, split into words.
///
/// Under `/api/v3/` a path may end in a slash, which is dropped, and in an extension that names the form of the answer.
package struct RequestPath: Sendable {
  /// The whole path, without percent-encoding: `/api/v3/datasets/WIKI/FDX.csv`.
  package let text: String
  /// The words between the slashes, without the extension: `api`, `v3`, `datasets`, `WIKI`, `FDX`. There are none if
  /// the path doesn't begin with a slash or is too long, so that no route matches.
  let words: [Substring]
  /// The extension, one of `extensions`, if the path has one.
  let pathExtension: String?

  /// The extensions that name a form, including the one that the service doesn't write.
  private static let extensions = AnswerForm.allCases.map(\.rawValue) + [AnswerForm.unsupportedExtension]

  package init(_ text: String) {
    self.text = text
    guard text.utf8.first == UInt8(ascii: "/") else {
      (words, pathExtension) = ([], nil)
      return
    }
    guard text.hasPrefix(QuandlService.pathPrefix) else {
      (words, pathExtension) = (Self.split(text), nil)
      return
    }
    guard text.utf8.count <= ServiceLimits.pathByteCount else {
      (words, pathExtension) = ([], nil)
      return
    }
    var words = Self.split(text)
    if words.count > 3, words.last == "" { words.removeLast() }
    pathExtension = Self.takeExtension(&words[words.count - 1])
    self.words = words
  }

  /// Whether the path belongs to Quandl's API.
  package var isOfService: Bool { text.hasPrefix(QuandlService.pathPrefix) }

  private static func split(_ text: String) -> [Substring] {
    text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func takeExtension(_ word: inout Substring) -> String? {
    guard let name = extensions.first(where: { word.hasSuffix("." + $0) }) else { return nil }
    word.removeLast(name.utf8.count + 1)
    return name
  }
}
