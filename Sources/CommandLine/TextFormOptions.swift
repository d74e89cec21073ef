import ArgumentParser
import Console
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

  @Flag(help: "Round volumes that have a fraction, which are stored exactly otherwise.")
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
    let texts: [(ImportSetting, [String])] = [
      (.ignore, ignore), (.decimal, [decimal].compactMap(\.self)), (.thousands, [thousands].compactMap(\.self)),
      (.missing, [missing].compactMap(\.self)), (.skipLines, [skipLines.map { "\($0)" }].compactMap(\.self)),
      (.comment, [comment].compactMap(\.self)), (.delimiter, [delimiter].compactMap(\.self)),
      (.timeZone, [timeZone].compactMap(\.self)), (.wide, [wide].compactMap(\.self)), (.tickerSign, tickerSign),
    ]
    if timeZone != nil { System.loadTimeZones() }
    for (setting, texts) in texts { for text in texts { try options.take(text, setting) } }
    options.roundsVolumes = roundVolumes
    options.makesDaysOfBars = barsToDays
    options.splitsAreInPrices = splitsInPrices
  }
}

extension ImportOptions {
  /// Takes what an option says.
  mutating func take(_ text: String?, _ setting: ImportSetting) throws {
    guard let text else { return }
    do throws(ImportSetting.Fault) { try setting.set(text, in: &self) } catch {
      throw UsageError("--\(setting.rawValue) '\(text)': \(error)")
    }
  }
}
