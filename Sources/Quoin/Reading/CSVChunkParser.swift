import Synchronization

/// The rows of a piece of CSV, with the piece's first line as line 1.
struct ParsedPiece: Sendable {
  var rows: [ParsedRows] = []
  var lineCount = 0
  /// Why the parsing ended early, if it did.
  var error: ImportError?
}

/// Parses pieces of CSV, on any thread.
final class CSVPieceParser: Sendable {
  private let parser: CSVRowParser
  /// Room for rows that is not in use: to make it anew for each piece would take more time than to parse some rows.
  private let idle = Mutex<[ParsedRows]>([])

  init(_ parser: CSVRowParser) { self.parser = parser }

  /// Parses the lines of `piece` from byte `start` on. A pure function.
  func parse(_ piece: TextPiece, from start: Int = 0) -> ParsedPiece {
    defer { withExtendedLifetime(piece) {} }
    var text = unsafe UnsafeRawBufferPointer(rebasing: piece.text[start...])
    var result = ParsedPiece()
    do throws(ImportError) {
      while unsafe !text.isEmpty {
        let rows = idle.withLock { $0.popLast() } ?? ParsedRows()
        result.rows.append(rows)
        let (byteCount, lineCount) = try unsafe parser.parse(text, firstLine: result.lineCount + 1, into: rows)
        unsafe text = UnsafeRawBufferPointer(rebasing: text[byteCount...])
        result.lineCount += lineCount
      }
    } catch { result.error = error }
    return result
  }

  /// Takes back rows that were taken out of a piece.
  func recycle(_ rows: ParsedRows) { idle.withLock { $0.append(rows) } }
}

extension ImportError {
  /// The error of a piece that begins after so many lines of the file.
  func moved(byLines count: Int) -> ImportError {
    guard case .lineTooLong(let file, let line, let limit) = self else { return self }
    return .lineTooLong(file: file, line: line + count, byteCountMax: limit)
  }
}
