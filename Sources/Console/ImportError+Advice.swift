import Quoin

extension ImportError {
  /// The options of `quoin import` that help.
  var importAdvice: String {
    switch self {
    case .noTicker, .badTicker: ": --ticker FDX"
    case .otherTicker: "; leave --ticker out"
    case .rejected(let rows): Self.advice(for: rows)
    case .noDateColumn: "; --map Day=date says which column holds it, --skip-lines that the header comes later"
    case .unknownDateColumn(_, _, let column, _): "; if it does: \(Self.map(column, "date"))"
    case .noValueColumn(_, let header): Self.advice(forHeader: header)
    case .missingPrices(_, _, let missing, let unknown):
      "; say what they hold, such as \(Self.map(Self.likeliest(unknown).name, missing.count > 1 ? "close" : missing[0].wikiName)), or that they hold nothing: "
        + unknown.prefix(3).map { "--ignore \($0.name.shellWord)" }.joined(separator: " ")
    case .noHeader(_, _, let guess): Self.advice(forColumns: guess)
    case .namelessCells(_, _, let count): Self.advice(forColumns: (0..<count).map { "x\($0 + 1)" })
    case .ambiguousDates(_, let example, _): ": \(Self.dateFormats(like: example))"
    case .ambiguousNumbers: ": --decimal . or --decimal ,"
    case .foreignMidnights: ": --time-zone Asia/Tokyo, or --time-zone UTC for the days as they are written"
    case .severalInstruments(_, let column, _):
      "; \(Self.map(column, "ticker")) takes them for tickers, and --ticker names the one that all rows belong to"
    case .severalTimesADay:
      "; --bars-to-days makes days of them, --time-zone says of which zone"
    case .store(.inexactVolume): ": --round-volumes"
    case .otherBars, .secondHeader, .spellingsOfTicker, .message: ""
    default: ""
    }
  }

  /// Skipping is no advice where all bad cells have one form: it would leave out just these rows.
  private static func advice(for rows: BadRows) -> String {
    let skipping = rows.skippingHelps ? " with --skip-bad-rows" : ""
    if rows.first.allSatisfy(\.isOfNegativeVolume), let value = rows.first.first?.value {
      return "\(skipping); if \(value) stands for a missing volume: --missing=\(value)"
    }
    for (sign, name, option) in [("/", "slash", "/=-"), (" ", "space", "' =-'")]
    where rows.first.allSatisfy({ $0.isOfNoTicker && $0.value.contains(sign) }) {
      return "\(skipping); --ticker-sign \(option) puts a hyphen for the \(name)"
    }
    let mayCountLater =
      rows.skippingHelps && rows.first.contains(where: \.repeatsDay) && !rows.first.contains(where: \.isToldApart)
    return skipping + (mayCountLater ? ", or let later rows count with --last-wins" : "")
  }

  /// The names of columns, for the caller to complete: a guess of the order of prices would be copied.
  private static func advice(forColumns names: [String]) -> String {
    let isComplete = !names.contains { $0.hasPrefix("x") }
    return ": --no-header --columns \(names.joined(separator: ","))"
      + (isComplete ? "" : ", with date, open, high, low, close, volume in place of each x that is one")
  }

  private static func advice(forHeader header: String) -> String {
    header.contains(",") || header.contains(";") || header.contains("\t")
      ? "; --map Last=close says what a column holds, and --wide close that there is a column for each ticker"
      : "; --map Last=close says what a column holds"
  }

  /// The column of those that aren't known which looks most like prices.
  private static func likeliest(_ columns: [UnknownColumn]) -> UnknownColumn {
    columns.first { $0.look?.kind == .prices } ?? columns[0]
  }

  private static func dateFormats(like example: String) -> String {
    DatePattern.patterns(like: example).map { "--date-format \($0)" }.joined(separator: " or ")
  }

  private static func map(_ column: String, _ what: String) -> String { "--map \("\(column)=\(what)".shellWord)" }
}

extension String {
  /// A word as a shell reads it.
  package var shellWord: String {
    let isPlain =
      !isEmpty && utf8.allSatisfy { "=_-./,:".utf8.contains($0) || 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 }
    return isPlain ? self : "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
