// Comparisons of sums, decided without writing a column:
//
//   close > open * 1.1                   close - 1.1 * open          above 0
//   close / prev(close, 5) - 1 > 0.2     close - 1.2 * prev(close, 5) above 0, where prev(close, 5) is
//   (close - low) / (high - low) > 0.9   close - 0.9 * high - 0.1 * low above 0, where high - low is
//
// Both sides are multiplied by a divisor that is above 0, and what is left is one sum of columns, each times a weight. Its offsets are
// multiplied, added up and compared in registers (Blocks/LinearSum.swift). The language rounds after each of its steps: rows in which
// that might matter are in doubt, and are settled in float64.

/// A narrow test that compares one sum of columns with 0.
struct LinearTest: Sendable {
  let sum: LinearTerms
  /// What both sides were multiplied by, if that is a sum too: the test holds so only where this one is above 0.
  let divisor: LinearTerms?
  let comparison: Comparison

  /// - Returns: nil for a test that isn't linear.
  init?(_ test: NarrowTest) {
    var values: [LinearValue] = []
    // Each term by its place: its attribute, and how many rows it is read of.
    var terms: [LinearTerms.Term] = []
    for node in test.nodes {
      switch node {
      case .attribute(let attribute, let shift):
        guard terms.count < LinearSum.termCountMax, shift <= LinearSum.largestShift else { return nil }
        values.append(LinearValue(term: terms.count))
        terms.append((attribute, LinearWeight(weight: 0, size: 0, shift: shift)))
      case .window(let window):
        let weight = LinearWeight(
          weight: 0, size: 0, shift: window.shift, rows: window.rows, shortRows: window.shortRows)
        guard terms.count < LinearSum.termCountMax, weight.reach <= LinearSum.largestReach else { return nil }
        let mean = LinearValue(term: terms.count)
        values.append(window.isMean ? mean : mean.multiplied(by: Double(window.rows)))
        terms.append((window.attribute, weight))
      case .number(let number): values.append(LinearValue(number: number))
      case .row(_, let form, let x, let y):
        guard let value = values[x].combined(form, values[y]) else { return nil }
        values.append(value)
      }
    }
    guard let sum = values[test.x].combined(.difference, values[test.y]), let all = LinearTerms(sum, terms),
      // A term that counts nothing would still have to be there.
      all.weights.count == terms.count
    else { return nil }
    if case .sum(let divisor) = sum.divisor {
      guard let divisor = LinearTerms(divisor, terms), !divisor.hasWindows else { return nil }
      self.divisor = divisor
    } else {
      divisor = nil
    }
    (self.sum, comparison) = (all, test.comparison)
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

/// A sum of columns, each times its weight, and of a number.
struct LinearTerms: Sendable {
  typealias Term = (attribute: Int, weight: LinearWeight)

  /// What each column counts: first those that are no windows.
  let weights: [LinearWeight]
  /// The attribute of each, as a place in the narrow test's list.
  let attributes: [Int]
  let constant: Double
  let constantSize: Double
  /// Whether it is one value less another, which can be compared exactly.
  let isDifference: Bool

  /// The terms that a value counts, of all that there are.
  ///
  /// - Returns: nil if a term cancels itself, or a step comes near the ends of the float64s.
  fileprivate init?(_ value: LinearValue, _ all: [Term]) {
    var terms: [Term] = []
    for (place, part) in value.weights.enumerated() where part.size != 0 {
      guard part.weight != 0 else { return nil }
      var (attribute, weight) = all[place]
      (weight.weight, weight.size, weight.isDivisor) = (part.weight, part.size, value.divisor == .term(place))
      terms.append((attribute, weight))
    }
    guard value.isBounded else { return nil }
    terms = terms.filter { !$0.weight.isWindow } + terms.filter { $0.weight.isWindow }
    (weights, attributes) = (terms.map(\.weight), terms.map(\.attribute))
    (constant, constantSize) = (value.constant.weight, value.constant.size)
    isDifference = value.form == .difference
  }

  var hasWindows: Bool { weights.contains { $0.isWindow } }

  /// The place of an attribute's term, so many rows before.
  func place(_ attribute: Int, shift: Int) -> Int {
    let place = weights.indices.first {
      attributes[$0] == attribute && !weights[$0].isWindow && weights[$0].shift == shift
    }
    guard let place else { preconditionFailure("attribute \(attribute) \(shift) rows before is no term") }
    return place
  }

  /// The place of a window's term.
  func place(_ window: NarrowTest.Window) -> Int {
    let place = weights.indices.first {
      attributes[$0] == window.attribute && weights[$0].rows == window.rows && weights[$0].shift == window.shift
        && weights[$0].shortRows == window.shortRows
    }
    guard let place else { preconditionFailure("\(window) is no term") }
    return place
  }
}

/// A value as a sum of weighted terms over a divisor.
private struct LinearValue: Equatable {
  /// A weight, and the sum of the magnitudes of all weights that it is the sum of.
  struct Part: Equatable {
    var weight = 0.0
    var size = 0.0

    func adding(_ y: Part) -> Part { Part(weight: weight + y.weight, size: size + y.size) }

    func times(_ factor: Double) -> Part { Part(weight: weight * factor, size: size * factor.magnitude) }

    func times(_ y: Part) -> Part { Part(weight: weight * y.weight, size: size * y.size) }
  }

  /// Whether it is a term, or one term less another, which is above 0 exactly where that one is the larger one.
  enum Form { case term, difference, other }

  /// A term, or what is more than one.
  indirect enum Divisor: Equatable {
    case term(Int)
    case sum(LinearValue)
  }

  /// Those of the first terms; the others have none.
  private(set) var weights: [Part] = []
  private(set) var constant = Part()
  /// What all is divided by.
  private(set) var divisor: Divisor?
  private(set) var form = Form.other

  init(number: Double) { constant = Part(weight: number, size: number.magnitude) }

  init(term: Int) {
    weights = Array(repeating: Part(), count: term)
    weights.append(Part(weight: 1, size: 1))
    form = .term
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

  func combined(_ operation: NarrowForm, _ y: LinearValue) -> LinearValue? {
    switch operation {
    case .negation: multiplied(by: -1)
    case .sum: sum(y)
    case .difference: difference(y)
    case .product: y.number.map(scaled(by:)) ?? number.map(y.scaled(by:)) ?? nil
    case .quotient: quotient(y)
    case .magnitude, .larger, .smaller: nil
    }
  }

  func multiplied(by factor: Double) -> LinearValue {
    var product = self
    product.form = .other
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
    guard divisor == nil, y.divisor == nil else { return nil }
    guard let (term, weight) = y.single else {
      var value = self
      (value.divisor, value.form) = (.sum(y), .other)
      return value
    }
    var value = scaled(by: 1 / weight)
    value?.divisor = .term(term)
    return value
  }

  private func difference(_ y: LinearValue) -> LinearValue? {
    var difference = sum(y.multiplied(by: -1))
    if form == .term, y.form == .term { difference?.form = .difference }
    return difference
  }

  private func sum(_ y: LinearValue) -> LinearValue? {
    if divisor != y.divisor {
      // A number over a divisor is so many times the divisor.
      if let divisor, y.number != nil { return plus(y.constant, times: divisor) }
      if let other = y.divisor, number != nil { return y.plus(constant, times: other) }
      return nil
    }
    var sum = self
    sum.form = .other
    let count = max(weights.count, y.weights.count)
    sum.weights = (0..<count).map { place in
      part(place).adding(y.part(place))
    }
    sum.constant = constant.adding(y.constant)
    return sum
  }

  /// With so many times what it is divided by.
  private func plus(_ number: Part, times divisor: Divisor) -> LinearValue {
    let added =
      switch divisor {
      case .term(let term): LinearValue(term: term)
      case .sum(let sum): sum
      }
    var sum = self
    sum.form = .other
    for (place, part) in added.weights.enumerated() {
      if place == sum.weights.count { sum.weights.append(Part()) }
      sum.weights[place] = sum.weights[place].adding(part.times(number))
    }
    sum.constant = constant.adding(added.constant.times(number))
    return sum
  }
}
