import Foundation
import Testing

/// What the catalogues of the libraries' documentation show and list. `make docs` checks their links.
@Suite struct DocumentationTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The files below a folder whose names end so, as lines.
  private static func files(_ folder: String, ending end: String) -> [(path: String, lines: [String])] {
    let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(end) }.sorted().map { name in
      let text = (try? String(contentsOfFile: "\(root)/\(folder)/\(name)", encoding: .utf8)) ?? ""
      return ("\(folder)/\(name)", text.components(separatedBy: "\n"))
    }
  }

  private static func articles(of module: String) -> [(path: String, lines: [String])] {
    files("Sources/\(module)/\(module).docc", ending: ".md")
  }

  /// The lines of code, without their indentation.
  private static func code(_ lines: some Sequence<String>) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// A snippet that isn't compiled rots: each is a piece of an example, or of a test.
  @Test func the_Swift_of_the_articles_is_compiled() {
    let compiled = (Self.files("Examples/Sources", ending: ".swift") + Self.files("Tests", ending: ".swift"))
      .map { "\n" + Self.code($0.lines).joined(separator: "\n") + "\n" }
    var count = 0
    for article in PublicInterface.modules.flatMap(Self.articles) {
      for block in article.lines.split(separator: "```swift").dropFirst() {
        let snippet = "\n" + Self.code(block.prefix { $0 != "```" }).joined(separator: "\n") + "\n"
        #expect(compiled.contains { $0.contains(snippet) }, "\(article.path) shows what no example has:\(snippet)")
        count += 1
      }
    }
    #expect(count >= 10)
  }

  @Test func every_public_type_is_in_a_topic() {
    let interface = PublicInterface()
    for module in PublicInterface.modules {
      let lists = Self.articles(of: module).flatMap(\.lines).filter { $0.hasPrefix("- ``") }
      let names = Set(lists.compactMap { $0.split(separator: "``").dropFirst().first?.split(separator: "/").last })
      let types = Set(interface.types(of: module))
      for type in types where !names.contains(type[...]) { Issue.record("\(module).docc has no topic with \(type)") }
    }
  }
}
