import Foundation
import Testing

/// What a template calls by a name is a property of what its page shows, and every such property is called.
@Suite struct TemplateTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
    path: "../../Sources/QuoinServer/Page")

  /// A struct of the pages, as its source says it.
  private struct Declaration {
    let isContent: Bool
    /// The stored properties, and the words of their types.
    var properties: [(name: String, types: [String])] = []
  }

  /// The texts of the files with an extension, by their names.
  private static func texts(_ fileExtension: String) throws -> [String: String] {
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var texts: [String: String] = [:]
    for case let file as URL in files where file.pathExtension == fileExtension {
      texts[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
    }
    return texts
  }

  /// The names that a template calls, those of the templates in it too.
  private static func names(in template: String, _ templates: [String: String]) throws -> Set<String> {
    let text = try #require(templates["\(template).mustache"])
    let names = Set(text.matches(of: /\{\{\{?[#^\/]?([A-Za-z]+)\}?\}\}/).map { String($0.1) })
    return try text.matches(of: /\{\{> ([a-z-]+)\}\}/).reduce(names) { names, match in
      try names.union(Self.names(in: "\(match.1)", templates))
    }
  }

  /// The structs of a file. Their properties are the lines of their own that begin with `let` or `var` and have no body.
  private static func declarations(in text: String) -> [String: Declaration] {
    var (found, open): ([String: Declaration], [(name: String, indent: Int)]) = ([:], [])
    for line in text.split(separator: "\n") {
      let indent = line.prefix { $0 == " " }.count
      if let last = open.last, indent == last.indent, line.hasSuffix("}") { open.removeLast() }
      if let match = line.firstMatch(of: /struct (\w+)(<\w+>)?(: \w+)? \{$/) {
        open.append((String(match.1), indent))
        found[String(match.1)] = Declaration(isContent: match.3 == ": PageContent")
      } else if let last = open.last, indent == last.indent + 2, !line.hasSuffix("{"), !line.contains("static "),
        let match = line.firstMatch(of: /^ *(?:private |fileprivate )?(?:let|var) (?:\(([^)]*)\)|(\w+))(.*)$/)
      {
        let names = (match.1 ?? match.2 ?? "").split(separator: ", ").map(String.init)
        let types = match.3.prefix { $0 != "=" }.matches(of: /\w+/).map { String($0.0) }
        found[last.name]?.properties += names.map { ($0, types) }
      }
    }
    return found
  }

  @Test func every_name_of_a_template_is_a_property_and_every_property_is_shown() throws {
    let (templates, sources) = (try Self.texts("mustache"), try Self.texts("swift"))
    let files = sources.mapValues(Self.declarations)
    var shown: Set<String> = []
    for (file, text) in sources {
      for (name, declaration) in files[file] ?? [:] where declaration.isContent {
        let source = try #require(text.firstRange(of: "struct \(name): PageContent")).upperBound
        let template = try #require(text[source...].firstMatch(of: /static let template = "([a-z-]+)"/))
        var properties: Set<String> = []
        var (next, seen): ([(file: String, name: String)], Set<String>) = ([(file, name)], [])
        while let (file, name) = next.popLast() {
          guard seen.insert(name).inserted else { continue }
          // A struct of its own file, else of another one.
          let home = files[file]?[name] != nil ? file : files.first { $0.value[name] != nil }?.key
          guard let home, let declaration = files[home]?[name] else { continue }
          for property in declaration.properties {
            properties.insert(property.name)
            next += property.types.map { (home, $0) }
          }
        }
        let called = try Self.names(in: String(template.1), templates)
        #expect(called.symmetricDifference(properties).isEmpty, "\(file): \(called.symmetricDifference(properties))")
        shown.insert(String(template.1))
      }
    }
    #expect(shown.union(["rows"]) == Set(templates.keys.map { $0.replacing(".mustache", with: "") }))
  }
}
