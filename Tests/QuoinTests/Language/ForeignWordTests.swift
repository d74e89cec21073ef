import Testing

@testable import Quoin

/// Words of other languages are taken if they mean exactly the same; else whoever writes them reads what to write.
@Suite struct ForeignWordTests {
  @Test(arguments: LanguageReference.entries.filter { !$0.synonyms.isEmpty })
  func others_names_mean_the_same(_ entry: LanguageEntry) throws {
    for word in entry.synonyms {
      let text = word + entry.example.dropFirst(entry.name.count)
      if entry.kind == .aggregate {
        let columns = try [text, entry.example].map { try GroupQuestion(parsing: $0).columns[0].expression }
        #expect(columns[0] == columns[1], "\(text)")
      } else if let expression = try? QuoteExpression(parsing: entry.example) {
        #expect(try QuoteExpression(parsing: text) == expression, "\(text)")
      } else {
        #expect(try Predicate(parsing: text) == Predicate(parsing: entry.example), "\(text)")
      }
    }
  }

  @Test func a_word_means_one_thing() {
    for isOfGroups in [false, true] {
      let entries = LanguageReference.entries.filter { ($0.kind == .aggregate) == isOfGroups }
      let (names, synonyms) = (Set(entries.map(\.name)), entries.flatMap(\.synonyms))
      #expect(Set(synonyms).count == synonyms.count && names.isDisjoint(with: synonyms))
      let words = ForeignWord.all.filter { $0.place == (isOfGroups ? .aggregate : .function) }.flatMap(\.words)
      #expect(names.union(synonyms).isDisjoint(with: words))
    }
    for place in ForeignWord.Place.allCases {
      let words = ForeignWord.all.filter { $0.place == place }.flatMap(\.words)
      #expect(Set(words).count == words.count && !words.isEmpty)
    }
  }

  @Test(arguments: ForeignWord.all) func what_to_write_can_be_asked(_ word: ForeignWord) {
    let isOfRows = (try? Predicate(parsing: word.form)) != nil || (try? QuoteExpression(parsing: word.form)) != nil
    #expect(isOfRows || word.place == .aggregate && (try? GroupQuestion(parsing: word.form)) != nil, "\(word.form)")
    #expect(word.place != .aggregate || (try? GroupQuestion(parsing: word.form)) != nil, "\(word.form)")
    #expect(word.note.isEmpty || word.note.last != ".")
  }

  @Test(arguments: ForeignWord.all) func whoever_writes_another_word_reads_what_to_write(_ word: ForeignWord) {
    for name in word.words {
      let text =
        switch word.place {
        case .function: "\(name)(close, 20) > 1"
        case .name: "\(name) > 1"
        case .sign: "close \(name) 2 > 1"
        case .after: "close > 5 \(name)"
        case .aggregate: "\(name)(close)"
        }
      let message = Self.refusal(of: text, isOfGroups: word.place == .aggregate)
      #expect(message?.contains("write \(word.form)") ?? false, "\(text): \(message ?? "")")
    }
  }

  private static func refusal(of text: String, isOfGroups: Bool = false) -> String? {
    do throws(PredicateSyntaxError) {
      if isOfGroups { _ = try GroupQuestion(parsing: text) } else { _ = try Predicate(parsing: text) }
      return nil
    } catch { return error.message }
  }

  @Test(arguments: [
    ("every(close > open, 3)", "'every' is of rows, not of groups; write it inside: count(every(close > open, 3))"),
    ("mean(5)", "mean of what? A number is the same in every row; write mean(close)"),
    ("sum(1)", "sum of what? A number is the same in every row; write sum(close), or count for the number of rows"),
    ("count(1)", "count of what? A number is the same in every row; write count"),
    ("count(distinct 1)", "count of what? A number is the same in every row; write count"),
    (
      "weighted_mean(close, 1)",
      "weighted_mean of what? A number is the same in every row; write weighted_mean(close, volume)"
    ),
  ])
  func what_is_no_aggregate_is_refused(_ text: String, _ message: String) {
    #expect(Self.refusal(of: text, isOfGroups: true) == message)
  }

  @Test(arguments: [
    "mean(close, period=50) > 1", "close > 1 ? 2 : 3", "case when close > 1 then 2 end", "$close > 5", "close > 5 %",
    "close % 2 = 1",
  ])
  func other_forms_have_an_answer_too(_ text: String) {
    #expect(Self.refusal(of: text)?.contains("write ") ?? false, "\(Self.refusal(of: text) ?? "")")
  }

  @Test func numbers_of_rows_may_have_a_name_or_be_calculated() throws {
    var names = Definitions()
    try names.add("n = 20")
    #expect(try ListedColumn.list(parsing: "mean(close, n)", names)[0].expression == .mean(.close, 20))
    #expect(try QuoteExpression(parsing: "mean(close, 4 * 5)") == .mean(.close, 20))
    #expect(try QuoteExpression(parsing: "ema(20)") == .ema(.close, 20))
    let error = #expect(throws: PredicateSyntaxError.self) { try ListedColumn.list(parsing: "mean(n)", names) }
    #expect(error?.message == "mean of what? A number is the same in every row; write mean(close, 20)")
  }
}
