import ArgumentParser
import Charts
import Console
import Quoin

/// The options that say what a chart shows.
struct ChartContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "\(ChartQuestion.Kind.allCases.map(\.rawValue).joined(separator: ", ")) (default: candles, or line for several tickers "
        + "and with --of).", valueName: "kind"),
    completion: .list(ChartQuestion.Kind.allCases.map(\.rawValue)))
  var kind: String?

  @Option(
    help: ArgumentHelp(
      "Bars of weeks, months or longer: week, month, quarter, half-year or year.", valueName: "period"),
    completion: .list(CalendarPeriod.barLengths))
  var by: String?

  @Flag(help: "Draw adjusted prices and volumes. Expressions stay as they are: write 'mean(adj_close, 20)' in them.")
  var adjusted = false

  @Flag(name: .customLong("log"), help: "Draw prices on a logarithmic scale.")
  var isLogarithmic = false

  @Flag(name: .customLong("no-volume"), help: "Leave out the volume.")
  var hidesVolume = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What is drawn in place of the close; in histograms and scatter plots, in place of 'change(close)'.",
      valueName: "expr"))
  var of: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What a scatter plot has from left to right (default: the second ticker's value, or the one of the row before).",
      valueName: "expr"))
  var against: String?

  @Option(
    name: .customLong("overlay"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Draw this over the prices, such as 'mean(close, 20)'; may be repeated.", valueName: "expr"))
  var overlays: [String] = []

  @Option(
    name: .customLong("band"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Shade what lies between two values, such as 'min(low, 20), max(high, 20)'; may be repeated.",
      valueName: "expr, expr"))
  var bands: [String] = []

  @Option(
    name: .customLong("panel"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Draw this in a panel of its own, such as 'rsi(close, 14)'; may be repeated.", valueName: "expr")
  )
  var panels: [String] = []

  @Option(
    name: .customLong("mark"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Mark the days that meet this condition, such as 'close / prev(close) < 0.93'; may be repeated.",
      valueName: "expr"))
  var marks: [String] = []

  @Flag(help: "Mark splits with S.")
  var splitMarks = false

  @Flag(help: "Mark dividends with D.")
  var dividendMarks = false

  /// The question to a store, without a condition.
  func question(of tickers: [TickerSymbol], _ names: Definitions) throws -> ChartQuestion {
    var question = ChartQuestion(tickers: tickers)
    question.kind = try kind.map(Self.kind)
    (question.isAdjusted, question.isLogarithmic, question.hasVolume) = (adjusted, isLogarithmic, !hidesVolume)
    (question.marksSplits, question.marksDividends) = (splitMarks, dividendMarks)
    question.value = try of.map { try Self.value($0, "--of", names) }
    question.against = try against.map { try Self.value($0, "--against", names) }
    question.overlays = try overlays.map { try Self.value($0, "--overlay", names) }
    question.panels = try panels.map { try Self.value($0, "--panel", names) }
    question.bands = try bands.map { try Self.band($0, names) }
    question.marks = try marks.map { ($0, try Predicate.parsing($0, names).predicate) }
    question.rowNoun = "\(by ?? CalendarPeriod.day.rawValue)s"
    try check(question)
    return question
  }

  private static func kind(_ name: String) throws -> ChartQuestion.Kind {
    guard let kind = ChartQuestion.Kind(rawValue: name.lowercased()) else {
      throw UsageError.unknownName(name, what: "kind", among: ChartQuestion.Kind.allCases.map(\.rawValue))
    }
    return kind
  }

  private static func value(_ text: String, _ option: String, _ names: Definitions) throws -> ChartQuestion.Value {
    let values = try self.values(text, option, names)
    guard values.count == 1 else {
      throw UsageError("\(option) '\(text)' has several expressions; give it once for each")
    }
    return values[0]
  }

  private static func band(
    _ text: String, _ names: Definitions
  ) throws -> (lower: ChartQuestion.Value, upper: ChartQuestion.Value) {
    let values = try self.values(text, "--band", names)
    guard values.count == 2 else {
      throw UsageError(
        "--band '\(text)' isn't two expressions with a comma between them, such as 'min(low, 20), max(high, 20)'")
    }
    return (values[0], values[1])
  }

  private static func values(
    _ text: String, _ option: String, _ names: Definitions
  ) throws -> [ChartQuestion.Value] {
    try OptionNames.columns(text, of: option, names).map { column, expression in
      if let expression { return ChartQuestion.Value(column.name, expression) }
      return ChartQuestion.Value(column.name, try QuoteExpression(parsing: column.name))
    }
  }

  /// Throws when an option is of another kind of chart.
  private func check(_ question: ChartQuestion) throws {
    let hasNoDays = question.kind == .histogram || question.kind == .scatter
    let ofOne = [
      ("--overlay", !overlays.isEmpty), ("--band", !bands.isEmpty), ("--mark", !marks.isEmpty),
      ("--split-marks", splitMarks), ("--dividend-marks", dividendMarks),
    ]
    for (option, isGiven) in ofOne + [("--panel", hasNoDays && !panels.isEmpty), ("--log", hasNoDays && isLogarithmic)]
    where isGiven {
      if hasNoDays {
        throw UsageError("a \(question.kind?.rawValue ?? "") has no time axis; remove \(option)")
      }
      if question.tickers.count > 1, option != "--panel", option != "--log" {
        throw UsageError("\(option) applies to one ticker, and there are \(question.tickers.count); leave it out")
      }
    }
    if question.tickers.count > 1, let kind = question.kind, ![.line, .histogram, .scatter].contains(kind) {
      throw UsageError("--kind \(kind.rawValue) draws one ticker; several are lines: leave --kind out")
    }
    if question.kind == .scatter, question.tickers.count > 2 {
      throw UsageError("--kind scatter draws one ticker or two, and there are \(question.tickers.count)")
    }
    if against != nil, question.kind != .scatter { throw UsageError("--against requires --kind scatter") }
    if of != nil, question.kind == .candles || question.kind == .ohlc {
      throw UsageError("--of is a line; --kind \(question.kind?.rawValue ?? "") draws prices: leave one of them out")
    }
  }
}
