import Foundation
import Quoin
import Testing

@testable import QuoinServer

/// Questions as other programs ask them. `Tests/Page/copyas-run` asks them, and compares what the programs answer.
struct QuestionSpellingTests {
  /// The questions of `Tests/Page/questions.json`, by their names. Their fields have the names of the table.
  private static func listed() throws -> [(name: String, texts: [QuestionText])] {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Page/questions.json")
    let questions = try JSONSerialization.jsonObject(with: Data(contentsOf: list)) as? [[String: Any]] ?? []
    return questions.map { question in
      let texts = QuestionField.all.flatMap { field -> [QuestionText] in
        let values = (question[field.name.rawValue] as? [Any]) ?? question[field.name.rawValue].map { [$0] } ?? []
        let words = values.map { $0 is NSNumber && field.name == .latest ? "true" : "\($0)" }
        return field.name == .tickers
          ? (words.isEmpty ? [] : [(.tickers, words.joined(separator: ","))]) : words.map { (field.name, $0) }
      }
      return (question["name"] as? String ?? "", texts)
    }
  }

  private static let store = "it's a $tore"
  private static let origin = "http://127.0.0.1:8080"

  private static let nastyTexts = [
    "", " ", "a b", "-x", "'", "\"", "'\"", "it's \"$HOME\" `id` $(id) \\ !!", "\\", "\\'", "\\\"", "\"#", "\"##\\#(1)",
    "\\(1)",
    "a\nb", "\"\n\\", "\r\t\u{1}\u{7F}", "\u{85}\u{2028}\u{2029}", "é€😀", "%s", "{x}", "#", "~", "*", "a;b|c&d>e<f",
    "''", "'''", "\"\"\"",
  ]

  private func forms(_ question: [QuestionText]) throws -> [String: SpelledQuestion] {
    let spelling = try Spelling(question)
    return [
      "shell": spelling.shell(store: Self.store), "curl": spelling.curl(origin: Self.origin),
      "curl-token": spelling.curl(origin: Self.origin, needsToken: true), "python": spelling.python(store: Self.store),
      "swift": spelling.swift(store: Self.store), "sql": spelling.sql(store: Self.store),
    ]
  }

  @Test func every_question_of_the_list_has_each_form_or_a_sentence() throws {
    let questions = try Self.listed()
    #expect(questions.count >= 12)
    var spelled: [String: [String: String]] = [:]
    for question in questions {
      spelled[question.name] = try forms(question.texts).mapValues { form in
        switch form {
        case .text(let text): text
        case .cannot(let sentence): "cannot: \(sentence)"
        }
      }
    }
    for (name, forms) in spelled {
      for form in ["shell", "curl", "sql"] { #expect(forms[form]?.contains("\n") == false, "\(name): \(form)") }
    }
    // For the programs that ask.
    guard let path = ProcessInfo.processInfo.environment["QUOIN_SPELLINGS"] else { return }
    let literals = Self.nastyTexts.map {
      ["text": $0, "shell": $0.shellWord, "python": $0.pythonLiteral, "swift": $0.swiftLiteral, "sql": $0.sqlLiteral]
    }
    let all: [String: Any] = ["questions": spelled, "literals": literals]
    try JSONSerialization.data(withJSONObject: all, options: .sortedKeys).write(to: URL(fileURLWithPath: path))
  }

  @Test func a_question_is_spelled_as_people_would() throws {
    let spelling = try Spelling([
      (.tickers, "FDX,KO"), (.from, "2005-01-01"), (.where, "close > 80"), (.where, "ticker like 'F%'"),
      (.columns, "date, close, mean(close, 20) as ma"), (.order, "volume desc"), (.limit, "5"),
    ])
    #expect(
      spelling.shell(store: "prices")
        == .text(
          #"quoin scan FDX KO --where 'close > 80' --where "ticker like 'F%'" --from 2005-01-01 --columns "#
            + #"'date, close, mean(close, 20) as ma' --order 'volume desc' --limit 5 --store prices"#))
    #expect(
      spelling.curl(origin: "http://localhost:8080", needsToken: true)
        == .text(
          #"curl -G http://localhost:8080/api/v1/scan -H "authorization: Bearer $QUOIN_TOKEN" --data-urlencode 'tickers=FDX,KO' "#
            + #"--data-urlencode 'where=close > 80' --data-urlencode "where=ticker like 'F%'" --data-urlencode 'from=2005-01-01' "#
            + #"--data-urlencode 'columns=date, close, mean(close, 20) as ma' --data-urlencode 'order=volume desc' "#
            + #"--data-urlencode 'limit=5' --data-urlencode 'format=csv'"#))
    #expect(
      spelling.python(store: "prices")
        == .text(
          """
          import quoindb

          store = quoindb.open("prices", read_only=True)
          rows = store.scan(
              tickers=["FDX", "KO"],
              where="(close > 80) and (ticker like 'F%')",
              start="2005-01-01",
              columns="date, close, mean(close, 20) as ma",
              order="volume desc",
              limit=5,
          )
          print(rows)
          """))
    #expect(
      spelling.swift(store: "prices")
        == .text(
          """
          import Quoin

          let store = try QuoteStore(at: "prices", mustExist: true)
          let question = try QuoteQuestion([
            .tickers: "FDX,KO",
            .where: "close > 80",
            .where: "ticker like 'F%'",
            .from: "2005-01-01",
            .columns: "date, close, mean(close, 20) as ma",
            .order: "volume desc",
            .limit: "5",
          ])
          try store.answer(question).write(.csv) { bytes in
            bytes.withUnsafeBytes { print(String(decoding: $0, as: UTF8.self), terminator: "") }
          }
          """))
    #expect(
      try Spelling([(.tickers, "FDX"), (.columns, "date, close"), (.order, "close"), (.limit, "3")]).sql(
        store: "prices")
        == .text(
          #"quoin sql "select date, close from quotes where ticker = 'FDX' order by close nulls last, ticker, date limit 3" --store prices"#
        ))
  }

