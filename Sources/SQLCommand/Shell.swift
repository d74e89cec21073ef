import CLineEditor
import CSQLite3
import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The connection whose statement Ctrl-C ends. Sound: set before the handler is, and never changed while a statement runs.
nonisolated(unsafe) private var interruptedConnection: OpaquePointer?

/// Statements and commands that are typed on a terminal.
struct Shell {
  private static let historyMax = 2000
  private static let help = """
    Statements of SQL end with ';'. Commands are
      .tables            the tables
      .columns TABLE     the columns of a table, or of quotes
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

  init(
    _ database: Database, _ tickers: [TickerSymbol], _ parameters: [String: SQLValue], _ output: OutputOptions,
    _ format: OutputFormat
  ) throws {
    (self.database, self.parameters, self.output, self.format) = (database, parameters, output, format)
    historyPath = Self.makeHistoryFolder() + "/history"
    offer(LINE_NAMES, tickers.map(\.description))
    offer(LINE_COMMANDS, ["tables", "columns", "format", "help", "quit"])
    unsafe line_begin_history(historyPath, Int32(Self.historyMax))
    unsafe interruptedConnection = database.connection
    line_on_interrupt { if let connection = unsafe interruptedConnection { unsafe sqlite3_interrupt(connection) } }
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

  /// Has the tab key complete words.
  private func offer(_ list: some BinaryInteger, _ words: [String]) {
    var texts = unsafe words.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    unsafe line_complete_with(Int32(list), &texts)
    for index in unsafe texts.indices { unsafe free(UnsafeMutablePointer(mutating: texts[index])) }
  }

  private func offerWords() {
    let names = database.tables + database.columns() + database.functions
    offer(LINE_WORDS, Array(Set(SQLWords.keywords + names)).sorted())
  }

  /// Reads and answers until the end of the input.
  mutating func run() throws {
    try report(
      "Quoin \(Release.version), SQLite \(Database.version). The store is the table quotes; .help lists commands.")
    offerWords()
    var text = ""
    while true {
      var isCancelled: Int32 = 0
      guard let typed = unsafe line_read(text.isEmpty ? "quoin> " : "  ...> ", &isCancelled) else {
        text = ""
        if isCancelled == 1 { continue }
        return try report("")
      }
      let line = unsafe String(cString: typed)
      unsafe free(typed)
      if text.isEmpty, line.allSatisfy(\.isWhitespace) { continue }
      if text.isEmpty, line.first == "." {
        unsafe line_remember(line, historyPath)
        if try obey(line) { return }
        continue
      }
      text += (text.isEmpty ? "" : "\n") + line
      guard unsafe sqlite3_complete(text) == 1 else { continue }
      unsafe line_remember(text, historyPath)
      answer(text)
      text = ""
    }
  }

  private func answer(_ text: String) {
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
      case (".quit", nil), (".exit", nil): return true
      case (".help", _): try report(Self.help)
      case (".tables", nil): try report(database.tables.joined(separator: "\n"))
      case (".columns", let table):
        let columns = database.columns(of: table ?? "quotes")
        if columns.isEmpty { throw UsageError.unknownName(table ?? "quotes", what: "table", among: database.tables) }
        try report(columns.joined(separator: "\n"))
      case (".format", let name?): format = try OutputFormat(argument: name)
      case (".format", nil): try report(format.rawValue)
      default: throw UsageError.unknownName(words[0], what: "command", among: SQLWords.commands)
      }
    } catch let error as UsageError { StandardStreams.complain(error.sentence) }
    return false
  }
}
