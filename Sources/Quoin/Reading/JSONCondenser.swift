/// A document without most of its rows: apart from its rows, it says the same.
///
/// An array of rows keeps its first ones, and of the later ones those that have a member of a new name. What may hold rows itself is
/// never left out.
struct JSONCondenser: JSONVisitor {
  /// An array of which elements were left out.
  struct Shortened {
    /// How many arrays begin before it.
    var number = 0
    /// How many elements it had, and how many of them come before the first that was left out.
    var count = 0
    var firstCount = 0
  }

  /// What is known of an array that is open.
  private struct Rows {
    /// Where it begins in the condensed text; nil if its elements are no rows.
    var start: Int?
    var names = JSONNames()
    var keptByteCount = 0
    var isShortened = false
    /// Whether its elements are rows although there are arrays and objects in them; nil as long as nobody asked.
    var leavesNestedOut: Bool?
    /// Whether its elements are names of columns; nil as long as nobody asked.
    var isListOfNames: Bool?
    /// Where its last element ends.
    var end = 0
    var shortened = Shortened()
  }

  /// The place of the sequence of all values.
  static let whole = -1

  let file: String
  private let options: ImportOptions
  private let tuning: ImportTuning
  private var text: TextChunk
  private var shortened: [Int: Shortened] = [:]
  /// What is known of each frame of the walk.
  private var rows = [Rows()]
  /// The text before is in the condensed text or was left out.
  private var copiedTo = 0

  init(_ options: ImportOptions, _ tuning: ImportTuning, file: String) {
    (self.file, self.options, self.tuning) = (file, options, tuning)
    text = TextChunk(capacity: 1 << 16)
  }

  mutating func open(_ frames: [JSONWalker.Frame]) {
    rows.append(Rows())
    let parent = frames.count - 2
    guard frames[parent].holdsRows, rows[parent].start == nil, let number = frames[parent].array else { return }
    rows[parent].start = parent == 0 ? Self.whole : text.byteCount + frames[parent].start - copiedTo
    rows[parent].shortened.number = number
  }

  mutating func close(_ frames: [JSONWalker.Frame], end: Int, _ piece: JSONWalker.Piece) throws(ImportError) {
    if let closed = rows.popLast() { finish(closed) }
    let parent = rows.count - 1
    guard rows[parent].start != nil, let frame = frames.last else { return }
    defer { rows[parent].end = end }
    rows[parent].shortened.count += 1
    if isKept(frame, in: parent, piece) {
      rows[parent].keptByteCount += end - frame.start
      if !rows[parent].isShortened { rows[parent].shortened.firstCount += 1 }
      return
    }
    // With the comma before it.
    if copiedTo < rows[parent].end { try append(piece.part(copiedTo..<rows[parent].end)) }
    rows[parent].isShortened = true
    copiedTo = end
  }

  /// Whether an element has to be there.
  private mutating func isKept(_ frame: JSONWalker.Frame, in parent: Int, _ piece: JSONWalker.Piece) -> Bool {
    let isObject = frame.array == nil
    guard rows[parent].shortened.count > 1, rows[parent].keptByteCount >= keptByteCountMax else {
      if isObject, frame.isFlat { rows[parent].names.insert(piece.node(at: frame.start)) }
      return true
    }
    if !frame.isFlat {
      guard isObject, frame.start >= piece.start, rows[parent].leavesNestedOut != false else { return true }
      let isTable = rows[parent].leavesNestedOut ?? isRow(piece.node(at: frame.start))
      rows[parent].leavesNestedOut = isTable
      if !isTable { return true }
    }
    guard isObject else { return false }
    if rows[parent].names.insert(piece.node(at: frame.start)) {
      rows[parent].isListOfNames = nil
      return true
    }
    let isList = rows[parent].isListOfNames ?? isListOfNames(rows[parent].names)
    rows[parent].isListOfNames = isList
    return isList
  }

  /// Whether objects say the names of columns, as in `{"name": "close", "type": "double"}`.
  private func isListOfNames(_ names: JSONNames) -> Bool {
    names.names.contains("name") && !JSONColumnName.plain(names.names).contains { ColumnRole(named: $0) == .date }
  }

  /// Bytes of rows that an array keeps: fewer where a document has very many arrays.
  private var keptByteCountMax: Int {
    text.byteCount < 8 * tuning.keptRowsByteCount ? tuning.keptRowsByteCount : tuning.keptRowsByteCount / 64
  }

  /// Whether an object is a row, whatever is in it besides.
  private func isRow(_ object: JSONNode) -> Bool {
    var names = JSONNames()
    names.insert(object)
    return (try? JSONTable(.object(object), names, at: JSONPlace(), options, file: file)) != nil
  }

  mutating func endPiece(_ walker: JSONWalker, end: Int, _ piece: JSONWalker.Piece) throws(ImportError) -> Int {
    let frames = walker.frames
    let first = frames.indices.dropFirst().first {
      isNeeded(frames[$0], isLast: $0 == frames.count - 1, in: $0 - 1, end)
    }
    let end = first.map { frames[$0].start } ?? end
    if copiedTo < end {
      try append(piece.part(copiedTo..<end))
      copiedTo = end
    }
    let leftByteCount = piece.start + piece.text.count - end
    if text.byteCount + leftByteCount > tuning.heldByteCountMax { throw tooLong }
    return end
  }

  /// Whether an element that isn't complete is needed as a whole.
  private mutating func isNeeded(_ frame: JSONWalker.Frame, isLast: Bool, in parent: Int, _ end: Int) -> Bool {
    guard rows[parent].start != nil else { return false }
    if isLast, frame.isFlat { return true }
    guard frame.array == nil, rows[parent].leavesNestedOut != false else { return false }
    if rows[parent].leavesNestedOut == nil {
      guard rows[parent].keptByteCount >= keptByteCountMax else { return false }
      // What is so long is no row.
      if end - frame.start > 4 * tuning.keptRowsByteCount { rows[parent].leavesNestedOut = false }
    }
    return rows[parent].leavesNestedOut != false
  }

  /// The whole document, condensed.
  ///
  /// - Parameter valueCount: the number of values that follow each other.
  mutating func finished(valueCount: Int) -> CondensedJSON {
    finish(rows[0])
    text.end(at: text.byteCount)
    return CondensedJSON(text: text, valueCount: valueCount, shortened: shortened)
  }

  private mutating func finish(_ closed: Rows) {
    if closed.isShortened, let start = closed.start { shortened[start] = closed.shortened }
  }

  private mutating func append(_ part: TextView) throws(ImportError) {
    guard text.byteCount + part.count <= tuning.heldByteCountMax else { throw tooLong }
    if text.byteCount + part.count > text.capacity {
      let larger = TextChunk(capacity: 2 * (text.byteCount + part.count))
      text.withText { larger.append($0) }
      text = larger
    }
    text.append(part)
  }

  private var tooLong: ImportError { .tooMuchBesideRows(file: file, byteCountMax: tuning.heldByteCountMax) }
}

/// What a long document says, without most of its rows.
struct CondensedJSON {
  let text: TextChunk
  /// The number of values that follow each other.
  let valueCount: Int
  /// The arrays of which elements were left out, by where they begin in the text.
  let shortened: [Int: JSONCondenser.Shortened]
}