  @Test func what_looks_like_an_option_is_none() throws {
    let spelling = try Spelling([(.tickers, "-X"), (.where, "-close < 0"), (.columns, "-close as x")])
    #expect(
      spelling.shell(store: "-s") == .text("quoin scan --where='-close < 0' --columns='-close as x' --store=-s -- -X"))
  }

  @Test func what_a_program_cannot_ask_is_a_sentence() throws {
    let long = (1...2000).map { _ in (name: QuestionField.Name.where, text: "close > 80") }
    #expect(try Spelling(long).curl(origin: Self.origin) == .cannot("The question is longer than an address may be."))
    let sorted: [QuestionText] = [(.order, "volume"), (.limit, "\(ServerLimits.sortedRows + 1)")]
    #expect(
      try Spelling(sorted).curl(origin: Self.origin) == .cannot("The server sorts at most 100000 rows by their values.")
    )
    // Without a limit, the server would sort all rows.
    let all = try Spelling([(.order, "volume")]).curl(origin: Self.origin)
    #expect("\(all)".contains("limit=100000"))
    let wide: [QuestionText] = [(.columns, (1...17).map { "close + \($0)" }.joined(separator: ", "))]
    #expect(
      try Spelling(wide).sql(store: Self.store)
        == .cannot("A function of SQL has at most 16 values and one period; the question asks for more."))
  }

  /// A field that a program lacks is said to be missing, never left out.
  @Test func each_field_is_asked_in_each_form_or_said_to_be_missing() throws {
    // A page is answered on one thread; how many others use is up to them.
    for field in QuestionField.all where field.name != .threads {
      var texts: [QuestionText] = [(field.name, field.example)]
      if [.by, .having, .pivot].contains(field.name) { texts.append((.aggregates, "count")) }
      if field.name == .pivot { texts.append((.by, "year, ticker")) }
      if field.name == .barLabel { texts.append((.resample, "week")) }
      if field.name == .trustSplits { texts.append((.asOf, "2010-06-01")) }
      for (form, spelled) in try forms(texts) {
        guard case .text(let text) = spelled else { continue }
        let words = ["latest", "trust", "pivot"] + field.example.split(separator: ",").map(String.init)
        #expect(words.contains { text.contains($0) }, "\(form) of \(field.name): \(text)")
      }
    }
  }

  @Test(
    arguments: [
      [(.where, "hihg > 80")], [(.columns, "clos")], [(.order, "up")], [(.aggregates, "mean(clos)")],
      [(.aggregates, "count"), (.by, "moon")], [(.aggregates, "count"), (.having, "count >")], [(.by, "month")],
      [(.from, "2005-02-01"), (.to, "2005-01-01")],
    ] as [[QuestionText]]) func what_says_nothing_is_refused(_ texts: [QuestionText])
  {
    #expect(throws: QuestionError.self) { try Spelling(texts) }
  }
}
