import Synchronization

/// The rows of a chunk of CSV. Its first line counts as line 1.
struct ParsedChunk: Sendable {
  var rows: [ParsedRows] = []
  var lineCount = 0
  /// The error that ended the parsing early, if any.
  var error: ImportError?
}

/// Parses chunks of CSV, on any thread.
final class CSVChunkParser: Sendable {
  private let parser: CSVRowParser
  /// Unused room for rows: new room for each chunk would take longer than parsing some rows.
  private let idle = Mutex<[ParsedRows]>([])

  init(_ parser: CSVRowParser) { self.parser = parser }

  /// Room for the rows of a line, of which there are many if tickers stand beside each other.
  private var capacity: Int { max(ParsedRows.defaultCapacity, parser.header.wide.count) }

  /// Parses the lines of `chunk` from byte `start` on. A pure function.
  func parse(_ chunk: TextChunk, from start: Int = 0) -> ParsedChunk {
    chunk.withText { parse($0.part(from: start)) }
  }

  private func parse(_ text: TextView) -> ParsedChunk {
    var (offset, result) = (0, ParsedChunk())
    do throws(ImportError) {
      while offset < text.count {
        let rows = idle.withLock { $0.popLast() } ?? ParsedRows(capacity: capacity)
        rows.attributes = parser.header.plan.attributes
        result.rows.append(rows)
        let (byteCount, lineCount) = try parser.parse(
          text.part(from: offset), firstLine: result.lineCount + 1, into: rows)
        offset += byteCount
        result.lineCount += lineCount
      }
    } catch { result.error = error }
    return result
  }

  /// Takes back room whose rows were taken out.
  func recycle(_ rows: ParsedRows) { idle.withLock { $0.append(rows) } }
}

extension ImportError {
  /// The error, if the chunk begins after `count` lines of the file.
  func moved(byLines count: Int) -> ImportError {
    switch self {
    case .lineTooLong(let file, let line, let limit): .lineTooLong(file: file, line: line + count, byteCountMax: limit)
    case .secondHeader(let file, let line): .secondHeader(file: file, line: line + count)
    default: self
    }
  }
}
