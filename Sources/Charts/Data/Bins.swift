/// Ranges of the same width between round numbers, and how many values lie in each.
struct Bins {
  let edges: [Double]
  let counts: [Int]

  private static let countMax = 60.0

  /// Nil without values.
  init?(of values: [Double]) {
    var extremes = Extremes(isLogarithmic: false)
    extremes.add(values)
    guard let range = extremes.range else { return nil }
    let span = range.upperBound - range.lowerBound
    let width = RoundStep.atLeast(span > 0 ? span / Self.countMax : max(range.lowerBound.magnitude / 100, 1e-300))
    let first = (range.lowerBound / width).rounded(.down)
    let count = max(1, Int((range.upperBound / width).rounded(.down) - first) + 1)
    var counts = [Int](repeating: 0, count: count)
    for value in values where value.isDrawable {
      counts[min(max(0, Int((value / width).rounded(.down) - first)), count - 1)] += 1
    }
    edges = (0...count).map { (first + Double($0)) * width }
    self.counts = counts
  }
}
