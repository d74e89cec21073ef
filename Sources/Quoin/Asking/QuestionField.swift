/// A field of a question as a text.
package typealias QuestionText = (name: QuestionField.Name, text: String)

/// One field of a question: what it is called, what it means, and how a text becomes its value.
///
/// `all` is the only list of them, by which every way of asking reads its texts.
public struct QuestionField: Sendable {
  /// A field's name. A command may spell it `--as-of`, an address `as_of=`.
  public enum Name: String, CaseIterable, Sendable {
    case tickers
    case `let`
    case `where`
    case from, to
    case asOf = "as_of"
    case trustSplits = "trust_splits"
    case resample
    case barLabel = "bar_label"
    case columns, top, latest
    case by, aggregates, having, pivot
    case order, limit, offset, threads
  }

  /// What a text may be.
  package enum Kind: Sendable {
    /// Tickers with commas between them.
    case tickers
    /// A text of the language.
    case language
    case day
    /// A day, which may be counted from the newest one.
    case dayMark
    case words([String])
    case flag
    /// A whole number from this one on.
    case count(from: Int)
  }

  /// What a field says something of.
  package enum Subject: Sendable {
    /// Which rows are meant, whatever is asked of them.
    case selection
    /// What of rows is shown.
    case rows
    /// Which groups there are, and what of them.
    case groups
    /// Which part of the rows or groups comes, and in which order.
    case answer
    /// How the answer is found.
    case work
  }

  /// What it is called.
  public let name: Name
  package let kind: Kind
  package let subject: Subject
  /// Whether it may be given several times.
  package let isRepeatable: Bool
  /// A sentence.
  public let meaning: String
  /// A text that it may have.
  public let example: String
  /// What it is without a text.
  public let usual: String?
  private let take: @Sendable (inout QuoteQuestion, String) throws(QuestionError) -> Void

  fileprivate init(
    _ name: Name, _ kind: Kind, of subject: Subject = .selection, isRepeatable: Bool = false, _ meaning: String,
    example: String, usual: String? = nil,
    take: @escaping @Sendable (inout QuoteQuestion, String) throws(QuestionError) -> Void
  ) {
    (self.name, self.kind, self.subject, self.isRepeatable) = (name, kind, subject, isRepeatable)
    (self.meaning, self.example, self.usual, self.take) = (meaning, example, usual, take)
  }

  /// Reads the field's text into a question. Definitions come first, and aggregates before what is said of groups.
  func read(_ text: String, into question: inout QuoteQuestion) throws(QuestionError) { try take(&question, text) }

