/// The rows of some arrays of a document that is read again, part by part, in their order.
struct JSONRowStream: ~Copyable {
  /// Some rows of an array that follow each other.
  struct Part {
    /// How many arrays of the document begin before theirs.
    let array: Int
    /// The rows, with commas between them.
    let text: TextChunk
  }

  private var lines: LineReader
  private var walker: JSONWalker
  private var collector: Collector
  private var goesOn = true

  /// - Parameters:
  ///   - lines: the text from its beginning.
  ///   - arrays: how many arrays begin before each wanted one.
  init(_ lines: consuming LineReader, arrays: Set<Int>) {
    walker = JSONWalker(file: lines.file)
    self.lines = lines
    collector = Collector(arrays)
  }

  /// The number of bytes of text that were read.
  var byteCount: Int { lines.byteCount }

  /// The next rows; nil after the last.
  mutating func next() throws(ImportError) -> Part? {
    while collector.parts.isEmpty, goesOn { goesOn = try walker.walk(&lines, &collector) }
    return collector.parts.isEmpty ? nil : collector.parts.removeFirst()
  }

  private struct Collector: JSONVisitor {
    private let wanted: Set<Int>
    /// The frame of the wanted array that is open, and where the rows begin that weren't taken.
    private var open: (frame: Int, array: Int, start: Int)?
    var parts: [Part] = []

    init(_ wanted: Set<Int>) {
      self.wanted = wanted
      if wanted.contains(0) { open = (0, 0, 0) }
    }

    mutating func open(_ frames: [JSONWalker.Frame]) {
      guard open == nil, let frame = frames.last, let array = frame.array, wanted.contains(array) else { return }
      open = (frames.count - 1, array, frame.start + 1)
    }

    mutating func close(_ frames: [JSONWalker.Frame], end: Int, _ piece: JSONWalker.Piece) {
      guard open?.frame == frames.count - 1 else { return }
      take(upTo: end - 1, piece)
      open = nil
    }

    mutating func endPiece(_ walker: JSONWalker, end: Int, _ piece: JSONWalker.Piece) -> Int {
      guard let row = open.map({ $0.frame + 1 }) else { return end }
      let end = row < walker.frames.count ? walker.frames[row].start : end
      take(upTo: end, piece)
      open?.start = end
      return end
    }

    private mutating func take(upTo end: Int, _ piece: JSONWalker.Piece) {
      guard let (_, array, start) = open, start < end else { return }
      let text = TextChunk(capacity: end - start)
      text.append(piece.part(start..<end))
      text.end(at: end - start)
      parts.append(Part(array: array, text: text))
    }
  }
}
