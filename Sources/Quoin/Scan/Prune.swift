/// What the statistics (zone maps) say of a block: no row matches, some may match, all match. In this order `and` is the
/// minimum of two verdicts, and `or` the maximum.
enum Verdict: UInt8, Sendable {
  case none, some, all
}

/// The verdicts on a range of blocks of one file.
struct FileVerdicts: Sendable {
  let file: ColumnFile
  /// The first of the blocks. A verdict's index is the distance of its block from this one.
  let firstBlock: Int
  /// The verdicts of each condition.
  private(set) var conditions: [[Verdict]] = []
  /// The verdicts of the whole predicate.
  private(set) var combined: [Verdict] = []
  /// The sum of each condition's verdicts: the less, the more rows the condition rules out. Empty for one condition.
  private(set) var weights: [Int] = []

  /// Judges the blocks `range` of a file. All of them are judged at once, because statistics are long flat arrays.
  init(
    _ filter: ScanFilter, _ conditions: [PreparedCondition], _ range: Range<Int>, of file: ColumnFile
  ) throws(StoreError) {
    self.file = file
    firstBlock = range.lowerBound
    for condition in conditions {
      self.conditions.append(try condition.condition.verdicts(range, of: file))
    }
    // One condition needs no order.
    if conditions.count > 1 { weights = self.conditions.map { $0.reduce(0) { $0 &+ Int($1.rawValue) } } }
    combined = self.combined(filter, count: range.count)
  }

  /// Appends the verdicts on the next blocks of the same file.
  mutating func append(_ next: FileVerdicts) {
    for index in conditions.indices {
      conditions[index] += next.conditions[index]
      if !weights.isEmpty { weights[index] += next.weights[index] }
    }
    combined += next.combined
  }

  private func combined(_ filter: ScanFilter, count: Int) -> [Verdict] {
    switch filter {
    case .leaf(let index): conditions[index]
    case .all(let parts): folded(parts, from: .all, count) { min($0, $1) }
    case .any(let parts): folded(parts, from: .none, count) { max($0, $1) }
    }
  }

  @inline(__always)
  private func folded(
    _ parts: [ScanFilter], from initial: Verdict, _ count: Int, _ choose: (UInt8, UInt8) -> UInt8
  ) -> [Verdict] {
    guard let first = parts.first else { return Array(repeating: initial, count: count) }
    var result = combined(first, count: count)
    for part in parts.dropFirst() {
      let other = combined(part, count: count)
      unsafe result.withUnsafeMutableBytes { result in
        unsafe other.withUnsafeBytes { other in
          // Sound: both have a verdict for each block.
          for block in 0..<count { unsafe result[block] = choose(result[block], other[block]) }
        }
      }
    }
    return result
  }
}

extension Condition {
  /// The verdicts on the blocks `range` of a file, from their statistics alone.
  fileprivate func verdicts(_ range: Range<Int>, of file: ColumnFile) throws(StoreError) -> [Verdict] {
    let directory = try file.directory(section)
    return unsafe [Verdict](unsafeUninitializedCapacity: range.count) { verdicts, count in
      switch self {
      case .double(_, let wanted): unsafe Self.judge(wanted, range, directory, verdicts)
      case .integer(_, let wanted): unsafe Self.judge(wanted, range, directory, verdicts)
      case .isMissing:
        for block in range {
          let missingCount = directory.missingCount(block)
          let verdict: Verdict = missingCount == 0 ? .none : missingCount == file.rowCount(block) ? .all : .some
          unsafe verdicts[block - range.lowerBound] = verdict
        }
      }
      count = range.count
    }
  }

  @inline(__always)
  private static func judge<Value: BlockValue>(
    _ wanted: ClosedRange<Value>, _ range: Range<Int>, _ directory: SectionDirectory,
    _ verdicts: UnsafeMutableBufferPointer<Verdict>
  ) {
    let (lower, upper) = (wanted.lowerBound, wanted.upperBound)
    let (minima, maxima, missing) = unsafe (directory.minima, directory.maxima, directory.missingCounts)
    for block in range {
      // Sound: callers pass blocks of the directory.
      let minimum = unsafe Value(bits: UInt64(littleEndian: minima[block]))
      let maximum = unsafe Value(bits: UInt64(littleEndian: maxima[block]))
      if maximum < lower || minimum > upper {
        unsafe verdicts[block - range.lowerBound] = .none
      } else {
        let isInside = unsafe minimum >= lower && maximum <= upper && missing[block] == 0
        unsafe verdicts[block - range.lowerBound] = isInside ? .all : .some
      }
    }
  }
}
