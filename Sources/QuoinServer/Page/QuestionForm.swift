import QuandlService
import Quoin

/// The fields of the page that asks questions: all of `QuestionField`, but those that a page decides itself.
enum QuestionForm {
  /// A part of the form, which is folded if it has a title and nothing is asked in it.
  struct Section {
    let title: String?
    let fields: [Field]
    let isOpen: Bool
  }

  struct Field {
    let (name, title, value, meaning, example): (String, String, String, String, String)
    // What it looks like: one of these is true.
    var isShort = false
    var isLong = false
    var isDay = false
    var isCount = false
    var isFlag = false
    var isChoice = false
    /// Which of `words` it completes.
    var completes: String?
    var isOn = false
    var choices: [PageChoice] = []
  }

  /// The functions of a kind, each with a sentence.
  struct Functions {
    struct Entry {
      let (call, words): (String, String)
    }

    let caption: String
    let functions: [Entry]
  }

  /// The fields that an address may have.
  static let names = QuestionField.all.map(\.name).filter { $0 != .offset && $0 != .threads }

  /// What the form calls a field, where its name isn't the word for it.
  private static let titles: [QuestionField.Name: String] = [
    .where: "Which days", .let: "Names for expressions", .asOf: "As it was on", .resample: "Bars of a",
    .barLabel: "A bar's day", .top: "The first ones of each day or other groups",
    .latest: "The last row of each ticker",
    .by: "For each", .having: "Only groups with", .limit: "Rows", .trustSplits: "Count splits that no price shows",
  ]

  private static let parts: [(title: String?, names: [QuestionField.Name])] = {
    let first: [QuestionField.Name] = [.tickers, .from, .to, .where, .columns]
    let last: [QuestionField.Name] = [.order, .limit]
    let groups = names.filter { QuestionField.named($0).subject == .groups }
    let rest = names.filter { !(first + groups + last).contains($0) }
    return [(nil, first), ("Aggregates", groups), ("Bars, an earlier day, the first ones", rest), (nil, last)]
  }()

  static func sections(_ address: PageAddress) -> [Section] {
    parts.map { title, names in
      Section(
        title: title, fields: names.map { field(.named($0), value($0, address)) },
        isOpen: names.contains { address[$0.rawValue] != nil })
    }
  }

  /// What stands in a field: of a field that is given several times, what asks for the same.
  private static func value(_ name: QuestionField.Name, _ address: PageAddress) -> String {
    let texts = address.all(name.rawValue)
    switch name {
    case .where: return Spelling.joined(texts) ?? ""
    case .let: return texts.joined(separator: "; ")
    default: return texts.joined(separator: ",")
    }
  }

  private static func field(_ field: QuestionField, _ value: String) -> Field {
    let name = field.name.rawValue
    let title = titles[field.name] ?? name.prefix(1).uppercased() + name.dropFirst()
    var content = Field(name: name, title: title, value: value, meaning: field.meaning, example: field.example)
    switch field.kind {
    case .tickers: content.isShort = true
    case .language: (content.isLong, content.completes) = (true, words(of: field.name))
    case .day: content.isDay = true
    case .dayMark where DayField.isDay(value): content.isDay = true
    case .dayMark: content.isShort = true
    case .words(let words):
      (content.isChoice, content.choices) = (true, ([""] + words).map { PageChoice($0, chosen: value) })
    case .flag: (content.isFlag, content.isOn) = (true, Bool(flag: value) ?? false)
    case .count: content.isCount = true
    }
    return content
  }

  /// Which of `words` a field completes.
  private static func words(of name: QuestionField.Name) -> String {
    switch name {
    case .columns, .aggregates, .by: name.rawValue
    case .having: QuestionField.Name.aggregates.rawValue
    default: QuestionField.Name.where.rawValue
    }
  }

  /// All functions.
  static var reference: [Functions] {
    LanguageEntry.Kind.allCases.map { kind in
      let entries = LanguageReference.entries.filter { $0.kind == kind }
      return Functions(
        caption: "Functions: \(kind.rawValue)",
        functions: entries.map { .init(call: $0.example, words: $0.meaning) })
    }
  }

  /// The names that each kind of field completes, as JSON.
  static let words: String = {
    let columns = QuoteFormatter.Column.all.map(\.name)
    let joins = ["and", "or", "not", "between", "desc", "of"]
    let lists: [(QuestionField.Name, [String])] = [
      (.where, columns + joins + LanguageWords.functions), (.columns, columns + LanguageWords.functions),
      (.aggregates, LanguageWords.aggregates + columns + joins), (.by, Grouping.named.map(\.name)),
    ]
    return JSONValue.object(
      lists.map { name, words in (name.rawValue, .array(Array(Set(words)).sorted().map { .string($0) })) }
    ).text
  }()
}
