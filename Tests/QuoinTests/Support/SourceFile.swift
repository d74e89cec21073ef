@testable import Quoin

/// A Swift file of this repository, for the tests of the house.
struct SourceFile {
  /// The path below `Sources`: `Quoin/Blocks/LZ4.swift`.
  let path: String
  /// The lines without comments and without the content of string literals.
  let code: [String]
  /// The lines' comments.
  let comments: [String]

  /// The words of the code, each with whether its line begins at the margin.
  var words: [(word: Substring, isAtMargin: Bool)] {
    code.flatMap { line in
      line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { ($0, line.first != " ") }
    }
  }

  /// Whether a word stands in the code.
  func mentions(_ word: String) -> Bool { words.contains { $0.word == word } }

  /// The files below a folder of `Sources`.
  static func all(in folder: String) throws -> [SourceFile] {
    let files = SystemFiles()
    return try files.names(in: "\(root)/\(folder)").sorted().flatMap { name -> [SourceFile] in
      let path = "\(folder)/\(name)"
      if !name.contains(".") { return try all(in: path) }
      guard name.hasSuffix(".swift") else { return [] }
      let mapping = try files.map("\(root)/\(path)")
      return [SourceFile(path, withExtendedLifetime(mapping) { unsafe Array(mapping.bytes) })]
    }
  }

  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Sources"

  private init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    var (code, comments, isInText) = ([String](), [String](), false)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let (stripped, comment) = Self.stripped(line, &isInText)
      code.append(stripped)
      comments.append(comment)
    }
    (self.code, self.comments) = (code, comments)
  }

  /// A line's code and its comment. `isInText` says whether the line begins inside a literal of several lines.
  private static func stripped(_ line: ArraySlice<UInt8>, _ isInText: inout Bool) -> (code: String, comment: String) {
    let quote = UInt8(ascii: "\"")
    let delimiter: [UInt8] = [quote, quote, quote]
    var (code, rest, isQuoted) = ([UInt8](), line, false)
    while let byte = rest.first {
      if rest.starts(with: delimiter) {
        isInText.toggle()
        rest = rest.dropFirst(3)
      } else if isInText {
        rest = rest.dropFirst()
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        rest = rest.dropFirst(2)
      } else if byte == quote {
        isQuoted.toggle()
        rest = rest.dropFirst()
      } else if !isQuoted, rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
        return (String(decoding: code, as: UTF8.self), String(decoding: rest, as: UTF8.self))
      } else {
        if !isQuoted { code.append(byte) }
        rest = rest.dropFirst()
      }
    }
    return (String(decoding: code, as: UTF8.self), "")
  }
}
