/// Exact sums by partial sums that don't overlap (Shewchuk 1997), as Python's `math.fsum` adds.
enum NaiveSum {
  /// The sum, rounded once. Of infinite values it is what plain addition gives.
  static func sum(_ values: [Double]) -> Double {
    let infinite = values.filter(\.isInfinite)
    guard infinite.isEmpty else { return infinite.reduce(0, +) }
    let partials = partials(values)
    // If they add up to so much, they are added in smaller units: then none of the smallest is lost that could change the sum.
    guard partials.allSatisfy(\.isFinite) else { return sum(values.map { $0 * 0x1p-60 }) * 0x1p60 }
    return rounded(partials) + 0
  }

  /// Numbers with the same sum that don't overlap, the smallest first.
  private static func partials(_ values: [Double]) -> [Double] {
    var partials: [Double] = []
    for value in balanced(values) {
      var (rest, kept) = (value, [Double]())
      for partial in partials {
        let (large, small) = rest.magnitude < partial.magnitude ? (partial, rest) : (rest, partial)
        let sum = large + small
        let error = small - (sum - large)
        if error != 0 { kept.append(error) }
        rest = sum
      }
      partials = kept + [rest]
    }
    return partials
  }

  /// The values in an order in which no sum on the way is larger than the last one and all values.
  private static func balanced(_ values: [Double]) -> [Double] {
    var (positive, negative) = (values.filter { $0 >= 0 }, values.filter { $0 < 0 })
    var (balanced, sum) = ([Double](), 0.0)
    while let next = sum > 0 ? negative.popLast() : positive.popLast() {
      balanced.append(next)
      sum += next
    }
    return balanced + positive + negative
  }

  /// The rounded sum of numbers that don't overlap, the smallest first.
  private static func rounded(_ partials: [Double]) -> Double {
    var rest = partials
    guard var sum = rest.popLast() else { return 0 }
    while let next = rest.popLast() {
      let before = sum
      sum = before + next
      let error = next - (sum - before)
      guard error != 0 else { continue }
      // Half way between two numbers, the next partial decides.
      if let last = rest.last, (error < 0) == (last < 0) {
        let twice = error * 2
        if sum + twice - sum == twice { sum += twice }
      }
      break
    }
    return sum
  }

  /// The sum divided by the number of values, rounded once: the sign of the exact distance from the middle of two neighboring
  /// numbers says which of them is nearer.
  static func mean(_ values: [Double]) -> Double { mean(values, count: values.count) }

  /// The mean of whole numbers.
  static func mean(_ values: [Int64]) -> Double {
    mean(values.flatMap { [Double($0 >> 32) * 0x1p32, Double($0 & 0xFFFF_FFFF)] }, count: values.count)
  }

  /// The sum divided by any number.
  private static func mean(_ values: [Double], count: Int) -> Double {
    var guess = sum(values) / Double(count)
    // In smaller units the smallest values are lost. The distances have them all, because they are small.
    if guess.isInfinite, values.allSatisfy(\.isFinite) {
      guess = sum(values.map { $0 * 0x1p-60 }) / Double(count) * 0x1p60
    }
    guard guess.isFinite else { return guess }
    return nearer(nearer(guess.nextDown, guess, values, count), guess.nextUp, values, count)
  }

  private static func nearer(_ lower: Double, _ upper: Double, _ values: [Double], _ count: Int) -> Double {
    let distance = sum(values + values + (0..<count).flatMap { _ in [-lower, -upper] })
    return distance > 0 || (distance == 0 && upper.significandBitPattern % 2 == 0) ? upper : lower
  }
}
