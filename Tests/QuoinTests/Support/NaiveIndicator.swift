@testable import Quoin
@testable import QuoteGenerator

/// Indicators by their recurrences, written out: each row from the one before.
struct NaiveIndicator {
  /// Those that it has.
  static let all: [Indicator] = [.ema, .wilder, .macd, .rsi, .willr, .obv]

  let indicator: Indicator
  let numbers: [Double]

  /// The values of each row. Rows in which an input isn't a finite number repeat the value of the row before.
  func values(_ inputs: [[Double]]) -> [Double] {
    let whole = inputs[0].indices.filter { row in inputs.allSatisfy { $0[row].isFinite } }
    let values = unbounded(inputs.map { input in whole.map { input[$0] } }).map { $0.isFinite ? $0 : .nan }
    return inputs[0].indices.map { row in
      let place = whole.lastIndex { $0 <= row }
      return place.map { values[$0] } ?? .nan
    }
  }

  private func unbounded(_ x: [[Double]]) -> [Double] {
    switch indicator {
    case .ema:
      let isWeight = numbers[0] < 1
      return average(x[0], isWeight ? 1 : Int(numbers[0]), isWeight ? numbers[0] : factor(numbers[0]))
    case .wilder: return average(x[0], Int(numbers[0]), 1 / numbers[0])
    case .macd:
      let (fast, slow) = (numbers.min()!, numbers.max()!)
      // The fast one leaves out the first rows, so that both begin at the same one.
      let late = Array(x[0].dropFirst(Int(slow - fast)))
      let fastAverage = x[0].prefix(Int(slow - fast)).map { _ in Double.nan } + average(late, Int(fast), factor(fast))
      return zip(fastAverage, average(x[0], Int(slow), factor(slow))).map { $0 - $1 }
    case .rsi:
      let moves = zip(x[0].dropFirst(), x[0]).map { $0 - $1 }
      let rises = average(moves.map { $0 > 0 ? $0 : 0 }, Int(numbers[0]), 1 / numbers[0])
      let falls = average(moves.map { $0 > 0 ? 0 : -$0 }, Int(numbers[0]), 1 / numbers[0])
      return x[0].prefix(1).map { _ in .nan } + zip(rises, falls).map { $0 + $1 == 0 ? 0 : 100 * ($0 / ($0 + $1)) }
    case .willr:
      let count = Int(numbers[0])
      return x[0].indices.map { row in
        guard row + 1 >= count else { return .nan }
        let (high, low) = (x[0][(row + 1 - count)...row].max()!, x[1][(row + 1 - count)...row].min()!)
        return high == low ? 0 : -100 * (high - x[2][row]) / (high - low)
      }
    case .obv:
      var sum = 0.0
      return x[0].indices.map { row in
        let isRise = row == 0 || x[0][row] > x[0][row - 1]
        sum += isRise ? x[1][row] : x[0][row] < x[0][row - 1] ? -x[1][row] : 0
        return sum
      }
    default: preconditionFailure("the oracle has no \(indicator)")
    }
  }

  private func factor(_ count: Double) -> Double { 2 / (count + 1) }

  /// It begins with the mean of the first values, and moves towards each later one by a part of the way.
  private func average(_ values: [Double], _ count: Int, _ factor: Double) -> [Double] {
    guard count <= values.count else { return values.map { _ in .nan } }
    var averages = Array(repeating: Double.nan, count: count - 1)
    averages.append(values[..<count].reduce(0, +) / Double(count))
    for value in values[count...] {
      let before = averages[averages.count - 1]
      averages.append(before + factor * (value - before))
    }
    return averages
  }
}

extension RandomMarket {
  func indicator(_ dice: inout SeededRandom, _ x: QuoteExpression) -> QuoteExpression {
    let indicator = dice.element(of: NaiveIndicator.all)
    let inputs = [x] + indicator.inputs.dropFirst().map { .attribute($0) }
    let numbers = indicator.periods.map { _ in Double(dice.element(of: [1, 2, 5, 14, 30, 1100])) }
    let isWeighted = indicator.takesWeight && dice.chance(0.3)
    return .indicator(indicator, inputs, isWeighted ? [dice.element(of: [0.06, 0.5])] : numbers)
  }
}
