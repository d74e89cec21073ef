import Foundation
import Testing

/// What a template calls by a name is set somewhere, and what is set is called.
@Suite struct TemplateTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
    path: "../../Sources/QuoinServer/Page")

  /// The texts of the files with an extension, by their names.
  private static func texts(_ fileExtension: String) throws -> [String: String] {
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var texts: [String: String] = [:]
    for case let file as URL in files where file.pathExtension == fileExtension {
      texts[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
    }
    return texts
  }

  @Test func every_name_of_a_template_is_set_and_every_name_that_is_set_is_shown() throws {
    var shown: Set<String> = []
    let set = Set(try Self.texts("swift").values.flatMap { $0.matches(of: /"([A-Za-z]+)"/).map { String($0.1) } })
    for (file, text) in try Self.texts("mustache") {
      let names = text.matches(of: /\{\{\{?[#^\/]?([A-Za-z]+)\}?\}\}/).map { String($0.1) }
      for name in names { #expect(set.contains(name), "\(file): \(name)") }
      shown.formUnion(names)
    }
    #expect(shown.count > 50)
    for (file, text) in try Self.texts("swift") {
      for name in text.matches(of: /page\["([A-Za-z]+)"\]/).map({ String($0.1) }) {
        #expect(shown.contains(name), "\(file): \(name)")
      }
    }
  }
}
