import Console
import Quoin

/// What a command calls the options that give the fields of a question.
struct OptionNames {
  /// Those that aren't called like their field.
  private var others: [QuestionField.Name: String] = [.tickers: "the tickers", .aggregates: "--aggregate"]

  init(_ others: [QuestionField.Name: String] = [:]) { self.others.merge(others) { $1 } }

  subscript(field: QuestionField.Name) -> String {
    others[field] ?? "--" + field.rawValue.replacing("_", with: "-")
  }

  /// Reads fields, beside what a question says already.
  ///
  /// - Throws: an error that names the option.
  func question(_ texts: [QuestionText], after first: QuoteQuestion = QuoteQuestion()) throws -> QuoteQuestion {
    var question = first
    do throws(QuestionError) {
      try question.read(texts)
      try question.check()
      return question
    } catch {
      if let syntax = error.syntax { throw syntax }
      throw UsageError(error.text { self[$0] })
    }
  }

  /// What an option lists as columns are listed.
  static func columns(
    _ text: String, of option: String, _ names: Definitions
  ) throws -> [QuoteFormatter.Column.Listed] {
    var question = QuoteQuestion()
    question.definitions = names
    return try OptionNames([.columns: option]).question([(.columns, text)], after: question).columns ?? []
  }

  /// The days that --from and --to name in a store.
  static func days(from: String?, to: String?, in store: QuoteStore) throws -> (first: TradingDay?, last: TradingDay?) {
    var texts: [QuestionText] = []
    texts.add(.from, from)
    texts.add(.to, to)
    let question = try OptionNames().question(texts)
    return store.days(of: question)
  }
}

extension [QuestionText] {
  /// Adds a field if it is given.
  mutating func add(_ name: QuestionField.Name, _ text: String?) {
    if let text { append((name, text)) }
  }
}
