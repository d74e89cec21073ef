import ArgumentParser
import Console
import Quoin

/// The arguments that name tickers.
struct TickerArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Tickers, such as FDX or BRK.A, as their source spells them (default: all).", valueName: "ticker"))
  var tickers: [String] = []

  /// The tickers; nil for all.
  func symbols() throws -> [TickerSymbol]? {
    tickers.isEmpty ? nil : try Self.symbols(of: tickers)
  }

  /// The tickers of a command's arguments.
  static func symbols(of arguments: [String]) throws -> [TickerSymbol] {
    try arguments.withRest.flatMap { try symbols(in: $0) }
  }

  /// The tickers of one argument, which may be a list with commas, as other ways of asking have it.
  private static func symbols(in text: String) throws -> [TickerSymbol] {
    let names = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    do { return try names.map { try TickerSymbol(String(Substring($0))) } } catch {
      guard let advice = conditionAdvice(for: text) else { throw error }
      throw UsageError("'\(text.prefix(40))' isn't a ticker; \(advice)")
    }
  }

  /// Where a condition goes, for a text that is one; nil for a ticker, which may have a letter after the sign, as CL=F does.
  fileprivate static func conditionAdvice(for text: String) -> String? {
    let afterEqual = text.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false).dropFirst()
    let compares =
      text.utf8.contains { "<>".utf8.contains($0) }
      || afterEqual.contains { $0.first.map { !Character(Unicode.Scalar($0)).isLetter } ?? true }
    return compares ? "a condition follows --where" : nil
  }

  /// The option that a word is; nil for a word that is none.
  fileprivate static func optionAdvice(for word: TickerSymbol) -> String? {
    switch QuestionField.Name(rawValue: "\(word)".lowercased()) {
    case .where: "a condition follows --where and stands in quotes: --where 'high > 80'"
    // A bar's length has another name there, and tickers have none.
    case nil, .tickers, .resample: nil
    case let field?: "\(OptionNames()[field]) is an option of 'quoin scan'"
    }
  }
}

/// The options that say which rows of the tickers.
struct RowConditions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only rows that meet this condition, such as 'high > 80 and not (volume between 0 and 1000)'. Give it several times "
        + "for rows that meet every condition.",
      valueName: "expr"))
  var conditions: [String] = []

  @Option(
    name: .customLong("let"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A name for an expression or a condition, such as 'r = close / prev(close) - 1', which later ones, --where and "
        + "--columns may use.", valueName: "name = expr"))
  var definitions: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only rows from this day on; 'last' is the newest day of the store, 'last - 30 days' or -1y one before it.",
      valueName: "day"))
  var from: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only rows up to and including this day, which may be 'last' and so on.", valueName: "day"))
  var to: String?

  var texts: [QuestionText] {
    var texts = definitions.map { (name: QuestionField.Name.let, text: $0) }
    texts += conditions.map { (name: .where, text: $0) }
    texts.add(.from, from)
    texts.add(.to, to)
    return texts
  }

  /// The question for these rows of some tickers, or all.
  ///
  /// - Parameter period: how long bars are; nil for days.
  func question(of tickers: [TickerSymbol]?, barsBy period: String? = nil) throws -> QuoteQuestion {
    var texts = texts
    texts.add(.resample, period)
    var question = try OptionNames([.resample: "--by"]).question(texts)
    question.tickers = tickers
    question.showNotes()
    return question
  }
}

extension QuoteQuestion {
  /// Tells the user how texts were read.
  func showNotes() {
    for note in notes where Terminal.showsErrors { StandardStreams.complain("note: \(note)") }
  }

  /// Tells the user what is easily overlooked in the answer of a store.
  func showRemarks(on store: QuoteStore, _ names: OptionNames = OptionNames()) {
    for remark in remarks(among: store.tickers) {
      StandardStreams.complain("note: \(remark.text { names[$0] })")
    }
  }
}

/// The arguments of `export` and `delete` that select rows.
struct RowSelection: ParsableArguments {
  @OptionGroup var tickers: TickerArguments
  @OptionGroup var conditions: RowConditions

  func question() throws -> QuoteQuestion { try conditions.question(of: tickers.symbols()) }
}

extension QuoteStore {
  /// What `ask` answers. An error names the ticker that may have been meant.
  func naming<Answer>(_ ask: () throws -> Answer) throws -> Answer {
    do { return try ask() } catch StoreError.unknownTicker(let ticker) {
      try requireTickers([ticker])
      throw StoreError.unknownTicker(ticker)
    }
  }

  /// Throws when the store lacks one of these tickers, and suggests the tickers that may have been meant.
  func requireTickers(_ wanted: [TickerSymbol]) throws {
    let known = tickers
    for ticker in wanted where known.sortedIndex(of: ticker, by: { $0 }) == nil {
      let question = Suggestion.question(forTicker: "\(ticker)", among: known)
      let advice = TickerArguments.conditionAdvice(for: "\(ticker)") ?? TickerArguments.optionAdvice(for: ticker)
      throw DataError(
        "'\(path)' has no quotes of \(ticker); \(question ?? advice ?? "'quoin tickers' lists what it has")")
    }
  }
}
