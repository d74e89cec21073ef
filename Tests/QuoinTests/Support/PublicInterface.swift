/// The public declarations of the libraries as their sources write them, one a line: module, type, signature.
///
///     Quoin.TradingDay: func advanced(by count: Int) -> TradingDay?
///
/// A line has no initial values of properties that name their type, no bodies and no texts, and no conformances to protocols
/// that aren't public. Declarations that the compiler makes aren't listed; they follow from the conformances.
struct PublicInterface {
  static let modules = ["DataFetcher", "QuandlClient", "Quoin", "QuoinServer"]

  let lines: [String]
  private let declarations: [Declaration]
  /// How often the sources say `public`.
  let publicCount: Int
  /// The files that say it more often than declarations with it were read.
  let misread: [String]

  init() {
    var (declarations, publicCount, misread) = ([Declaration](), 0, [String]())
    for module in Self.modules {
      for file in SourceFile.all where file.path.hasPrefix(module + "/") {
        var reader = DeclarationReader(module, file.code)
        let read = reader.read()
        let count = file.words.count { $0.text == "public" }
        if count != read.count(where: \.saysPublic) { misread.append(file.path) }
        declarations += read
        publicCount += count
      }
    }
    let hidden = Self.hiddenTypes(declarations)
    lines = Set(declarations.compactMap { $0.line(without: hidden) }).sorted()
    (self.publicCount, self.misread, self.declarations) = (publicCount, misread, declarations)
  }

  /// The names of the public types at the top level of a module.
  func types(of module: String) -> [String] {
    declarations.filter { $0.kind.isType && $0.isPublic && $0.owner == module }.map(\.name)
  }

  /// The paths of the types that aren't public.
  private static func hiddenTypes(_ declarations: [Declaration]) -> Set<String> {
    Set(declarations.filter { $0.kind.isType && !$0.isPublic }.map(\.path))
  }
}

/// A declaration of a type, of an extension, or in one of them.
struct Declaration {
  enum Kind: String, CaseIterable {
    case `struct`, `class`, actor, `enum`, `protocol`, `extension`
    case `func`, `var`, `let`, `init`, `subscript`, `case`, `typealias`, `associatedtype`
    case `import`, `deinit`

    var isType: Bool { self == .struct || self == .class || self == .actor || self == .enum || self == .protocol }
    var isScope: Bool { isType || self == .extension }
  }

  let kind: Kind
  /// The module and the types around it: `Quoin.QuoteStore`.
  let owner: String
  let name: String
  /// Everything up to the body, with single spaces.
  var signature: String
  let saysPublic: Bool
  /// Whether it can be seen from outside, as far as its own words and its owners' go.
  let isPublic: Bool

  /// The owner of what stands inside.
  var path: String { "\(owner).\(name)" + (kind == .extension ? inheritance.condition : "") }

  /// - Parameter hidden: the paths of the types that aren't public.
  func line(without hidden: Set<String>) -> String? {
    guard isPublic, kind != .import, !isHidden(by: hidden) else { return nil }
    guard kind.isScope else { return "\(owner): \(signature)" }
    let (head, inherited, condition) = inheritance
    let seen = inherited.filter { type in !PublicInterface.modules.contains { hidden.contains("\($0).\(type)") } }
    if kind == .extension, seen.isEmpty { return nil }
    return "\(owner).\(name): " + (seen.isEmpty ? head : "\(head): \(seen.joined(separator: ", "))") + condition
  }

  /// Whether it, or a type around it, isn't public.
  private func isHidden(by hidden: Set<String>) -> Bool {
    var path = (kind.isScope ? "\(owner).\(name)" : owner).cut(before: " where ").0[...]
    while !hidden.contains(String(path)) {
      guard let dot = path.lastIndex(of: ".") else { return false }
      path = path[..<dot]
    }
    return true
  }

  /// What comes before the colon, the types after it, and the condition: `struct A<B: C>`, `D, E`, ` where B: F`.
  private var inheritance: (head: String, inherited: [String], condition: String) {
    let (text, condition) = signature.cut(before: " where ")
    let (head, inherited) = text.cut(before: ": ")
    let types = inherited.dropFirst(2).split(separator: ",").map { String($0.drop { $0 == " " }) }
    return (head, types, condition)
  }
}

extension String {
  /// The text before the first `mark` that stands outside all brackets, and the rest from there.
  func cut(before mark: String) -> (String, String) {
    var depth = 0
    for index in indices {
      switch self[index] {
      case "(", "[", "<": depth += 1
      case ")", "]", ">": depth -= 1
      default: break
      }
      if depth == 0, self[index...].hasPrefix(mark) { return (String(self[..<index]), String(self[index...])) }
    }
    return (self, "")
  }
}
