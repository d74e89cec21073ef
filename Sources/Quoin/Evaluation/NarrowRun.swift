import CKernels

/// A narrow test, decided over the rows of one block after another. Each thread has its own.
struct NarrowRun {
  let test: NarrowTest
  let memory: NarrowMemory
  private var values: [NarrowValue] = []
  /// What the rows in the memory's columns are, of the block that is decided.
  private var integers: [NarrowIntegers] = []
  /// The rows that were settled in float64, since it was set to 0.
  var settledCount = 0

  init(_ test: NarrowTest) {
    self.test = test
    memory = NarrowMemory(test)
    values.reserveCapacity(test.nodes.count)
    integers.reserveCapacity(test.attributes.count)
  }

  /// Begins with another block.
  mutating func begin() { integers.removeAll(keepingCapacity: true) }

  /// Says what the rows of the next attribute are.
  mutating func append(_ read: NarrowIntegers) { integers.append(read) }

  /// Of the rows of a block, `exist`, those in which the test holds, and those that float32s don't decide.
  ///
  /// - Parameter rounded: the rows that depend on patches which are no integers.
  /// - Returns: nil if a bound can't be had, as of a quotient whose divisor may be 0.
  mutating func decided(_ exist: RowMask, rounded: RowMask?, count: Int) -> (held: RowMask, inDoubt: RowMask)? {
    values.removeAll(keepingCapacity: true)
    for (index, node) in test.nodes.enumerated() {
      let value: NarrowValue?
      switch node {
      case .number(let number): value = .number(number)
      case .window: preconditionFailure("windows are decided by a linear test")
      case .attribute(let attribute, let shift):
        value = NarrowValue(.column(attribute, shift: shift), integers[attribute])
      case .row(_, let form, let x, let y):
        value = values[x].combined(form, values[y], NarrowLoop(memory: memory, place: index, count: count))
      }
      guard let value, value.isBounded else { return nil }
      values.append(value)
    }
    let loop = NarrowLoop(memory: memory, place: test.nodes.count, count: count)
    return values[test.x].compared(test.comparison, values[test.y], exist, rounded, loop)
  }
}

/// The float32s of a test.
final class NarrowMemory {
  /// The integers of each attribute: as many rows before the block as a test reads at most, and then the block's.
  let columns: [ColumnMemory<Float>]
  /// Room for the rows of each node that is computed.
  fileprivate let results: [ColumnMemory<Float>?]

  init(_ test: NarrowTest) {
    columns = test.attributes.map { _ in NarrowRows.memory(history: NarrowTest.historyMax) }
    results = test.nodes.map { if case .row = $0 { NarrowRows.memory() } else { nil } }
  }

  fileprivate func result(_ place: Int) -> ColumnMemory<Float> {
    guard let memory = results[place] else { preconditionFailure("node \(place) has no room") }
    return memory
  }

  fileprivate func input(_ source: NarrowValue.Source) -> NarrowInput {
    switch source {
    case .number(let number): .number(number)
    case .column(let attribute, let shift):
      .rows(NarrowRows(memory: columns[attribute], start: NarrowTest.historyMax - shift))
    case .result(let place): .rows(NarrowRows(memory: result(place), start: 0))
    }
  }
}

/// The loops over the rows of a block.
private struct NarrowLoop {
  let memory: NarrowMemory
  /// The node whose rows are computed.
  let place: Int
  let count: Int

  /// Computes the rows of the node.
  func fill(
    _ operation: quoin_narrow_operation, _ x: NarrowValue.Source, _ y: NarrowValue.Source, factor: Double = 1
  ) -> NarrowValue.Source {
    memory.result(place).fill(
      operation, memory.input(x), memory.input(y), factor: Float(factor), count: count)
    return .result(place)
  }

  /// The rows of `x` that are above `y * factor` by more than an error, and those that are below.
  func compare(
    _ x: NarrowValue.Source, _ y: NarrowValue.Source, factor: Double, error: Float
  ) -> (above: RowMask, below: RowMask) {
    guard case .rows(let rows) = memory.input(x) else { preconditionFailure("a number is compared") }
    return rows.compared(memory.input(y), factor: Float(factor), error: error, count: count)
  }
}

extension NarrowTest {
  /// The test of some rows in doubt, in float64, as the language defines it.
  ///
  /// - Parameter column: the values of a node in these rows, which is an attribute or a window.
  func settled(count: Int, column: (Node) -> ColumnMemory<Double>) -> RowTest {
    var inputs: [RowInput] = []
    for node in nodes {
      switch node {
      case .number(let number): inputs.append(.number(number))
      case .window, .attribute: inputs.append(.column(column(node)))
      case .row(let function, _, let x, let y): inputs.append(.column(function.values(inputs[x], inputs[y], count)))
      }
    }
    var (left, right) = (inputs[x], inputs[y])
    if let difference = difference { (left, right) = (.column(difference.values(left, right, count)), .number(0)) }
    return RowTest(left, comparison, right, count: count)
  }
}

