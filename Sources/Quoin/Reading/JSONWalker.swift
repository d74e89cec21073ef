/// Walks over a document that is read piece by piece, however long it is, and checks it on the way.
struct JSONWalker {
  /// An array or object that isn't closed yet, or the whole text, whose values count as an array's.
  struct Frame {
    /// Where it begins in the text.
    let start: Int
    /// How many arrays begin before it; nil for an object.
    let array: Int?
    /// Whether its first element is an array or object, so that its elements may be rows.
    var holdsRows = false
    /// Whether no array or object is in it.
    var isFlat = true
  }

  /// The bytes at hand, of which the first has the offset `start` in the text.
  struct Piece {
    let text: TextView
    let start: Int

    func part(_ range: Range<Int>) -> TextView { text.part((range.lowerBound - start)..<(range.upperBound - start)) }
    func node(at offset: Int) -> JSONNode { JSONNode(text, at: offset - start) }
  }

  let file: String
  /// The whole text, and what is open in it, down to the innermost.
  private(set) var frames = [Frame(start: 0, array: 0)]
  /// The number of values that follow each other.
  private(set) var valueCount = 0
  private var arrayCount = 1
  private var levels: [JSONChecker.Level] = []
  private var before = JSONFault.Before()
  /// Where the next step begins in the text; nil before the first.
  private var offset: Int?

  init(file: String) { self.file = file }

  /// How many elements of an array that is open have begun.
  func elementCount(ofFrame index: Int) -> Int { index == 0 ? valueCount : levels[index - 1].count }

  /// Goes over the bytes that were read ahead, and reads the next ones.
  ///
  /// - Returns: false after the last ones.
  mutating func walk(_ lines: inout LineReader, _ visitor: inout some JSONVisitor) throws(ImportError) -> Bool {
    let (passed, left, isWhole) = try lines.withTextAhead { (text, isWhole) throws(ImportError) in
      let end = try walk(Piece(text: text, start: before.byteCount), isWhole: isWhole, &visitor)
      let passed = end - before.byteCount
      before.pass(text.part(0..<passed))
      return (passed, text.count - passed, isWhole)
    }
    if isWhole { return false }
    lines.skip(passed)
    // What isn't whole is looked at again, so twice as much is read of it each time.
    try lines.readMore(byteCount: left)
    return true
  }

  /// Goes over a piece, up to what is needed again, which is returned.
  private mutating func walk(
    _ piece: Piece, isWhole: Bool, _ visitor: inout some JSONVisitor
  ) throws(ImportError) -> Int {
    let text = piece.text
    var checker = JSONChecker(
      text, from: offset.map { $0 - piece.start } ?? text.count - CSVHeader.withoutMark(text).count, in: levels,
      after: piece.start, goesOn: !isWhole)
    // The walker's own are the checker's meanwhile, so that there is no copy of them.
    levels = []
    while true {
      do throws(JSONFault) { guard try checker.step() else { break } } catch {
        throw .notJSON(file: file, detail: error.description(in: text, after: before))
      }
      if checker.levels.count == frames.count {
        open(at: piece.start + checker.offset - 1, checker.levels)
        visitor.open(frames)
      } else if checker.levels.count < frames.count - 1 {
        try visitor.close(frames, end: piece.start + checker.offset, piece)
        frames.removeLast()
      } else if frames.count == 1 {
        valueCount += 1
      }
    }
    levels = checker.levels
    let end = piece.start + checker.offset
    offset = end
    return try visitor.endPiece(self, end: end, piece)
  }

  private mutating func open(at start: Int, _ levels: [JSONChecker.Level]) {
    let parent = frames.count - 1
    if parent == 0 { valueCount += 1 }
    let isFirst = (parent == 0 ? valueCount : levels[parent - 1].count) == 1
    if isFirst, frames[parent].array != nil { frames[parent].holdsRows = true }
    frames[parent].isFlat = false
    let isArray = !levels[parent].isObject
    frames.append(Frame(start: start, array: isArray ? arrayCount : nil))
    if isArray { arrayCount += 1 }
  }
}

/// What is done with the values of a document on the way through it.
protocol JSONVisitor {
  /// An array or object has begun, the last of these.
  mutating func open(_ frames: [JSONWalker.Frame])

  /// The last of these has its end before `end`.
  mutating func close(_ frames: [JSONWalker.Frame], end: Int, _ piece: JSONWalker.Piece) throws(ImportError)

  /// A piece is checked up to `end`.
  ///
  /// - Returns: from where on it is needed again, together with the next one.
  mutating func endPiece(_ walker: JSONWalker, end: Int, _ piece: JSONWalker.Piece) throws(ImportError) -> Int
}
