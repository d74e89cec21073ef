@testable import Quoin

/// A Swift file of this repository, for the tests of the house.
struct SourceFile: Sendable {
  struct Word: Sendable {
    let text: String
    /// How far its line is indented.
    let indentation: Int
  }

  /// The path below `Sources`: `Quoin/Blocks/Bytes.swift`.
  let path: String
  /// The words of each line of code, without comments and the content of string literals.
  let lines: [[Word]]
  /// The code alone.
  let code: String
  let comments: String
  /// The content of string literals, a line each.
  let texts: String

  var words: [Word] { lines.flatMap { $0 } }

  /// Every word once.
  let vocabulary: Set<String>

  /// The files of all targets, read once.
  static let all: [SourceFile] = {
    let targets = try? SystemFiles().names(in: root).filter { !$0.contains(".") }
    return (targets ?? []).sorted().flatMap { (try? files(in: $0)) ?? [] }
  }()

  /// The files of the library.
  static let library = all.filter { $0.path.hasPrefix("Quoin/") }

  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Sources"

  private static func files(in folder: String) throws -> [SourceFile] {
    let files = SystemFiles()
    return try files.names(in: "\(root)/\(folder)").sorted().flatMap { name -> [SourceFile] in
      let path = "\(folder)/\(name)"
      if !name.contains(".") { return try Self.files(in: path) }
      guard name.hasSuffix(".swift") else { return [] }
      let mapping = try files.map("\(root)/\(path)")
      return [SourceFile(path, withExtendedLifetime(mapping) { mapping.view.array })]
    }
  }

  private init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    let (code, comments, texts) = Self.stripped(bytes)
    self.texts = String(decoding: texts, as: UTF8.self)
    self.code = String(decoding: code, as: UTF8.self)
    self.comments = String(decoding: comments, as: UTF8.self)
    lines = Self.lines(code)
    vocabulary = Set(lines.flatMap { $0.map(\.text) })
  }

  /// The code, the comments and the texts. Byte by byte, because characters take minutes in debug.
  private static func stripped(_ bytes: [UInt8]) -> (code: [UInt8], comments: [UInt8], texts: [UInt8]) {
    let (quote, slash, escape, newline) = (UInt8(0x22), UInt8(0x2F), UInt8(0x5C), UInt8(0x0A))
    var (code, comments, texts) = ([UInt8](), [UInt8](), [UInt8]())
    var (isInText, isQuoted, isComment) = (false, false, false)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : newline
      if byte == newline {
        if isComment { comments.append(byte) }
        if isInText { texts.append(byte) }
        (isQuoted, isComment) = (false, false)
        code.append(byte)
      } else if isComment {
        comments.append(byte)
      } else if byte == quote, next == quote, index + 2 < bytes.count, bytes[index + 2] == quote {
        isInText.toggle()
        index += 2
      } else if isInText || (isQuoted && byte == escape) {
        texts.append(byte)
        index += isInText ? 0 : 1
      } else if byte == quote {
        isQuoted.toggle()
        code.append(byte)
        if !isQuoted { texts.append(newline) }
      } else if !isQuoted, byte == slash, next == slash {
        isComment = true
      } else if !isQuoted {
        code.append(byte)
      } else {
        texts.append(byte)
      }
      index += 1
    }
    return (code, comments, texts)
  }

  private static func lines(_ code: [UInt8]) -> [[Word]] {
    var (lines, line, word) = ([[Word]](), [Word](), [UInt8]())
    var (indentation, isIndenting) = (0, true)
    for byte in code {
      let isPart =
        byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A || byte == 0x5F
      if isIndenting, byte == 0x20 {
        indentation += 1
      } else {
        isIndenting = false
      }
      if isPart {
        word.append(byte)
        continue
      }
      if !word.isEmpty {
        line.append(Word(text: String(decoding: word, as: UTF8.self), indentation: indentation))
        word.removeAll(keepingCapacity: true)
      }
      if byte == 0x0A {
        lines.append(line)
        (line, indentation, isIndenting) = ([], 0, true)
      }
    }
    return lines
  }
}
