#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The round numbers of a scale: 1, 2 or 5 times a power of ten apart; on a logarithmic scale, such numbers themselves.
enum ValueTicks {
  /// - Parameters:
  ///   - spacing: the least distance of two ticks.
  ///   - form: how numbers are written.
  static func ticks(of scale: ValueScale, spacing: Double, _ form: NumberForm) -> [SceneTick] {
    let decades = scale.isLogarithmic ? log10(scale.highest) - log10(scale.lowest) : 0
    let values = decades >= 1 ? decadeValues(scale, decades, spacing) : evenValues(scale, spacing)
    let largest = max(scale.lowest.magnitude, scale.highest.magnitude)
    let ticks = values.map { value, step in
      let place = scale.position(value)
      return SceneTick(
        position: place, labelPosition: place,
        label: form.text(value, step: step, largest: decades >= 1 ? value : largest))
    }
    return scale.isLogarithmic ? ticks.apart(by: spacing * 0.9) : ticks
  }

  private typealias Value = (value: Double, step: Double)

  /// Multiples of a step.
  private static func evenValues(_ scale: ValueScale, _ spacing: Double) -> [Value] {
    let count = max(1, (scale.length / spacing).rounded(.down))
    let step = RoundStep.atLeast((scale.highest - scale.lowest) / count)
    let first = (scale.lowest / step).rounded(.up)
    var values: [Value] = []
    for index in 0...Int(count) + 1 {
      let value = (first + Double(index)) * step
      if value >= scale.lowest, value <= scale.highest { values.append((value, step)) }
    }
    return values
  }

  /// 1, 2 and 5 times powers of ten, or only the powers, or only each so many of them.
  private static func decadeValues(_ scale: ValueScale, _ decades: Double, _ spacing: Double) -> [Value] {
    let perDecade = scale.length / decades
    let factors: [Double] = perDecade * 0.3 >= spacing ? [1, 2, 5] : perDecade * 0.47 >= spacing ? [1, 3] : [1]
    let stride = max(1, Int((spacing / perDecade).rounded(.up)))
    let first = Int(log10(scale.lowest).rounded(.down))
    let last = Int(log10(scale.highest).rounded(.up))
    var values: [Value] = []
    for exponent in first...last where exponent % stride == 0 {
      let power = pow(10, Double(exponent))
      for factor in factors where factor * power >= scale.lowest && factor * power <= scale.highest {
        values.append((factor * power, power))
      }
    }
    return values
  }
}

extension [SceneTick] {
  /// Without those that are nearer than `spacing` to the one before.
  fileprivate func apart(by spacing: Double) -> [SceneTick] {
    var kept: [SceneTick] = []
    for tick in self where kept.last.map({ ($0.position - tick.position).magnitude >= spacing }) ?? true {
      kept.append(tick)
    }
    return kept
  }
}
