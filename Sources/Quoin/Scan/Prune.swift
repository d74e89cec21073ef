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
  /// The verdicts on the first `blockCount` blocks of a file, from those of each condition, which come as arrays as long.
  func verdicts(_ columns: [[Verdict]], blockCount: Int) -> [Verdict] {
    func combined(_ parts: [ScanFilter], from initial: Verdict, _ choose: (Verdict, Verdict) -> Verdict) -> [Verdict] {
      var result = Array(repeating: initial, count: blockCount)
      for part in parts {
        let verdicts = part.verdicts(columns, blockCount: blockCount)
        for block in result.indices { result[block] = choose(result[block], verdicts[block]) }
      }
      return result
    }
    return switch self {
    case .leaf(let index): columns[index]
    case .all(let parts): combined(parts, from: .all) { min($0, $1) }
    case .any(let parts): combined(parts, from: .none) { max($0, $1) }
    }
  }
}
