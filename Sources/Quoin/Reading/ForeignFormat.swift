/// Kinds of files that aren't read, by their first bytes, so that an error can name them.
enum ForeignFormat {
  private static let signs: [(kind: String, bytes: [UInt8])] = [
    ("a Parquet file", Array("PAR1".utf8)), ("an Arrow file", Array("ARROW1".utf8)),
    ("an xz archive", [0xFD, 0x37, 0x7A, 0x58, 0x5A]), ("a bzip2 archive", Array("BZh".utf8)),
    ("a Zstandard archive", [0x28, 0xB5, 0x2F, 0xFD]), ("a 7z archive", [0x37, 0x7A, 0xBC, 0xAF]),
    ("an LZ4 archive", [0x04, 0x22, 0x4D, 0x18]), ("an SQLite database", Array("SQLite format 3".utf8)),
    ("an Excel workbook", [0xD0, 0xCF, 0x11, 0xE0]), ("an HDF5 file", [0x89, 0x48, 0x44, 0x46]),
    ("a PDF", Array("%PDF".utf8)), ("text in UTF-32", [0xFF, 0xFE, 0, 0]), ("text in UTF-32", [0, 0, 0xFE, 0xFF]),
  ]
  /// What pages and XML begin with, in any case.
  private static let markup: [(kind: String, text: String)] = [
    ("a web page", "<html"), ("a web page", "<head"), ("a web page", "<body"), ("an XML file", "<?xml"),
    ("a web page", "<!"), ("a web page", "<script"), ("a web page", "<div"), ("a web page", "<table"),
  ]

  /// Whether the name of an archive's file says that it is no table: a README, a license, a page.
  static func isNoTable(_ entryName: String) -> Bool {
    let name = (entryName.split(separator: "/").last.map(String.init) ?? entryName).lowercased()
    let isText = [
      "readme", "license", "licence", "notice", "copying", "changelog", "metadata", "manifest", "disclaimer", "terms",
    ].contains {
      name == $0 || name.hasPrefix($0 + ".") || name.hasPrefix($0 + "_") || name.hasPrefix($0 + "-")
    }
    return isText
      || [".md", ".pdf", ".html", ".htm", ".rtf", ".rst", ".doc", ".docx", ".png", ".jpg", ".ini", ".sha256", ".md5"]
        .contains { name.hasSuffix($0) }
  }

  /// What a file is that begins with these bytes; nil if it may be a text with quotes.
  static func kind(of bytes: [UInt8]) -> String? {
    if let sign = signs.first(where: { bytes.starts(with: $0.bytes) }) { return sign.kind }
    if bytes.dropFirst(257).starts(with: Array("ustar".utf8)) { return "a tar archive" }
    // Spaces and a mark of UTF-8 may come first.
    let text = bytes.prefix(256).drop { $0 <= UInt8(ascii: " ") || [0xEF, 0xBB, 0xBF].contains($0) }
    let start = String(decoding: text.prefix(12), as: UTF8.self).lowercased()
    if let sign = markup.first(where: { start.hasPrefix($0.text) }) { return sign.kind }
    // No text has a zero byte; in UTF-32 three of four are.
    guard bytes.contains(0) else { return nil }
    let zeros = bytes.prefix(4).map { $0 == 0 }
    return zeros == [false, true, true, true] || zeros == [true, true, true, false] ? "text in UTF-32" : "a binary file"
  }
}
