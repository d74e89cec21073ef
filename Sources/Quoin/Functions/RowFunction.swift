#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The functions of a row that can be reckoned in float32, with a bound of the error.
enum NarrowForm: Sendable {
  case sum, difference, product, quotient, larger, smaller, magnitude, negation
}

/// A function of one row's values.
final class RowFunction: Function {
  let name: String
  let meaning: String
  let example: String
  let synonyms: [String]
  /// How many operands it takes. A call of a function of two may have more: it is of the first two, then of that and the next.
  let operandCount: Int
  /// What a row costs, about.
  let nanoseconds: Double
  /// The values of so many rows. A function of one operand doesn't look at the second one.
  let values: @Sendable (RowInput, RowInput, Int) -> ColumnMemory<Double>
  /// What the values can be, from what the operands can be.
  let bounds: @Sendable (ValueBounds, ValueBounds) -> ValueBounds
  /// How it is reckoned in float32 with an error; nil if it can't be.
  let narrow: NarrowForm?

  private init(
    _ name: String, _ meaning: String = "", example: String = "", synonyms: [String] = [], operandCount: Int = 1,
    nanoseconds: Double = 2, narrow: NarrowForm? = nil,
    bounds: @escaping @Sendable (ValueBounds, ValueBounds) -> ValueBounds,
    values: @escaping @Sendable (RowInput, RowInput, Int) -> ColumnMemory<Double>
  ) {
    (self.name, self.meaning, self.example, self.synonyms) = (name, meaning, example, synonyms)
    (self.operandCount, self.nanoseconds, self.values, self.bounds) = (operandCount, nanoseconds, values, bounds)
    self.narrow = narrow
  }

  /// The functions that are written with their name and parentheses. The others are operators.
  static let named = [abs, log, exp, sqrt, sign, round, floor, ceil, larger, smaller, coalesce]

  static let all = [add, subtract, multiply, divide, power, negate] + named
}

// Operators.
extension RowFunction {
  static let add = RowFunction(
    "+", operandCount: 2, narrow: .sum, bounds: { x, y in x.mapped(y) { $0 + $1 } },
    values: { x, y, count in x.compute(y, count) { $0 + $1 } })

  static let subtract = RowFunction(
    "-", operandCount: 2, narrow: .difference, bounds: { x, y in x.mapped(y) { $0 - $1 } },
    values: { x, y, count in x.compute(y, count) { $0 - $1 } })

  static let multiply = RowFunction(
    "*", operandCount: 2, narrow: .product, bounds: { x, y in x.mapped(y) { $0 * $1 } },
    values: { x, y, count in x.compute(y, count) { $0 * $1 } })

  static let divide = RowFunction(
    "/", operandCount: 2, narrow: .quotient,
    bounds: { x, y in y.low <= 0 && y.high >= 0 ? .unknown : x.mapped(y) { $0 / $1 } },
    values: { x, y, count in x.compute(y, count) { $0 / $1 } })

  static let power = RowFunction(
    "^", operandCount: 2, nanoseconds: 15, bounds: { _, _ in .unknown },
    values: { x, y, count in x.compute(y, count) { $0.isNaN || $1.isNaN ? .missing : pow($0, $1) } })

  static let negate = RowFunction(
    "negate", narrow: .negation, bounds: { x, _ in x.mapped { -$0 } },
    values: { x, _, count in x.compute(count) { -$0 } })
}

// Functions with names.
extension RowFunction {
  static let abs = RowFunction(
    "abs", "The value without its sign.", example: "abs(close - open)", narrow: .magnitude,
    bounds: { x, _ in
      x.low >= 0 || x.high <= 0
        ? x.mapped { $0.magnitude }
        : ValueBounds(
          low: 0, high: max(-x.low, x.high), mayBeMissing: x.mayBeMissing || max(-x.low, x.high) == .infinity)
    }, values: { x, _, count in x.compute(count) { $0.magnitude } })

  static let log = RowFunction(
    "log", "The natural logarithm.", example: "log(close)", synonyms: ["ln"], nanoseconds: 15,
    bounds: { x, _ in x.clamped(from: 0).mapped(naturalLogarithm).widened },
    values: { x, _, count in x.compute(count, naturalLogarithm) })

  static let exp = RowFunction(
    "exp", "e to the power of the value.", example: "exp(log(close))", nanoseconds: 15,
    bounds: { x, _ in x.mapped(powerOfE).widened }, values: { x, _, count in x.compute(count, powerOfE) })

  static let sqrt = RowFunction(
    "sqrt", "The square root.", example: "sqrt(volume)",
    bounds: { x, _ in x.clamped(from: 0).mapped { $0.squareRoot() } },
    values: { x, _, count in x.compute(count) { $0.squareRoot() } })

  static let sign = RowFunction(
    "sign", "-1, 0 or 1.", example: "sign(close - open)",
    bounds: { x, _ in x.mapped { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 } },
    values: { x, _, count in x.map(count) { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 + 0 } })

  static let round = RowFunction(
    "round", "The nearest whole number; halves go away from 0.", example: "round(close)",
    bounds: { x, _ in x.mapped { $0.rounded(.toNearestOrAwayFromZero) } },
    values: { x, _, count in x.compute(count) { $0.rounded(.toNearestOrAwayFromZero) } })

  static let floor = RowFunction(
    "floor", "The next whole number below.", example: "floor(close)",
    bounds: { x, _ in x.mapped { $0.rounded(.down) } },
    values: { x, _, count in x.compute(count) { $0.rounded(.down) } })

  static let ceil = RowFunction(
    "ceil", "The next whole number above.", example: "ceil(close)", bounds: { x, _ in x.mapped { $0.rounded(.up) } },
    values: { x, _, count in x.compute(count) { $0.rounded(.up) } })

  static let larger = RowFunction(
    "larger", "The larger of two values.", example: "larger(open, close)", synonyms: ["greatest"], operandCount: 2,
    narrow: .larger, bounds: { x, y in x.mapped(y) { max($0, $1) } },
    values: { x, y, count in x.compute(y, count) { $0 > $1 ? $0 : $1 >= $0 ? $1 : .missing } })

  static let smaller = RowFunction(
    "smaller", "The smaller of two values.", example: "smaller(open, close)", synonyms: ["least"], operandCount: 2,
    narrow: .smaller, bounds: { x, y in x.mapped(y) { min($0, $1) } },
    values: { x, y, count in x.compute(y, count) { $0 < $1 ? $0 : $1 <= $0 ? $1 : .missing } })

  static let coalesce = RowFunction(
    "coalesce", "The first of two or more values that isn't missing.", example: "coalesce(open, prev(close))",
    synonyms: ["fillna", "fill_null", "nvl", "ifnull"], operandCount: 2,
    bounds: { x, y in
      var either = x.mayBeMissing ? x.union(y) : x
      either.mayBeMissing = either.mayBeMissing && y.mayBeMissing || !(either.low.isFinite && either.high.isFinite)
      return either
    }, values: { x, y, count in x.compute(y, count) { $0.isNaN ? $1 : $0 } })
}

private func naturalLogarithm(_ x: Double) -> Double { log(x) }
private func powerOfE(_ x: Double) -> Double { exp(x) }
