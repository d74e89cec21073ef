import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file with parts that the program knows: a page of the documentation, or a list in another language. `QUOIN_WRITE_DOCS=1` writes them,
/// and so does `make describe`.
struct WrittenPage {
  private let path: String
  private let isMarkdown: Bool

  init(_ path: String) {
    self.path = #filePath.components(upTo: "/Tests/") + "/" + path
    isMarkdown = path.hasSuffix(".md")
  }

  /// Expects these texts in the file, each between a comment with its name and the next one with the word `end`.
  func expect(_ parts: [(name: String, text: String)]) throws {
    let before = try #require(contents)
    var text = before
    for (name, part) in parts { text = try #require(replacing(name, by: part, in: text), "\(name)") }
    if TestSettings.variable("QUOIN_WRITE_DOCS") != nil { return try write(text) }
    #expect(text == before, "\(path): make describe writes it")
  }

  /// The text with other lines between a mark and the next end; nil if the mark is missing.
  private func replacing(_ name: String, by list: String, in text: String) -> String? {
    let (open, close) = isMarkdown ? ("<!--", "-->") : ("/*", "*/")
    guard let start = text.firstRange(of: "\(open) \(name) \(close)")?.upperBound,
      let end = text[start...].firstRange(of: "\(open) end \(close)")?.lowerBound
    else { return nil }
    return text[..<start] + list + text[end...]
  }

  var contents: String? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func write(_ text: String) throws {
    let file = try unsafe #require(fopen(path, "wb"))
    defer { unsafe fclose(file) }
    let bytes = Array(text.utf8)
    #expect(unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}

extension String {
  fileprivate func components(upTo mark: String) -> String {
    firstRange(of: mark).map { String(self[..<$0.lowerBound]) } ?? self
  }
}
