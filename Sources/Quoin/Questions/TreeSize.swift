/// How large an expression or a predicate is.
struct TreeSize: Hashable, Sendable {
  /// How many expressions and predicates are inside each other in it.
  let levelCount: Int
  /// How many there are in it, one for each time that it has them: what has a name, and is used twice, counts twice. `Int.max`
  /// stands for more.
  let nodeCount: Int

  /// What has these inside it.
  init(around parts: [TreeSize]) {
    levelCount = parts.lazy.map { $0.levelCount + 1 }.max() ?? 0
    nodeCount = parts.reduce(1) { sum, part in
      let (count, isTooLarge) = sum.addingReportingOverflow(part.nodeCount)
      return isTooLarge ? .max : count
    }
  }

  /// Whether a description would be longer than any text that a question can have.
  var isTooLong: Bool { nodeCount > Limits.predicateByteCount }

  /// Whether looking at all of it costs less than a digest, so that it needs none.
  var isSmall: Bool { nodeCount <= 32 }

  /// Whether no scan takes it.
  var isTooDeep: Bool { levelCount > Limits.predicateLevels }
}

/// What tells an expression or a predicate from all others: 128 bits that depend on all of it, and on the process.
///
/// A name stands for an expression wherever it is used, so `a + a as b, b + b as c` and so on has a node for each name, and yet
/// 2^n paths to the first. To compare, to hash and to compile look at digests of what isn't small, and so at each node once. The bits are those of
/// Swift's hash, whose key is the process's own (SipHash): nobody outside can look for two expressions that share theirs, and chance
/// makes two alike with a probability of 2^-128.
struct Digest: Hashable, Sendable {
  private let low: UInt64
  private let high: UInt64

  /// - Parameter value: its parts go by their own digests.
  init(of value: some Hashable) {
    var (a, b) = (Hasher(), Hasher())
    a.combine(0)
    b.combine(1)
    value.hash(into: &a)
    value.hash(into: &b)
    (low, high) = (UInt64(bitPattern: Int64(a.finalize())), UInt64(bitPattern: Int64(b.finalize())))
  }
}
