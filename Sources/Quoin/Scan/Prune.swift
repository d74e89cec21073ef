/// The verdicts on some blocks of one file that come one after another.
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

  /// Judges the blocks `range` of a file, the one at `index` of the manifest. All of them are judged at once, because statistics are long flat arrays.
  init(
    _ filter: ScanFilter, _ conditions: [PreparedCondition], _ range: Range<Int>, of file: ColumnFile,
    at index: Int
  ) throws(StoreError) {
    self.file = file
    firstBlock = range.lowerBound
    for condition in conditions {
      if let verdicts = condition.ownVerdicts(range, ofFileAt: index) {
        self.conditions.append(verdicts)
      } else {
        self.conditions.append(try condition.condition.verdicts(range, of: file))
      }
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
      result.combine(combined(part, count: count), choose)
    }
    return result
  }
}

extension Condition {
  /// The verdicts on the blocks `range` of a file, from their statistics alone.
  fileprivate func verdicts(_ range: Range<Int>, of file: ColumnFile) throws(StoreError) -> [Verdict] {
    switch self {
    case .double(let name, let wanted) where !file.holdsDoubles(name):
      guard let wanted = wanted.wholeNumbers else { return Array(repeating: .none, count: range.count) }
      return try file.directory(.attribute(name)).zoneMap.verdicts(for: wanted, range)
    case .double(let name, let wanted):
      return try file.directory(.attribute(name)).zoneMap.verdicts(for: wanted, range)
    case .integer(let section, let wanted):
      return try file.directory(section).zoneMap.verdicts(for: wanted, range)
    case .computed, .ticker: return Array(repeating: .some, count: range.count)
    case .isMissing(let name):
      let directory = try file.directory(.attribute(name))
      return range.map { block in
        let missingCount = directory.missingCount(block)
        return missingCount == 0 ? .none : missingCount == file.rowCount(block) ? .all : .some
      }
    }
  }
}