  package static func named(_ name: Name) -> QuestionField { byName[name]! }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// All fields, in the order in which they are listed.
  public static let all: [QuestionField] = [
    QuestionField(
      .tickers, .tickers, isRepeatable: true, "The tickers, with commas between them.", example: "FDX,KO", usual: "all"
    ) {
      question, text throws(QuestionError) in
      var tickers: [TickerSymbol] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        do throws(TickerSymbolError) { tickers.append(try TickerSymbol(String(part).trimmed)) } catch {
          throw QuestionError(.tickers, text: "\(error)")
        }
      }
      question.tickers = (question.tickers ?? []) + tickers
    },
    QuestionField(
      .let, .language, isRepeatable: true,
      "Names for expressions and conditions, with ';' between them, which later ones and the other fields may use.",
      example: "r = close / prev(close) - 1; calm = std(r, 20) < 0.01"
    ) { question, text throws(QuestionError) in
      try parsed(.let) { () throws(PredicateSyntaxError) in try question.definitions.add(text) }
    },
    QuestionField(
      .where, .language, isRepeatable: true, "A condition that rows meet. Of several, rows meet all.",
      example: "high > 80 and low < 78"
    ) { question, text throws(QuestionError) in
      let names = question.names(preferringColumns: false)
      let (predicate, notes) = try parsed(.where) { () throws(PredicateSyntaxError) in
        try Predicate.parsing(text, names)
      }
      question.conditions.append(predicate)
      question.notes += notes
    },
    QuestionField(
      .from, .dayMark,
      "Rows of this day and later. 'last' is the newest day that there is, 'last - 30 days' or '-1y' one before it.",
      example: "2005-01-03"
    ) { question, text throws(QuestionError) in
      question.days = DayBounds(first: try dayMark(text, .from), last: question.days.last)
    },
    QuestionField(
      .to, .dayMark, "Rows of this day and earlier, which may be 'last' and so on.", example: "2005-12-30"
    ) { question, text throws(QuestionError) in
      question.days = DayBounds(first: question.days.first, last: try dayMark(text, .to))
    },
    QuestionField(
      .asOf, .day,
      "The quotes as they were on this day: no later rows, and adjusted for the dividends and splits up to it.",
      example: "2010-06-01"
    ) { question, text throws(QuestionError) in question.asOf = try day(text, .asOf) },
    QuestionField(
      .trustSplits, .flag, "As of a day, count a split although the price doesn't move by it.", example: "true",
      usual: "false"
    ) { question, text throws(QuestionError) in question.trustsSplits = try flag(text, .trustSplits) },
    QuestionField(
      .resample, .words(CalendarPeriod.barLengths),
      "Bars of this length in place of days. The other fields are asked of bars and their days.", example: "week"
    ) { question, text throws(QuestionError) in
      question.barPeriod = try choice(text, .resample, among: CalendarPeriod.allCases.filter { $0 != .day })
    },
    QuestionField(
      .barLabel, .words(BarLabel.allCases.map(\.rawValue)),
      "A bar's day: the ticker's last one in the period, or the period's last one in the calendar.",
      example: "period-end", usual: BarLabel.lastRow.rawValue
    ) { question, text throws(QuestionError) in
      question.barLabel = try choice(text, .barLabel, among: BarLabel.allCases)
    },
    QuestionField(
      .columns, .language, of: .rows,
      "Columns with commas between them, which may be computed. Later ones and conditions may use their names.",
      example: "date, close, mean(close, 20) as ma", usual: "all"
    ) { question, text throws(QuestionError) in question.columns = try columns(text, question.definitions) },
    QuestionField(
      .top, .language,
      "Only the first rows of each day, ticker, month or other groups among those selected, group by group, largest first, or with "
        + "'asc' smallest first.", example: "3 by change(close) per day"
    ) { question, text throws(QuestionError) in
      let names = question.names(preferringColumns: true)
      let top = try parsed(.top) { () throws(PredicateSyntaxError) in try TopRows(parsing: text, names) }
      question.refine { $0.top(top) }
      question.order = top.rowOrder
      question.isTopOfDay = top.grouping.keys.contains(.day)
    },
    QuestionField(
      .latest, .flag,
      "Only the last row of each ticker, of the days that are asked for, and of these the rows that meet the conditions.",
      example: "true", usual: "false"
    ) { question, text throws(QuestionError) in question.isOfLatest = try flag(text, .latest) },
    QuestionField(
      .by, .language, of: .groups,
      "Groups: by \(Grouping.named.map(\.name).joined(separator: ", ")), the values of an expression, or a list of them. A period by "
        + "itself groups each ticker by it; 'month, all' puts all tickers together, and so does 'month(date)'.",
      example: "year, weekday", usual: "all rows are one group"
    ) { question, text throws(QuestionError) in
      let names = question.definitions
      question.grouping = try parsed(.by) { () throws(PredicateSyntaxError) in
        try Grouping.list(parsing: text, names)
      }
    },
    QuestionField(
      .aggregates, .language, of: .groups,
      "Aggregates, or what is computed from them: \(LanguageWords.aggregates.joined(separator: ", ")).",
      example: "mean(close), max(high) / min(low) as range"
    ) { question, text throws(QuestionError) in
      let (names, grouping) = (question.definitions, question.grouping)
      question.groups = try parsed(.aggregates) { () throws(PredicateSyntaxError) in
        try GroupQuestion(parsing: text, by: grouping, names)
      }
    },
    QuestionField(
      .having, .language, of: .groups, "Only groups that meet this condition on aggregates.", example: "count > 20"
    ) { question, text throws(QuestionError) in
      let (names, grouping) = (question.definitions, question.grouping)
      guard var groups = question.groups else { throw QuestionError(.having, against: .needsAggregates) }
      try parsed(.having) { () throws(PredicateSyntaxError) in
        try groups.keepGroups(where: text, by: grouping, names)
      }
      question.groups = groups
    },
    QuestionField(
      .pivot, .flag, of: .groups,
      "The values of the last key as columns: with 'year, ticker' a row for each year and a column for each ticker.",
      example: "true",
      usual: "false"
    ) { question, text throws(QuestionError) in
      let isPivot = try flag(text, .pivot)
      question.groups?.isPivot = isPivot
    },
    QuestionField(
      .order, .language, of: .answer,
      "'asc' or 'desc': each ticker's rows by rising or falling date; or what all rows, or groups, are ordered by: date, ticker, "
        + "keys of groups, names of columns, expressions, with commas between them, each with 'desc' from the largest on.",
      example: "volume desc, date", usual: "asc"
    ) { question, text throws(QuestionError) in
      let (names, grouping) = (question.definitions, question.grouping)
      if var groups = question.groups {
        try parsed(.order) { () throws(PredicateSyntaxError) in
          try groups.orderGroups(by: text, of: grouping, names)
        }
        question.groups = groups
      } else {
        let names = question.names(preferringColumns: true)
        let order = try parsed(.order) { () throws(PredicateSyntaxError) in try RowOrder(parsing: text, names) }
        question.order = order.simplified(for: question.tickers)
      }
    },
    QuestionField(.limit, .count(from: 0), of: .answer, "At most so many rows, or groups.", example: "10") {
      question, text throws(QuestionError) in question.limit = try count(text, .limit, from: 0)
    },
    QuestionField(
      .offset, .count(from: 0), of: .answer, "So many rows, or groups, are left out before the first one.",
      example: "10",
      usual: "0"
    ) { question, text throws(QuestionError) in question.offset = try count(text, .offset, from: 0) },
    QuestionField(
      .threads, .count(from: 1), of: .work, "At most so many threads.", example: "1",
      usual: "one for each processor, up to 8"
    ) { question, text throws(QuestionError) in question.threads = try count(text, .threads, from: 1) },
  ]
}

