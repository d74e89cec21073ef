import Quoin

/// Options of other programs, which the user may have meant.
enum ForeignOptions {
  private static let names = [
    "--sort": "--order", "--sort-by": "--order", "--order-by": "--order", "--orderby": "--order", "--group-by": "--by",
    "--groupby": "--by", "--group": "--by", "--select": "--columns", "--fields": "--columns", "--cols": "--columns",
    "--filter": "--where", "--head": "--limit", "--max-rows": "--limit", "--skip": "--offset", "--agg": "--aggregate",
    "--since": "--from", "--start": "--from", "--until": "--to", "--end": "--to",
    "--last": "--latest, the last row of each ticker; the last 5 rows of one are --order desc --limit 5",
    "--db": "--store",
  ]

  /// The message without a guess that is far from what was written: ArgumentParser has '--from' for '--json'.
  private static func withoutFarGuess(_ message: String) -> String {
    guard let guess = message.prefixMatch(of: #/(Unknown option '-+([^'\n]*)')\. Did you mean '-+([^'\n]*)'\?/#),
      Suggestion.nearestName(to: String(guess.2), among: [String(guess.3)]) == nil
    else { return message }
    return String(guess.1) + message[guess.range.upperBound...]
  }

  /// The message that an option is unknown, with the one that was meant.
  static func explained(_ message: String) -> String {
    let message = withoutFarGuess(message)
    let beginning = "Unknown option '"
    let isOfScan = ["scan", "resample", "join"].contains { message.contains("Usage: quoin \($0)") }
    guard isOfScan, message.hasPrefix(beginning), let end = message.dropFirst(beginning.count).firstIndex(of: "'")
    else { return message }
    let option = message[..<end].dropFirst(beginning.count)
    guard let name = names[String(option)] else { return message }
    let line = message.prefix { $0 != "\n" }
    return "there is no option '\(option)'; Quoin calls it \(name)" + message.dropFirst(line.count)
  }
}
