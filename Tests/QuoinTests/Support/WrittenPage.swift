import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A page of the documentation with parts that the program knows. `QUOIN_WRITE_DOCS=1` writes them.
struct WrittenPage {
  private let path: String

  init(_ path: String) { self.path = #filePath.components(upTo: "/Tests/") + "/" + path }

  /// Expects these texts in the page, each between `<!-- its name -->` and the next `<!-- end -->`.
  func expect(_ parts: [(name: String, text: String)]) throws {
    let before = try #require(contents)
    var text = before
    for (name, part) in parts { text = try #require(Self.replacing(name, by: part, in: text), "\(name)") }
    if TestSettings.variable("QUOIN_WRITE_DOCS") != nil { return try write(text) }
    #expect(text == before, "\(path): QUOIN_WRITE_DOCS=1 swift test writes it")
  }

  /// The text with other lines between a mark and the next end; nil if the mark is missing.
  private static func replacing(_ name: String, by list: String, in text: String) -> String? {
    let mark = "<!-- \(name) -->"
    guard let start = text.firstRange(of: mark)?.upperBound,
      let end = text[start...].firstRange(of: "<!-- end -->")?.lowerBound
    else { return nil }
    return text[..<start] + list + text[end...]
  }

  private var contents: String? {
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
