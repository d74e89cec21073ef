/// Options of other programs, which the user may have meant.
enum ForeignOptions {
  private static let names = [
    "--sort": "--order", "--sort-by": "--order", "--order-by": "--order", "--orderby": "--order", "--group-by": "--by",
    "--groupby": "--by", "--group": "--by", "--select": "--columns", "--fields": "--columns", "--cols": "--columns",
    "--filter": "--where", "--head": "--limit", "--max-rows": "--limit", "--skip": "--offset", "--agg": "--aggregate",
    "--since": "--from", "--start": "--from", "--until": "--to", "--end": "--to", "--last": "--latest",
    "--db": "--store",
  ]

  /// The message that an option of a scan is unknown, with the one that was meant.
  static func explained(_ message: String) -> String {
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
