// Comparisons of sums, decided without writing a column:
//
//   close > open * 1.1                   close - 1.1 * open          above 0
//   close / prev(close, 5) - 1 > 0.2     close - 1.2 * prev(close, 5) above 0, where prev(close, 5) is
//
// Both sides are multiplied by a divisor that is above 0, and what is left is one sum of columns, each times a weight. Its offsets are
// multiplied, added up and compared in registers (Blocks/LinearSum.swift). The language rounds after each of its steps: rows in which
// that might matter are in doubt, and are settled in float64.

/// A narrow test that compares one sum of columns with 0.
struct LinearTest: Sendable {
  /// What each column counts, by place.
  private(set) var weights: [LinearWeight] = []
  /// The attribute of each, as a place in the narrow test's list.
  private(set) var attributes: [Int] = []
  let constant: Double
  let constantSize: Double
  /// Whether one value is compared with another.
  let isDifference: Bool
  let comparison: Comparison

  /// - Returns: nil for a test that isn't linear.
  init?(_ test: NarrowTest) {
    var values: [LinearValue] = []
    for node in test.nodes {
      switch node {
      case .attribute(let attribute, let shift):
        guard attributes.count < LinearSum.termCountMax, shift <= LinearSum.largestShift else { return nil }
        values.append(LinearValue(term: attributes.count))
        attributes.append(attribute)
        weights.append(LinearWeight(weight: 0, size: 0, shift: shift))
      case .window(let window):
        let weight = LinearWeight(weight: 0, size: 0, shift: window.shift, rows: window.rows)
        guard attributes.count < LinearSum.termCountMax, weight.reach <= LinearSum.largestReach else { return nil }
        let mean = LinearValue(term: attributes.count)
        values.append(window.isMean ? mean : mean.multiplied(by: Double(window.rows)))
        attributes.append(window.attribute)
        weights.append(weight)
      case .number(let number): values.append(LinearValue(number: number))
      case .row(_, let form, let x, let y):
        guard let value = values[x].combined(form, values[y]) else { return nil }
        values.append(value)
      }
    }
    guard let sum = values[test.x].sum(values[test.y].multiplied(by: -1)), sum.isBounded else { return nil }
    for (place, weight) in sum.weights.enumerated() {
      (weights[place].weight, weights[place].size) = (weight.weight, weight.size)
    }
    // A term that counts nothing would still have to be there.
    guard weights.allSatisfy({ $0.weight != 0 }) else { return nil }
    if let divisor = sum.divisor { weights[divisor].isDivisor = true }
    (constant, constantSize, comparison) = (sum.constant.weight, sum.constant.size, test.comparison)
    isDifference = weights.count == 2 && test.nodes[test.x].isValueOrMean && test.nodes[test.y].isValueOrMean
    let places = weights.indices.filter { !weights[$0].isWindow } + weights.indices.filter { weights[$0].isWindow }
    (weights, attributes) = (places.map { weights[$0] }, places.map { attributes[$0] })
  }

  /// The sums for which the test holds.
  var signs: LinearSigns {
    switch comparison {
    case .above: .above
    case .atLeast: [.above, .equal]
    case .below: .below
    case .atMost: [.below, .equal]
    case .equal: .equal
    case .notEqual: [.above, .below]
    }
  }
}

extension NarrowTest.Node {
  fileprivate var isValueOrMean: Bool {
    switch self {
    case .attribute: true
    case .window(let window): window.isMean
    case .number, .row: false
    }
  }
}

/// A value as a sum of weighted terms over a divisor.
private struct LinearValue {
  /// A weight, and the sum of the magnitudes of all weights that it is the sum of.
  struct Part {
    var weight = 0.0
    var size = 0.0

    func adding(_ y: Part) -> Part { Part(weight: weight + y.weight, size: size + y.size) }

    func times(_ factor: Double) -> Part { Part(weight: weight * factor, size: size * factor.magnitude) }
  }

  /// Those of the first terms; the others have none.
  private(set) var weights: [Part] = []
  private(set) var constant = Part()
  /// The term that all is divided by.
  private(set) var divisor: Int?

  init(number: Double) { constant = Part(weight: number, size: number.magnitude) }

  init(term: Int) {
    weights = Array(repeating: Part(), count: term)
    weights.append(Part(weight: 1, size: 1))
  }

  private func part(_ term: Int) -> Part { term < weights.count ? weights[term] : Part() }

  /// The number, if it is one.
  private var number: Double? { divisor == nil && weights.allSatisfy { $0.size == 0 } ? constant.weight : nil }

  /// The term and its weight, if that is all.
  private var single: (term: Int, weight: Double)? {
    guard divisor == nil, constant.size == 0 else { return nil }
    let terms = weights.indices.filter { weights[$0].size > 0 }
    guard terms.count == 1, let term = terms.first, weights[term].weight.magnitude == weights[term].size else {
      return nil
    }
    return (term, weights[term].weight)
  }

  /// Whether no step of it comes near the ends of the float64s.
  var isBounded: Bool {
    (weights + [constant]).allSatisfy { $0.size == 0 || (0x1p-100...0x1p100).contains($0.size) }
  }

  func combined(_ form: NarrowForm, _ y: LinearValue) -> LinearValue? {
    switch form {
    case .negation: multiplied(by: -1)
    case .sum: sum(y)
    case .difference: sum(y.multiplied(by: -1))
    case .product: y.number.map(scaled(by:)) ?? number.map(y.scaled(by:)) ?? nil
    case .quotient: quotient(y)
    case .magnitude, .larger, .smaller: nil
    }
  }

  func multiplied(by factor: Double) -> LinearValue {
    var product = self
    product.weights = weights.map { $0.times(factor) }
    product.constant = constant.times(factor)
    return product
  }

  /// Times a factor that leaves something.
  private func scaled(by factor: Double) -> LinearValue? {
    (0x1p-60...0x1p60).contains(factor.magnitude) ? multiplied(by: factor) : nil
  }

  private func quotient(_ y: LinearValue) -> LinearValue? {
    if let number = y.number { return scaled(by: 1 / number) }
    guard divisor == nil, let (term, weight) = y.single, var value = scaled(by: 1 / weight) else { return nil }
    value.divisor = term
    return value
  }

  func sum(_ y: LinearValue) -> LinearValue? {
    if divisor != y.divisor {
      // A number over a divisor is so many times the divisor.
      if let divisor, y.number != nil { return plus(y.constant, times: divisor) }
      if let other = y.divisor, number != nil { return y.plus(constant, times: other) }
      return nil
    }
    var sum = self
    let count = max(weights.count, y.weights.count)
    sum.weights = (0..<count).map { place in
      part(place).adding(y.part(place))
    }
    sum.constant = constant.adding(y.constant)
    return sum
  }

  private func plus(_ number: Part, times term: Int) -> LinearValue {
    var sum = self
    while sum.weights.count <= term { sum.weights.append(Part()) }
    sum.weights[term] = sum.weights[term].adding(number)
    return sum
  }
}
