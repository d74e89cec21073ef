/// Kinds of files that aren't read, by their first bytes, so that an error can name them.
enum ForeignFormat {
  private static let signs: [(kind: String, bytes: [UInt8])] = [
    ("a Parquet file", Array("PAR1".utf8)), ("an Arrow file", Array("ARROW1".utf8)),
    ("an xz archive", [0xFD, 0x37, 0x7A, 0x58, 0x5A]), ("a bzip2 archive", Array("BZh".utf8)),
    ("a Zstandard archive", [0x28, 0xB5, 0x2F, 0xFD]), ("a 7z archive", [0x37, 0x7A, 0xBC, 0xAF]),
    ("an LZ4 archive", [0x04, 0x22, 0x4D, 0x18]), ("an SQLite database", Array("SQLite format 3".utf8)),
    ("an Excel workbook", [0xD0, 0xCF, 0x11, 0xE0]), ("an HDF5 file", [0x89, 0x48, 0x44, 0x46]),
    ("a PDF", Array("%PDF".utf8)), ("text in UTF-16", [0xFF, 0xFE]), ("text in UTF-16", [0xFE, 0xFF]),
    ("a web page", Array("<!".utf8)), ("a web page", Array("<html".utf8)), ("an XML file", Array("<?xml".utf8)),
  ]

  /// What a file is that begins with these bytes; nil if it may be a text with quotes.
  static func kind(of bytes: [UInt8]) -> String? {
    if let sign = signs.first(where: { bytes.starts(with: $0.bytes) }) { return sign.kind }
    if bytes.dropFirst(257).starts(with: Array("ustar".utf8)) { return "a tar archive" }
    // No text has a zero byte, but in UTF-16 every second one is.
    guard bytes.count > 3, bytes.contains(0) else { return nil }
    let isUTF16 = bytes[0] == 0 && bytes[2] == 0 || bytes[1] == 0 && bytes[3] == 0
    return isUTF16 ? "text in UTF-16" : "a binary file"
  }
}
