import ArgumentParser
import Console
import Foundation
import Quoin

/// What the text of a file doesn't say of its form.
struct TextFormOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A column that holds nothing of a quote's; may be repeated.", valueName: "column"))
  var ignore: [String] = []

  @Option(
    help: ArgumentHelp(
      "The sign before the fraction of a number: . or , (default: found out by all numbers).", valueName: "sign"))
  var decimal: String?

  @Option(help: ArgumentHelp("The sign that groups the digits of a number, such as , or . or '.", valueName: "sign"))
  var thousands: String?

  @Option(
    help: ArgumentHelp("Further words for a cell without a value, such as --missing=-1,-99.", valueName: "a,b"))
  var missing: String?

  @Option(help: ArgumentHelp("Pass over so many lines before the header.", valueName: "n"))
  var skipLines: Int?

  @Option(
    help: ArgumentHelp("What lines before the header begin with that are passed over (default: #).", valueName: "text"))
  var comment: String?

  @Option(
    help: ArgumentHelp(
      "The sign between cells: , ; | tab or space (default: found out by the header).", valueName: "sign"))
  var delimiter: String?

  @Option(
    help: ArgumentHelp(
      "The zone whose days count, where times are those of UTC, such as Asia/Tokyo.", valueName: "zone"))
  var timeZone: String?

  @Option(
    help: ArgumentHelp("The table has a column for each ticker, which holds this attribute.", valueName: "attribute"))
  var wide: String?

  @Flag(help: "Round volumes that have a fraction.")
  var roundVolumes = false

  @Flag(
    help: "Make days of bars of minutes or hours: first open, highest high, lowest low, last close, sum of volumes.")
  var barsToDays = false

  @Flag(help: "Store each split ratio as 1, because the prices have the splits already, like Yahoo's.")
  var splitsInPrices = false

  @Option(
    help: ArgumentHelp("Replace a sign of the files' tickers by another one, such as '/=-'.", valueName: "sign=sign"))
  var tickerSign: [String] = []

  func apply(to options: inout ImportOptions) throws {
    options.decimalMark = try decimal.map { try Self.sign($0, "--decimal", among: ".,") }
    options.groupingMark = try thousands.map { try Self.sign($0, "--thousands", among: ".,' ") }
    if let mark = options.decimalMark, mark == options.groupingMark {
      throw UsageError("--decimal \(mark) --thousands \(mark): one sign can't be both")
    }
    options.missingWords = Set(missing?.split(separator: ",").map(String.init) ?? [])
    if let skipLines, skipLines < 0 { throw UsageError("--skip-lines \(skipLines): must be at least 0") }
    options.skippedLineCount = skipLines ?? 0
    options.comment = comment
    options.delimiter = try delimiter.map { try Self.delimiter($0) }
    options.roundsVolumes = roundVolumes
    options.makesDaysOfBars = barsToDays
    options.splitsAreInPrices = splitsInPrices
    options.timeZone = try timeZone.map { try Self.zone($0) }
    options.wideAttribute = try wide.map { name in
      guard let attribute = Attribute(named: name) else {
        throw UsageError.unknownName(name, what: "attribute", among: Attribute.allCases.map(\.wikiName))
      }
      return attribute
    }
    options.tickerSigns = try signs()
  }

  private static func sign(_ text: String, _ option: String, among signs: String) throws -> Character {
    guard text.count == 1, let sign = text.first, signs.contains(sign) else {
      throw UsageError(
        "\(option) '\(text)': must be one of \(signs.map { $0 == " " ? "a space" : String($0) }.joined(separator: " "))"
      )
    }
    return sign
  }

  private static func delimiter(_ text: String) throws -> Character {
    switch text.lowercased() {
    case "tab", "\\t", "\t": return "\t"
    case "space", "spaces", " ": return " "
    case "comma": return ","
    case "semicolon": return ";"
    case "pipe", "bar": return "|"
    default:
      guard text.count == 1, let sign = text.first, sign.isASCII, !sign.isLetter, !sign.isNumber,
        !"\"\n\r".contains(sign)
      else {
        throw UsageError("--delimiter '\(text)': must be one sign, or tab or space")
      }
      return sign
    }
  }

  private static func zone(_ name: String) throws -> TimeZone {
    if let zone = TimeZone(identifier: name) { return zone }
    let names = TimeZone.knownTimeZoneIdentifiers
    throw UsageError.unknownName(
      name, what: "time zone", among: names.isEmpty ? ["UTC", "Asia/Tokyo", "America/New_York"] : names)
  }

  private func signs() throws -> [Character: Character] {
    var signs: [Character: Character] = [:]
    for text in tickerSign {
      let parts = Array(text)
      guard parts.count == 3, parts[1] == "=", parts[0] != parts[2] else {
        throw UsageError(
          "--ticker-sign '\(text)': write the sign of the file, an equals sign, and what takes its place: '/=-'")
      }
      signs[parts[0]] = parts[2]
    }
    return signs
  }
}
