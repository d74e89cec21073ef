import CLineEditor
import CSQLite3

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The connection whose statement Ctrl-C ends. Sound: set before the handler is, and never changed while a statement runs.
nonisolated(unsafe) private var interruptedConnection: OpaquePointer?

/// Lines that are typed on a terminal, with a history and completion.
enum LineEditor {
  // Sound throughout: texts live during the calls that take them, and those that come are copied and freed here.

  enum Line {
    case text(String)
    /// Ctrl-C.
    case cancelled
    /// Ctrl-D, or the end of the input.
    case end
  }

  /// What the tab key completes.
  enum Place {
    case words
    case quotes
    case commands

    fileprivate var list: Int32 {
      switch self {
      case .words: Int32(LINE_WORDS)
      case .quotes: Int32(LINE_NAMES)
      case .commands: Int32(LINE_COMMANDS)
      }
    }
  }

  static func offer(_ words: [String], in place: Place) {
    var texts = unsafe words.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    unsafe line_complete_with(place.list, &texts)
    for index in unsafe texts.indices { unsafe free(UnsafeMutablePointer(mutating: texts[index])) }
  }

  static func beginHistory(at path: String, max: Int) { unsafe line_begin_history(path, Int32(max)) }

  static func remember(_ entry: String, at path: String) { unsafe line_remember(entry, path) }

  static func read(_ prompt: String) -> Line {
    var isCancelled: Int32 = 0
    guard let typed = unsafe line_read(prompt, &isCancelled) else { return isCancelled == 1 ? .cancelled : .end }
    defer { unsafe free(typed) }
    return .text(unsafe String(cString: typed))
  }

  /// Has Ctrl-C end the statement that a database runs.
  static func endStatementsOnInterrupt(of database: Database) {
    unsafe interruptedConnection = database.connection
    line_on_interrupt {
      if let connection = unsafe interruptedConnection { unsafe sqlite3_interrupt(connection) }
    }
  }

  /// Whether a text ends with a whole statement.
  static func isComplete(_ text: String) -> Bool { unsafe sqlite3_complete(text) == 1 }
}
