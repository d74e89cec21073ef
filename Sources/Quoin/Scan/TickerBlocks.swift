/// The blocks of one ticker in order of days, each with the place of its first row among the ticker's rows.
struct TickerBlocks {
  private let blocks: [Candidate]
  /// Where each block's rows begin, and the number of all rows.
  private var starts = [0]

  /// - Parameters:
  ///   - ticker: the place of the ticker in the manifest.
  ///   - file: the file at a place in the manifest.
  init(_ manifest: Manifest, _ ticker: Int32, _ file: (Int) -> ColumnFile) {
    var blocks: [Candidate] = []
    for run in manifest.runs(ofTickerAt: Int(ticker)) {
      let file = file(run.fileIndex)
      for block in run.blocks {
        let rowCount = file.rowCount(block)
        blocks.append(
          Candidate(
            ticker: ticker, fileIndex: Int32(run.fileIndex), block: Int16(block), rowCount: Int16(rowCount),
            verdict: .all))
        starts.append(starts[starts.count - 1] + rowCount)
      }
    }
    self.blocks = blocks
  }

  var count: Int { blocks.count }

  /// The rows of block `index`.
  func rows(ofBlock index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

  /// The place of a block.
  func index(of candidate: Candidate) -> Int {
    let index = blocks.firstIndex { $0.block == candidate.block && $0.fileIndex == candidate.fileIndex }
    guard let index else { preconditionFailure("a block of another ticker") }
    return index
  }

  /// The blocks that have the rows on which values in the rows of `wanted` depend.
  func blocks(around wanted: Range<Int>, _ reach: Reach) -> Range<Int> {
    let firstRow = max(0, starts[wanted.lowerBound] - (reach.back ?? .max))
    let endRow = min(starts[blocks.count], starts[wanted.upperBound] + reach.ahead)
    let first = starts.partitioningIndex { $0 > firstRow } - 1
    return first..<starts.partitioningIndex { $0 >= endRow }
  }

  /// Some blocks.
  subscript(range: Range<Int>) -> ArraySlice<Candidate> { blocks[range] }

  /// All rows of some blocks.
  func selection(_ range: Range<Int>) -> Selection {
    var selection = Selection()
    for block in blocks[range] {
      selection.append(RowMask(first: Int(block.rowCount)), of: block, blockRowCount: Int(block.rowCount))
    }
    return selection
  }
}
