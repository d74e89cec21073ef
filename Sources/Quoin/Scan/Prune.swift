/// What statistics say of a block: no row matches, some may, all do. The order makes `and` the minimum of two verdicts
/// and `or` the maximum.
enum Verdict: UInt8, Comparable, Sendable {
  case none, some, all

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension Condition {
  /// Appends the verdicts on the blocks `range` of a file, by their statistics alone.
  func prune(_ range: Range<Int>, of file: ColumnFile, into verdicts: inout [Verdict]) throws(StoreError) {
    let directory = try file.directory(section)
    switch self {
    case .double(_, let wanted):
      for block in range { verdicts.append(Self.verdict(Double.self, block, directory, wanted)) }
    case .integer(_, let wanted):
      for block in range { verdicts.append(Self.verdict(Int64.self, block, directory, wanted)) }
    case .isMissing:
      for block in range {
        let missingCount = directory.missingCount(block)
        verdicts.append(missingCount == 0 ? .none : missingCount == file.rowCount(block) ? .all : .some)
      }
    }
  }

  @inline(__always)
  private static func verdict<Value: BlockValue>(
    _ type: Value.Type, _ block: Int, _ directory: SectionDirectory, _ wanted: ClosedRange<Value>
  ) -> Verdict {
    // Sound: callers pass blocks of the directory.
    let minimum = unsafe Value(bits: UInt64(littleEndian: directory.minima[block]))
    let maximum = unsafe Value(bits: UInt64(littleEndian: directory.maxima[block]))
    if maximum < wanted.lowerBound || minimum > wanted.upperBound { return .none }
    let isInside = minimum >= wanted.lowerBound && maximum <= wanted.upperBound
    return isInside && directory.missingCount(block) == 0 ? .all : .some
  }
}

extension ScanFilter {
  /// The verdict on a block, from the verdicts of the conditions on it.
  func verdict(_ verdictOfLeaf: (Int) -> Verdict) -> Verdict {
    switch self {
    case .leaf(let index): verdictOfLeaf(index)
    case .all(let parts): parts.reduce(.all) { min($0, $1.verdict(verdictOfLeaf)) }
    case .any(let parts): parts.reduce(.none) { max($0, $1.verdict(verdictOfLeaf)) }
    }
  }
}
