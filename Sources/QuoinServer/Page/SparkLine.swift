import Charts

/// A line of few pixels through many values.
struct SparkLine {
  let path: String
  let first: Double
  let last: Double

  /// Nil without values.
  init?(_ values: [Double], width: Double, height: Double) {
    let known = values.filter(\.isDrawable)
    guard let first = known.first, let last = known.last, let least = known.min(), let most = known.max() else {
      return nil
    }
    (self.first, self.last) = (first, last)
    let rows = Thinning.rows(of: known, columnCount: Int(width / 2))
    let scale = most > least ? (height - 4) / (most - least) : 0
    let step = width / Double(max(1, known.count - 1))
    let points = rows.map { row in
      let y = most > least ? height - 2 - (known[row] - least) * scale : height / 2
      return "\((Double(row) * step).rounded(toDigits: 1)) \(y.rounded(toDigits: 1))"
    }
    path = "M" + points.joined(separator: " ") + (points.count == 1 ? "h0" : "")
  }
}
