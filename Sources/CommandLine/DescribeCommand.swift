import ArgumentParser
import Console
import Quoin

struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "List what can be asked: fields, functions, aggregates, attributes, groups and rules.",
    discussion: """
      Each has an example, and most have a sentence and a usual value. Fields are the options of 'quoin scan' and 'quoin resample', the parameters \
      of the server's routes and the fields of C and Python; the names are those of C.

      Examples:
        quoin describe
        quoin describe window
        quoin describe --format json
      """)

  @Argument(
    help: ArgumentHelp(
      "Only one kind: field, \(LanguageEntry.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")), attribute, group or rule.",
      valueName: "kind"))
  var kind: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let format = try output.outputFormat()
    var table = RecordTable(["kind", "name", "meaning", "example", "usual"].map { .text($0) })
    table.rows = Self.rows
    if let kind {
      let kinds = table.rows.compactMap(\.[0])
      guard kinds.contains(kind.lowercased()) else {
        throw UsageError.unknownName(kind, what: "kind", among: Set(kinds).sorted())
      }
      table.rows.removeAll { $0[0] != kind.lowercased() }
    }
    try output.withOutput { try table.write(format, styled: output.isStyled, to: $0) }
  }

  private static var rows: [[String?]] {
    QuestionField.all.map { ["field", $0.name.rawValue, $0.meaning, $0.example, $0.usual] }
      + LanguageReference.entries.map { [$0.kind.rawValue, $0.name, $0.meaning, $0.example, nil] }
      + Attribute.allCases.map { ["attribute", $0.wikiName, $0.meaning, "\($0.wikiName) > 0", nil] }
      + Grouping.named.map { ["group", $0.name, nil, "--aggregate count --by \($0.name)", nil] }
      + AuditRule.allCases.map { ["rule", $0.rawValue, $0.fault, "quoin check --rule \($0.rawValue)", nil] }
  }
}
