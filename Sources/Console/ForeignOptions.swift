import Quoin

/// Options and commands of other programs, which the user may have meant.
enum ForeignOptions {
  /// What a command calls an option of others: its name, or what follows it.
  private static let names = byForeignName([
    "--order": "--sort --sort-by --order-by --orderby", "--by": "--group-by --groupby --group",
    "--columns": "--select --fields --cols --attributes", "--where": "--filter --condition --query",
    "--limit": "--head --max-rows --rows -n -l", "--offset": "--skip", "--from": "--since --start --after --begin",
    "--to": "--until --end --before", "--store": "--db --database --dir -d", "--output": "--out --outfile --file -o",
    "--from and --to": "--date --day --between --range --year",
    "--aggregate 'sum(volume)'": "--agg --sum --avg --mean --max --min",
    "--format json": "--json", "--format csv": "--csv", "--format tsv": "--tsv",
    "--format markdown": "--md --markdown",
    "--format ndjson": "--ndjson --jsonl", "--columns 'date, adj_close'": "--adj --adjusted",
    "--latest, the last row of each ticker; the last 5 rows of one are --order desc --limit 5":
      "--last --tail --newest",
  ])

  private static let tickers: Set = ["--ticker", "--tickers", "--symbol", "--symbols", "-t", "-s"]

  /// What Quoin calls the commands of others.
  private static let commands = byForeignName([
    "import": "load add insert upsert ingest init new", "tickers": "list ls symbols",
    "scan": "show query select find search get cat print head filter",
    "chart": "plot graph draw", "delete": "drop rm remove", "sql": "shell repl console",
    "info": "status stat stats",
    "fetch": "download update", "serve": "server web start listen", "backup": "copy cp dump",
    "compact": "vacuum optimize",
    "check": "validate lint audit", "verify": "fsck", "rename": "mv", "resample": "bars ohlc weekly monthly",
    "diff": "compare", "periods": "history log", "--version": "version", "--help": "man usage",
  ])

  private static func byForeignName(_ lists: [String: String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: lists.flatMap { name, others in others.split(separator: " ").map { (String($0), name) } })
  }

  /// What Quoin calls a command of others.
  static func command(for name: String) -> String? { commands[name.lowercased()] }

  /// The message without a guess that is far from what was written: ArgumentParser has '--from' for '--json'.
  private static func withoutFarGuess(_ message: String) -> String {
    guard let guess = message.prefixMatch(of: #/(Unknown option '-+([^'\n]*)')\. Did you mean '-+([^'\n]*)'\?/#),
      Suggestion.nearestName(to: String(guess.2), among: [String(guess.3)]) == nil
    else { return message }
    return String(guess.1) + message[guess.range.upperBound...]
  }

  /// The message about an option with what was meant.
  ///
  /// - Parameter help: the help of the command, which says what options it has.
  static func explained(_ message: String, _ arguments: [String], help: @autoclosure () -> String) -> String {
    let message = withoutFarGuess(message)
    let firstLine = message.prefix { $0 != "\n" }
    func replaced(by text: String) -> String { text + message.dropFirst(firstLine.count) }
    if let option = firstLine.wholeMatch(of: #/Unknown option '(.*)'/#)?.1 {
      let help = help()
      if tickers.contains(String(option)), help.contains("<ticker>") {
        return replaced(by: "there is no option '\(option)'; tickers stand without one, as in 'quoin scan FDX KO'")
      }
      guard let name = names[String(option)], help.contains("  \(name.prefix { $0 != " " && $0 != "," }) ") else {
        return message
      }
      return replaced(by: "there is no option '\(option)'; Quoin calls it \(name)")
    }
    if let option = firstLine.wholeMatch(of: #/Missing value for '(\S+)( .*)?'/#)?.1,
      let place = arguments.firstIndex(of: String(option)), place + 1 < arguments.count,
      Double(arguments[place + 1]) != nil
    {
      return replaced(by: "'\(option)' takes no number below zero, such as \(arguments[place + 1])")
    }
    return message
  }
}
