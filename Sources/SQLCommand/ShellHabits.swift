/// What people type who know other shells: sqlite3's commands, psql's, those of MySQL and DuckDB, and words without a dot.
enum ShellHabits {
  /// The shell's own command for a line; nil for a statement.
  static func command(of line: String) -> String? {
    let text = line.drop { $0.isWhitespace }.prefix { $0 != ";" }
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else { return nil }
    let typed = words.map { $0.lowercased() }
    for (habit, command) in habits where typed.starts(with: habit) {
      let rest = words.dropFirst(habit.count)
      // A statement may begin so: `describe` is none of SQLite's, but `help` could be a table's name.
      if rest.count <= 1 { return ([command] + rest).joined(separator: " ") }
    }
    return first.hasPrefix(".") ? String(text) : nil
  }

  private static let habits: [([String], String)] = [
    ([".mode"], ".format"), ([".schema"], ".columns"), ([".exit"], ".quit"), (["quit"], ".quit"), (["exit"], ".quit"),
    (["\\q"], ".quit"),
    (["help"], ".help"), (["\\?"], ".help"), (["?"], ".help"), (["show", "tables"], ".tables"), (["\\dt"], ".tables"),
    (["describe"], ".columns"), (["desc"], ".columns"), (["show", "columns", "from"], ".columns"),
    (["\\d"], ".columns"),
    (["\\timing"], ".timer"), (["\\i"], ".read"),
  ]

  /// What does the work of a command that the shell doesn't have.
  static let elsewhere = [
    ".import": "rows come into the store by 'quoin import FILE', and into tables of your own by 'insert into'",
    ".open": "the store and the database are named at the beginning: quoin sql --store DIR --database FILE",
    ".output": "answers go to a file by quoin sql --output FILE \"select ...\"",
    ".once": "an answer goes to a file by quoin sql --output FILE \"select ...\"",
    ".headers": "every format has its header; csv and tsv begin with one",
  ]
}
