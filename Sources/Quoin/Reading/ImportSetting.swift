#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Something that a text says of how files are read: an option of a command, a field of a page.
package enum ImportSetting: String, CaseIterable, Sendable {
  case format, ticker
  case tickerFrom = "ticker-from"
  case map, ignore, columns
  case dateFormat = "date-format"
  case timeZone = "time-zone"
  case decimal, thousands, missing, delimiter, comment
  case skipLines = "skip-lines"
  case wide
  case tickerSign = "ticker-sign"

  /// Why a text says nothing of the kind; a part of a sentence.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
  }

  /// Puts what the text says into the options. Some settings may be set several times, and then add up.
  package func set(_ text: String, in options: inout ImportOptions) throws(Fault) {
    switch self {
    case .format: options.format = try Self.format(text)
    case .ticker: options.ticker = try Self.ticker(text)
    case .tickerFrom: options.tickerPattern = try Self.fileNames(text)
    case .map: try Self.addUse(text, in: &options)
    case .ignore: options.columnUses[text] = .ignored
    case .columns: options.columnNames = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    case .dateFormat: options.dateFormat = try Self.pattern(text)
    case .timeZone: options.timeZone = try Self.zone(text)
    case .decimal: options.decimalMark = try Self.sign(text, among: ".,")
    case .thousands: options.groupingMark = try Self.sign(text, among: ".,' ")
    case .missing: options.missingWords.formUnion(text.split(separator: ",").map(String.init))
    case .delimiter: options.delimiter = try Self.delimiter(text)
    case .comment: options.comment = text
    case .skipLines: options.skippedLineCount = try Self.count(text)
    case .wide: options.wideAttribute = try Self.attribute(text, among: [])
    case .tickerSign: try Self.addSign(text, in: &options)
    }
    if let mark = options.decimalMark, mark == options.groupingMark {
      throw Fault("'\(mark)' can't be before fractions and group digits too")
    }
  }

  private static func format(_ text: String) throws(Fault) -> QuoteFormat {
    if let known = QuoteFormat(rawValue: text.lowercased()) { return known }
    throw unknown(text, "import format", QuoteFormat.allCases.map(\.rawValue))
  }

  private static func ticker(_ text: String) throws(Fault) -> TickerSymbol {
    do throws(TickerSymbolError) { return try TickerSymbol(text) } catch { throw Fault("\(error)") }
  }

  private static func fileNames(_ text: String) throws(Fault) -> FileNamePattern {
    if let pattern = FileNamePattern(text) { return pattern }
    throw Fault("it needs {ticker} once, such as in '{ticker}-{year}'")
  }

  private static func attribute(_ text: String, among more: [String]) throws(Fault) -> Attribute {
    if let attribute = Attribute(named: text) { return attribute }
    throw unknown(text, "attribute", Attribute.allCases.map(\.wikiName) + more)
  }

  private static func addUse(_ text: String, in options: inout ImportOptions) throws(Fault) {
    guard let equals = text.lastIndex(of: "=") else {
      throw Fault("write the column, an equals sign, and what it holds: Last=close")
    }
    let (name, what) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
    switch what.lowercased() {
    case "ticker": options.columnUses[name] = .ticker
    case "date": options.columnUses[name] = .date
    case "ignore", "ignored": options.columnUses[name] = .ignored
    default: options.columnUses[name] = .attribute(try attribute(what, among: ["ticker", "date", "ignore"]))
    }
  }

  private static func pattern(_ text: String) throws(Fault) -> DatePattern {
    if let pattern = DatePattern(text) { return pattern }
    if let unknown = DatePattern.unknownDirective(in: text) {
      throw Fault("\(unknown) isn't known; a time behind the day is left out by itself")
    }
    throw Fault("it needs a year (%Y or %y), a month (%m or %b) and a day (%d)")
  }

  private static func zone(_ text: String) throws(Fault) -> TimeZone {
    if let zone = TimeZone(identifier: text) { return zone }
    throw unknown(text, "time zone", ["UTC", "Asia/Tokyo", "Europe/London", "America/New_York"])
  }

  private static func sign(_ text: String, among signs: String) throws(Fault) -> Character {
    if text.count == 1, let sign = text.first, signs.contains(sign) { return sign }
    throw Fault("must be one of \(signs.map { $0 == " " ? "a space" : String($0) }.joined(separator: " "))")
  }

  private static func delimiter(_ text: String) throws(Fault) -> Character {
    switch text.lowercased() {
    case "tab", "\\t", "\t": return "\t"
    case "space", "spaces", " ": return " "
    case "comma": return ","
    case "semicolon": return ";"
    case "pipe", "bar": return "|"
    default: break
    }
    if text.count == 1, let sign = text.first, sign.isASCII, !sign.isLetter, !sign.isNumber, !"\"\n\r".contains(sign) {
      return sign
    }
    throw Fault("must be one sign, or tab or space")
  }

  private static func count(_ text: String) throws(Fault) -> Int {
    if let count = Int(text), count >= 0 { return count }
    throw Fault("must be a number that is at least 0")
  }

  private static func addSign(_ text: String, in options: inout ImportOptions) throws(Fault) {
    let parts = Array(text)
    guard parts.count == 3, parts[1] == "=", parts[0] != parts[2] else {
      throw Fault("write the sign of the file, an equals sign, and what takes its place: '/=-'")
    }
    options.tickerSigns[parts[0]] = parts[2]
  }

  private static func unknown(_ name: String, _ what: String, _ names: [String]) -> Fault {
    Fault("there is no \(what) '\(name)'; \(Suggestion.hint(for: name, among: names))")
  }
}

extension ImportExplanation.Finding.Subject {
  /// What changes it, in the words of its `Finding.setting`; nil if nothing does.
  package var importSetting: ImportSetting? {
    switch self {
    case .form: .format
    case .packing, .encoding: nil
    case .separator: .delimiter
    case .header: .skipLines
    case .days: .dateFormat
    case .zone: .timeZone
    case .decimal: .decimal
    case .thousands: .thousands
    case .ticker: .ticker
    }
  }
}
