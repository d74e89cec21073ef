import Testing

@testable import Quoin

/// Whoever looks something up finds all that there is.
@Suite struct LanguageReferenceTests {
  @Test(arguments: LanguageEntry.Kind.allCases)
  func every_function_has_a_sentence_and_an_example(_ kind: LanguageEntry.Kind) {
    let entries = LanguageReference.entries.filter { $0.kind == kind }
    let names = entries.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(!names.isEmpty && names == LanguageWords.words(kind))
    for entry in entries { #expect(entry.meaning.last == "." && !entry.example.isEmpty, "\(entry.name)") }
  }

  @Test(arguments: LanguageReference.entries)
  func each_example_can_be_asked(_ entry: LanguageEntry) throws {
    #expect(entry.example.hasPrefix(entry.name))
    if entry.kind == .aggregate {
      _ = try GroupQuestion(parsing: entry.example)
    } else if (try? QuoteExpression(parsing: entry.example)) == nil {
      _ = try Predicate(parsing: entry.example)
    }
  }

  @Test func the_documentation_lists_all_functions_and_fields() throws {
    let functions = LanguageEntry.Kind.allCases.map { kind in
      let entries = LanguageReference.entries.filter { $0.kind == kind }
      return (
        name: "\(kind)", text: Self.table(["function", "means"], entries.map { ["`\($0.example)`", $0.meaning] })
      )
    }
    let fields = QuestionField.all.map {
      ["`\($0.name.rawValue)`", $0.meaning, "`\($0.example)`", $0.usual ?? ""]
    }
    let attributes = Attribute.allCases.map { attribute in
      let others = attribute.spellings.filter { $0 != attribute.wikiName }.map { "`\($0)`" }
      return ["`\(attribute.wikiName)`", others.joined(separator: ", "), attribute.meaning]
    }
    try WrittenPage("docs/language.md").expect(
      functions + [
        ("fields", Self.table(["field", "means", "for example", "usual"], fields)),
        (
          "synonyms",
          Self.table(
            ["here", "elsewhere"],
            LanguageReference.entries.filter { !$0.synonyms.isEmpty }.map {
              ["`\($0.example)`", $0.synonyms.map { "`\($0)`" }.joined(separator: " ")]
            })
        ),
        (
          "words",
          Self.table(
            ["elsewhere", "where", "here", ""],
            ForeignWord.all.map {
              [$0.words.map { "`\($0)`" }.joined(separator: " "), $0.place.rawValue, "`\($0.form)`", $0.note]
            })
        ),
        ("attributes", Self.table(["name", "also written", "means"], attributes)),
      ])
  }

  private static func table(_ heads: [String], _ rows: [[String]]) -> String {
    let lines = [heads, heads.map { _ in "---" }] + rows.map { $0.map { $0.replacing("|", with: "\\|") } }
    return "\n" + lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") + "\n"
  }
}
