import Deflate
import Quoin

/// Returns the next bytes, or nil at the end.
typealias PieceSource = () throws -> [UInt8]?

/// Rows as pieces of text, with the text before and after them.
///
/// - Parameter writeRows: appends the next rows to the text; returns false at the end.
func textPieces(
  _ text: RowText, head: String, tail: String, writeRows: @escaping (RowText) throws -> Bool
) -> PieceSource {
  text.append(head)
  var isOpen = true
  return {
    while isOpen {
      if let piece = text.takeChunk() { return piece }
      if try !writeRows(text) {
        isOpen = false
        text.append(tail)
        text.finish()
      }
    }
    return text.takeChunk()
  }
}

/// A zip of one file with these bytes.
func zipPieces(fileName: String, of contents: @escaping PieceSource) -> PieceSource {
  var zip = ZipStream(fileName: fileName)
  var isOpen = true
  var isFirst = true
  return {
    guard isOpen else { return nil }
    var piece = isFirst ? zip.head : []
    isFirst = false
    while piece.isEmpty, isOpen {
      if let bytes = try contents() {
        piece = zip.compress(bytes)
      } else {
        isOpen = false
        piece = zip.finish()
      }
    }
    return piece
  }
}

extension AnswerBody {
  /// The body of these pieces. The first two are made at once, so that the length of a short body is known and an early
  /// failure becomes an answer of its own.
  init(reading pieces: @escaping PieceSource) throws {
    let first = try pieces() ?? []
    guard let second = try pieces() else {
      self.init(first)
      return
    }
    var waiting = [second, first]
    self.init(pieces: { try waiting.popLast() ?? pieces() })
  }
}
