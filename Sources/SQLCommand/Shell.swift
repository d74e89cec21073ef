import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Statements and commands that are typed on a terminal.
struct Shell {
  private static let historyMax = 2000
  private static let help = """
    Statements of SQL end with ';'. Commands are
      .tables            the tables
      .columns TABLE     the columns of a table, or of quotes
      .read FILE         answers the statements of a file
      .timer on|off      whether the time that an answer takes is printed
      .format FORMAT     how answers are written: \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", "))
      .help              this
      .quit              the end; so is Ctrl-D
    Ctrl-C ends a statement, or drops what is typed. The tab key completes words, tables, columns and, in quotes, tickers.

    """

  private let database: Database
  private let parameters: [String: SQLValue]
  private let output: OutputOptions
  private var format: OutputFormat
  private let historyPath: String
  private var isTimed = false

  init(
    _ database: Database, _ tickers: [TickerSymbol], _ parameters: [String: SQLValue], _ output: OutputOptions,
    _ format: OutputFormat
  ) throws {
    (self.database, self.parameters, self.output, self.format) = (database, parameters, output, format)
    historyPath = Self.makeHistoryFolder() + "/history"
    LineEditor.offer(tickers.map(\.description), in: .quotes)
    LineEditor.offer(SQLWords.commands.map { String($0.dropFirst()) }, in: .commands)
    LineEditor.beginHistory(at: historyPath, max: Self.historyMax)
    LineEditor.endStatementsOnInterrupt(of: database)
  }

  /// The folder of what programs remember, by the rules of freedesktop.org.
  private static func makeHistoryFolder() -> String {
    let state = System.environment("XDG_STATE_HOME") ?? "\(System.environment("HOME") ?? ".")/.local/state"
    var path = state.hasPrefix("/") ? "" : "."
    let parts: [Substring] = state.split(separator: "/") + ["quoin"]
    for part in parts {
      path += "/\(part)"
      // One that is there stays; one that can't be made is a history that can't be written.
      try? System.makeDirectory(path)
    }
    return path
  }

  private func offerWords() {
    let names = database.tables + database.columns() + database.functions
    LineEditor.offer(Array(Set(SQLWords.keywords + names)).sorted(), in: .words)
  }

  /// Reads and answers until the end of the input.
  mutating func run() throws {
    try report(
      "Quoin \(Release.version), SQLite \(Database.version). The store is the table quotes; .help lists commands.")
    offerWords()
    var text = ""
    while true {
      switch LineEditor.read(text.isEmpty ? "quoin> " : "  ...> ") {
      case .end: return try report("")
      case .cancelled: text = ""
      case .text(let line):
        if text.isEmpty, line.allSatisfy(\.isWhitespace) { continue }
        let command = text.isEmpty ? ShellHabits.command(of: line) : nil
        text += (text.isEmpty ? "" : "\n") + line
        guard command != nil || LineEditor.isComplete(text) else { continue }
        LineEditor.remember(text, at: historyPath)
        if let command { if try obey(command) { return } } else { answer(text) }
        text = ""
      }
    }
  }

  private func answer(_ text: String) {
    let start = ContinuousClock.now
    defer { if isTimed { StandardStreams.writeError("\((ContinuousClock.now - start).asShortTime)\n") } }
    do {
      try output.withOutput { file in
        try database.forEachStatement(of: text, parameters) { try $0.write(format, styled: output.isStyled, to: file) }
      }
    } catch { StandardStreams.complain(error.sentence) }
    offerWords()
  }

  /// Carries out a command; true for the end.
  private mutating func obey(_ line: String) throws -> Bool {
    let words = line.split(separator: " ").map(String.init)
    do {
      switch (words[0], words.dropFirst().first) {
      case (".quit", nil): return true
      case (".help", _): try report(Self.help)
      case (".tables", nil): try report(database.tables.joined(separator: "\n"))
      case (".columns", let table):
        let columns = database.columns(of: table ?? "quotes")
        if columns.isEmpty { throw UsageError.unknownName(table ?? "quotes", what: "table", among: database.tables) }
        try report(columns.joined(separator: "\n"))
      case (".format", let name?): format = try OutputFormat(argument: name)
      case (".format", nil): try report(format.rawValue)
      case (".timer", let state?) where ["on", "off"].contains(state): isTimed = state == "on"
      case (".timer", nil): isTimed.toggle()
      case (".read", _?): answer(try Self.text(of: line.drop { $0 != " " }.dropFirst()))
      case (let word, _) where ShellHabits.elsewhere[word] != nil: throw UsageError(ShellHabits.elsewhere[word]!)
      default: throw UsageError.unknownName(words[0], what: "command", among: SQLWords.commands)
      }
    } catch let error as UsageError { StandardStreams.complain(error.sentence) }
    return false
  }

  private static func text(of path: some StringProtocol) throws(UsageError) -> String {
    do throws(SystemError) {
      let file = try System.open(String(path), O_RDONLY)
      defer { close(file) }
      return String(decoding: try System.readAll(file), as: UTF8.self)
    } catch { throw UsageError("cannot read '\(path)': \(systemMessage(error.code))") }
  }
}