// How texts become values.

extension QuestionField {
  private static func parsed<Value>(
    _ name: Name, _ parse: () throws(PredicateSyntaxError) -> Value
  ) throws(QuestionError) -> Value {
    do throws(PredicateSyntaxError) { return try parse() } catch { throw QuestionError(name, error) }
  }

  private static func day(_ text: String, _ name: Name) throws(QuestionError) -> TradingDay {
    guard let day = TradingDay(text) else {
      throw QuestionError(
        name, text: "'\(text.shownInErrors)' isn't a date; write it as YYYY-MM-DD, such as 2005-10-14")
    }
    return day
  }

  private static func dayMark(_ text: String, _ name: Name) throws(QuestionError) -> DayMark {
    guard let mark = DayMark(text) else {
      throw QuestionError(
        name,
        text:
          "'\(text.shownInErrors)' isn't a date; write it as YYYY-MM-DD, such as 2005-10-14, or as last, last - 30 days, -1y"
      )
    }
    return mark
  }

  private static func flag(_ text: String, _ name: Name) throws(QuestionError) -> Bool {
    guard let flag = Bool(flag: text) else {
      throw QuestionError(name, text: "'\(text.shownInErrors)' is neither true nor false")
    }
    return flag
  }

  private static func count(_ text: String, _ name: Name, from least: Int) throws(QuestionError) -> Int {
    guard let count = Int(text), count >= least else {
      throw QuestionError(name, text: "'\(text.shownInErrors)' isn't a whole number from \(least) on")
    }
    return count
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ text: String, _ name: Name, among choices: [Choice]
  ) throws(QuestionError) -> Choice {
    if let choice = choices.first(where: { $0.rawValue == text.lowercased() }) { return choice }
    throw unknown(text, name, among: choices.map(\.rawValue))
  }

  /// The error that a text isn't one of some words.
  private static func unknown(_ text: String, _ name: Name, among words: [String]) -> QuestionError {
    let question = Suggestion.question(for: text, among: words).map { "; \($0)" } ?? ""
    return QuestionError(
      name, text: "'\(text.shownInErrors)' isn't one of \(words.joined(separator: ", "))\(question)")
  }

  private static func columns(
    _ text: String, _ names: Definitions
  ) throws(QuestionError) -> [QuoteFormatter.Column.Listed] {
    do throws(QuoteFormatter.Column.ListError) {
      return try QuoteFormatter.Column.list(parsing: text, names)
    } catch {
      switch error {
      case .syntax(let error): throw QuestionError(.columns, error)
      case .unknown(let name):
        let hint =
          LanguageReference.advice(on: name)
          ?? Suggestion.hint(for: String(name.prefix(40)), among: QuoteFormatter.Column.all.map(\.name))
        throw QuestionError(.columns, text: "unknown column '\(name.shownInErrors)'; \(hint)")
      case .repeated(let name, let expression):
        throw QuestionError(
          .columns, text: "\(QuoteFormatter.Column.ListError.repetition(of: name.shownInErrors, expression))")
      }
    }
  }
}

extension Bool {
  /// What the text of a flag says; nil if it says neither.
  package init?(flag text: String) {
    switch text.lowercased() {
    case "true", "1", "yes", "on": self = true
    case "false", "0", "no", "off": self = false
    default: return nil
    }
  }
}

extension String {
  /// What an error shows of a text from outside.
  package var shownInErrors: String { String(prefix(40)).replacing(controlsWith: " ") }

  /// The text without the spaces around it.
  fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
