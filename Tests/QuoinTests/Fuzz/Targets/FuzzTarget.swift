@testable import Quoin

/// What is fuzzed: each kind of bytes or text that comes from outside. libFuzzer makes up inputs (`make fuzz`), and the
/// tests read those that it found worth keeping once more (CorpusTests.swift).
enum FuzzTarget: String, CaseIterable, Sendable {
  case block, manifest
  case columnFile = "column-file"
  case csv, json, ndjson, packed, predicate, expression, aggregates

  /// What reads an input, for one thread. It throws a `Disagreement` where two ways to read it don't agree; what the
  /// input has wrong is no error.
  func makeReader() -> (UnsafeRawBufferPointer) throws -> Void {
    switch self {
    case .block:
      let target = BlockTarget()
      return { unsafe try target.read($0) }
    case .manifest: return { unsafe try ManifestTarget.read($0) }
    case .columnFile: return { unsafe try ColumnFileTarget.read($0) }
    case .csv, .json, .ndjson:
      let target = ImportTarget(self == .csv ? .csv : self == .json ? .json : .ndjson)
      return { unsafe try target.read($0) }
    case .packed:
      let target = PackedTarget()
      return { unsafe try target.read($0) }
    case .predicate: return { unsafe try PredicateTarget.read($0) }
    case .expression: return { unsafe try ExpressionTarget.read($0) }
    case .aggregates: return { unsafe try AggregatesTarget.read($0) }
    }
  }
}

/// Two ways to read the same bytes that don't agree.
struct Disagreement: Error, CustomStringConvertible {
  let description: String
}

/// Throws a disagreement unless `condition` holds.
@inline(__always)
func agree(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  if !condition { throw Disagreement(description: message()) }
}