/// Numbers that stand for the values of a node: a value is the number times the scale, but for an error.
private struct NarrowValue {
  /// Where the numbers are.
  enum Source {
    case number(Float)
    case column(Int, shift: Int)
    case result(Int)
  }

  private let source: Source
  private var scale: Double
  /// Between which numbers the values are, over the scale.
  private var low: Double
  private var high: Double
  /// How far a number may be from the value over the scale, and a float64 value from the true one: but for rows that depend on patches,
  /// and for all.
  private var error: SIMD2<Double>
  /// If numbers are exact, and values the float64s nearest to them over this power of ten, or their negatives.
  private var exponent: Int?
  /// The number, if it is the same for all rows.
  private let number: Double?

  /// What float32 and float64 operations are off at most, in parts of their results. Each is twice as much, and for float64 eight
  /// times, which leaves room for the roundings of the bounds themselves.
  private static let narrowRounding = Double(Float.ulpOfOne)
  private static let wideRounding = 8 * Double.ulpOfOne
  /// What is lost of a float32 that is too small to be normal.
  private static let underflow = 0x1p-120

  private init(
    _ source: Source, scale: Double, _ low: Double, _ high: Double, error: SIMD2<Double>, exponent: Int? = nil,
    number: Double? = nil
  ) {
    (self.source, self.scale, self.low, self.high) = (source, scale, min(low, high), max(low, high))
    (self.error, self.exponent, self.number) = (error, exponent, number)
  }

  static func number(_ number: Double) -> NarrowValue {
    NarrowValue(.number(Float(number)), scale: 1, number, number, error: .zero, number: number)
  }

  init(_ source: Source, _ integers: NarrowIntegers) {
    self.init(
      source, scale: 1 / powersOfTen[integers.exponent], integers.low, integers.high,
      error: [integers.error, integers.patchError], exponent: integers.error == 0 ? integers.exponent : nil)
    // The value itself is rounded.
    if exponent == nil { error += magnitude * Self.wideRounding }
  }

  /// The largest number.
  private var magnitude: Double { max(-low, high) + error[1] }

  /// Whether the numbers are far from the largest float32s.
  var isBounded: Bool { magnitude < 0x1p100 && scale.magnitude < 0x1p200 && scale.magnitude > 0x1p-200 }

  /// The error of a value as a float64, of one whose numbers are exact.
  private var wideError: SIMD2<Double> { error + (exponent == nil ? 0 : magnitude * Self.wideRounding) }

  /// The numbers of this value for another scale: a factor and its bounds.
  private func scaled(to other: Double) -> (factor: Double, low: Double, high: Double, error: SIMD2<Double>) {
    let factor = scale / other
    let (a, b) = (low * factor, high * factor)
    let size = magnitude * factor.magnitude
    return (
      factor, min(a, b), max(a, b), wideError * factor.magnitude + size * (2 * Self.narrowRounding + Self.wideRounding)
    )
  }

  /// The numbers for a scale, if all rows have the same.
  private func source(over scale: Double) -> Source { number.map { .number(Float($0 / scale)) } ?? source }

  /// The value of a function, whose rows are computed where they have to be.
  func combined(_ form: NarrowForm, _ y: NarrowValue, _ loop: NarrowLoop) -> NarrowValue? {
    switch form {
    case .negation: negated
    case .magnitude: ofMagnitude(loop)
    case .sum: sum(y, loop)
    case .difference: sum(y.negated, loop)
    case .product: product(y, loop)
    case .quotient: quotient(y, loop)
    case .larger: extreme(y, isLarger: true, loop)
    case .smaller: extreme(y, isLarger: false, loop)
    }
  }

  private var negated: NarrowValue {
    if let number { return .number(-number) }
    var value = self
    value.scale = -scale
    return value
  }

  private func ofMagnitude(_ loop: NarrowLoop) -> NarrowValue {
    if let number { return .number(number.magnitude) }
    let least = low <= 0 && high >= 0 ? 0 : min(low.magnitude, high.magnitude)
    return NarrowValue(
      loop.fill(QUOIN_NARROW_MAGNITUDE, source, source), scale: scale.magnitude, least, max(-low, high), error: error,
      exponent: exponent)
  }

  private func sum(_ y: NarrowValue, _ loop: NarrowLoop) -> NarrowValue? {
    if let a = number {
      if let b = y.number { return .number(a + b) }
      return y.sum(self, loop)
    }
    let part = y.scaled(to: scale)
    let (low, high) = (low + part.low, high + part.high)
    let size = max(-low, high) + wideError[1] + part.error[1]
    return NarrowValue(
      loop.fill(QUOIN_NARROW_SUM, source, y.source(over: scale), factor: y.number == nil ? part.factor : 1),
      scale: scale, low, high,
      error: wideError + part.error + size * (Self.narrowRounding + Self.wideRounding) + Self.underflow)
  }

