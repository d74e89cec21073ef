extension Predicate {
  /// Whether a scan computes it as a whole, rather than look at the ranges that it consists of one after the other.
  var isIntricate: Bool { size.levelCount > 64 || repeatsItself }

  /// Whether it is made of few predicates that occur in it again and again, as names make it: `a and not a` as b, `b or b` as c.
  var repeatsItself: Bool {
    guard size.nodeCount > 1024 else { return false }
    var counts: [Predicate: Int] = [:]
    return occurrenceCount(&counts) > max(1024, 4 * counts.count)
  }

  /// How many predicates there are in it, one for each time that it has them; many, if there are more than can be counted.
  ///
  /// - Parameter counts: those of the predicates that were looked at before.
  private func occurrenceCount(_ counts: inout [Predicate: Int]) -> Int {
    if let count = counts[self] { return count }
    let parts: [Predicate] =
      switch form {
      case .all(let parts), .any(let parts): parts
      case .not(let part): [part]
      case .double, .integer, .date, .isMissing, .ticker, .comparison, .hasNoValue, .holds, .tooDeep: []
      }
    var count = 1
    for part in parts { count = min(count + part.occurrenceCount(&counts), .max / 4) }
    counts[self] = count
    return count
  }
}
