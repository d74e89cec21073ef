/// Reads the declarations of one file, from code without comments and texts. The layout is that of `make format`.
struct DeclarationReader {
  private let bytes: [UInt8]
  private let module: String
  private var index = 0
  private var found: [Declaration] = []

  init(_ module: String, _ code: String) {
    (self.module, bytes) = (module, Array(code.utf8))
  }

  mutating func read() -> [Declaration] {
    readScope(module, kind: nil, isPublic: true)
    return found
  }

  /// Reads up to the brace that ends the scope.
  private mutating func readScope(_ owner: String, kind: Declaration.Kind?, isPublic: Bool) {
    while index < bytes.count {
      let header = readHeader()
      if var declaration = declaration(header, in: owner, kind, isPublic) {
        if declaration.kind.isScope {
          found.append(declaration)
          index += 1
          readScope(declaration.path, kind: declaration.kind, isPublic: declaration.isPublic)
        } else {
          declaration.signature += accessors(of: declaration, in: kind)
          found.append(declaration)
        }
      } else if peek == "{" {
        skipBody()
      }
      if peek == "}" {
        index += 1
        return
      }
    }
  }

  private var peek: Character? { index < bytes.count ? Character(UnicodeScalar(bytes[index])) : nil }

  /// The text up to a body, the end of the scope or the end of the declaration, with single spaces.
  private mutating func readHeader() -> String {
    var (text, depth) = ([UInt8](), 0)
    loop: while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{"), UInt8(ascii: "}"): if depth == 0 { break loop }
      case UInt8(ascii: "\n"): if depth == 0, isComplete(text) { break loop }
      default: break
      }
      if byte != 0x20 && byte != 0x0A {
        text.append(byte)
      } else if let last = text.last, last != 0x20, last != UInt8(ascii: "(") {
        text.append(0x20)
      }
      index += 1
    }
    while text.last == 0x20 { text.removeLast() }
    return String(decoding: text, as: UTF8.self).replacing(" )", with: ")")
  }

  /// Whether a declaration ends at this end of a line.
  private func isComplete(_ text: [UInt8]) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    guard text.hasPrefix("#") || Self.keyword(text) != nil else { return false }
    let end = text.split(separator: " ").last ?? ""
    if [",", ":", "=", "&", "->"].contains(where: end.hasSuffix) { return false }
    let next = String(decoding: bytes[index...].drop { $0 == 0x20 || $0 == 0x0A }.prefix(8), as: UTF8.self)
    return !["{", "where ", "->", "throws", "async", "rethrows", "= ", ". "].contains { next.hasPrefix($0) }
  }

  /// The word that says what is declared, and where it ends.
  private static func keyword(_ text: String) -> (kind: Declaration.Kind, before: Substring, after: Substring)? {
    var rest = text[...]
    while let start = rest.firstIndex(where: \.isLetter) {
      // An attribute is no word: @discardableResult, @available(...).
      let isAttribute = start > rest.startIndex && rest[rest.index(before: start)] == "@"
      let end = rest[start...].firstIndex { !$0.isLetter } ?? rest.endIndex
      if !isAttribute, let kind = Declaration.Kind(rawValue: String(rest[start..<end])),
        kind != .class || !["func", "var", "subscript"].contains(where: rest[end...].dropFirst().hasPrefix)
      {
        return (kind, text[..<start], rest[end...])
      }
      rest = rest[end...]
    }
    return nil
  }

  private func declaration(
    _ header: String, in owner: String, _ scope: Declaration.Kind?, _ isPublic: Bool
  ) -> Declaration? {
    guard let (kind, before, after) = Self.keyword(header) else { return nil }
    let words = before.split(separator: " ")
    let saysPublic = words.contains { $0 == "public" }
    let isSeen = saysPublic || words.contains("open") || scope == .protocol || kind == .case || kind == .extension
    var signature =
      words.filter { $0 != "public" && $0 != "#endif" }.map { $0 + " " }.joined() + header[before.endIndex...]
    if kind == .var || kind == .let {
      let (typed, value) = signature.cut(before: " =")
      if typed.contains(": ") || value.isEmpty { signature = typed }
    }
    let name = after.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return Declaration(
      kind: kind, owner: kind == .extension ? module : owner, name: String(name), signature: signature,
      saysPublic: saysPublic, isPublic: isPublic && isSeen)
  }

  /// Skips the body; says whether a property or subscript with one can be set.
  private mutating func accessors(of declaration: Declaration, in scope: Declaration.Kind?) -> String {
    guard peek == "{" else { return "" }
    let start = index
    skipBody()
    guard declaration.kind == .var || declaration.kind == .subscript else { return "" }
    let body = String(decoding: bytes[start..<index], as: UTF8.self)
    let lines = body.split { "{};\n".contains($0) }.map { $0.drop { $0 == " " } }
    let starts = lines.map { String($0.prefix { $0 != " " && $0 != "(" }) }
    if starts.contains("didSet") || starts.contains("willSet") { return "" }
    let isSet = starts.contains("set") || starts.contains("_modify") || body.contains(" set }")
    return isSet ? " { get set }" : " { get }"
  }

  /// Skips a body and what follows it on its line: the call of a closure, or another closure.
  private mutating func skipBody() {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\n"): if depth == 0 { return }
      default: break
      }
      // The brace that ends the scope around.
      if depth < 0 { return }
      index += 1
    }
  }
}