  private func product(_ y: NarrowValue, _ loop: NarrowLoop) -> NarrowValue? {
    if let a = number {
      if let b = y.number { return .number(a * b) }
      return y.product(self, loop)
    }
    if let factor = y.number {
      if factor == 0 { return nil }
      return NarrowValue(
        source, scale: scale * factor, low, high, error: wideError + magnitude * Self.wideRounding)
    }
    let corners = SIMD4(low, low, high, high) * SIMD4(y.low, y.high, y.low, y.high)
    let size = magnitude * y.magnitude
    return NarrowValue(
      loop.fill(QUOIN_NARROW_PRODUCT, source, y.source), scale: scale * y.scale, corners.min(), corners.max(),
      error: magnitude * y.wideError + y.magnitude * wideError + size * (Self.narrowRounding + Self.wideRounding)
        + Self.underflow)
  }

  private func quotient(_ y: NarrowValue, _ loop: NarrowLoop) -> NarrowValue? {
    if let b = y.number {
      if b == 0 { return nil }
      if let a = number { return .number(a / b) }
      return NarrowValue(source, scale: scale / b, low, high, error: wideError + magnitude * Self.wideRounding)
    }
    let x = number.map { _ in NarrowValue(.number(1), scale: 1, 1, 1, error: .zero) } ?? self
    // The divisor is this far from 0.
    let least = max(y.low, -y.high) - y.wideError[1]
    guard least > 0x1p-60 else { return nil }
    let corners = SIMD4(x.low, x.low, x.high, x.high) / SIMD4(y.low, y.high, y.low, y.high)
    let size = x.magnitude / least
    return NarrowValue(
      loop.fill(QUOIN_NARROW_QUOTIENT, x.source, y.source), scale: (number ?? scale) / y.scale, corners.min(),
      corners.max(),
      error: (x.wideError + size * y.wideError) / least + size * (Self.narrowRounding + Self.wideRounding)
        + Self.underflow)
  }

  private func extreme(
    _ y: NarrowValue, isLarger: Bool, _ loop: NarrowLoop
  ) -> NarrowValue? {
    if let a = number {
      if let b = y.number { return .number(isLarger ? max(a, b) : min(a, b)) }
      return y.extreme(self, isLarger: isLarger, loop)
    }
    // With a negative scale the larger value has the smaller number.
    let isLarger = isLarger == (scale > 0)
    let part = y.scaled(to: scale)
    let areExact = exponent != nil && exponent == y.exponent && scale == y.scale
    return NarrowValue(
      loop.fill(
        isLarger ? QUOIN_NARROW_LARGER : QUOIN_NARROW_SMALLER, source, y.source(over: scale),
        factor: y.number == nil ? part.factor : 1),
      scale: scale, isLarger ? max(low, part.low) : min(low, part.low),
      isLarger ? max(high, part.high) : min(high, part.high),
      error: areExact ? pointwiseMax(error, y.error) : pointwiseMax(wideError, part.error),
      exponent: areExact ? exponent : nil)
  }

  /// The rows in which this compares with another value, and those in which the error doesn't let it be told.
  func compared(
    _ comparison: Comparison, _ y: NarrowValue, _ exist: RowMask, _ rounded: RowMask?, _ loop: NarrowLoop
  ) -> (held: RowMask, inDoubt: RowMask)? {
    if number != nil {
      return y.number == nil ? y.compared(comparison.mirrored, self, exist, rounded, loop) : nil
    }
    // Of two values that are exact, the one over the larger power of ten is multiplied by nothing.
    if let exponent, let other = y.exponent, exponent < other {
      return y.compared(comparison.mirrored, self, exist, rounded, loop)
    }
    let part = y.scaled(to: scale)
    let error = (wideError + part.error) * (1 + Self.narrowRounding)
    guard error.max() < 0x1p100 else { return nil }
    var (factor, isExact) = (part.factor, false)
    if let exponent, let other = y.exponent {
      let power = powersOfTen[exponent - other]
      if y.magnitude * power <= NarrowIntegers.exactLimit {
        (factor, isExact) = (scale * y.scale > 0 ? power : -power, true)
      }
    }
    func beyond(_ error: Float) -> (above: RowMask, below: RowMask) {
      loop.compare(source, y.source(over: scale), factor: y.number == nil ? factor : 1, error: error)
    }
    var (above, below) = beyond(isExact ? 0 : Float(error[0]).nextUp)
    // Rows that depend on patches take the larger error.
    var unsure = RowMask.none
    if let rounded {
      let sure = beyond(Float(error[1]).nextUp)
      unsure = RowMask(words: rounded.words & exist.words & ~sure.above.words & ~sure.below.words)
    }
    if scale < 0 { (above, below) = (below, above) }
    let rest = RowMask(words: exist.words & ~above.words & ~below.words)
    // What is neither above nor below is equal, if nothing is off.
    let equal = isExact ? rest : .none
    let held =
      switch comparison {
      case .above: above.words
      case .atLeast: above.words | equal.words
      case .below: below.words
      case .atMost: below.words | equal.words
      case .equal: equal.words
      case .notEqual: above.words | below.words
      }
    return (RowMask(words: held & exist.words), isExact ? unsure : RowMask(words: rest.words | unsure.words))
  }
}
