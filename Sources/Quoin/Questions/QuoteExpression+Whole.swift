extension QuoteExpression {
  /// Whether all of its values are whole numbers, as far as it shows: then they are written without a point.
  var isWhole: Bool {
    // What has a name may occur again and again.
    var nodeCount = 64
    return isWhole(&nodeCount)
  }

  private func isWhole(_ nodeCount: inout Int) -> Bool {
    nodeCount -= 1
    if nodeCount < 0 { return false }
    switch node {
    case .number(let bits):
      let number = Double(bitPattern: bits)
      return number.isNaN || number.rounded() == number
    case .calendar, .truth: return true
    // A volume with a fraction is written with its point.
    case .attribute(let name): return if case .integer = name.key { true } else { false }
    case .row(.round, _), .row(.floor, _), .row(.ceil, _), .row(.sign, _): return true
    case .row(.add, let parts), .row(.subtract, let parts), .row(.multiply, let parts), .row(.negate, let parts),
      .row(.abs, let parts), .row(.larger, let parts), .row(.smaller, let parts), .row(.coalesce, let parts):
      for part in parts where !part.isWhole(&nodeCount) { return false }
      return true
    case .choice(_, let x, let y): return x.isWhole(&nodeCount) && y.isWhole(&nodeCount)
    case .shifted(let x, _): return x.isWhole(&nodeCount)
    case .window(.first, let parts, _, _), .window(.last, let parts, _, _): return parts[0].isWhole(&nodeCount)
    case .window(.count, _, _, _), .flag(.count, _, _), .flag(.streak, _, _), .flag(.since, _, _): return true
    case .market(.rank(.place, _, _, _)), .market(.tickerNumber): return true
    case .market(.aggregate(let aggregation, _)): return aggregation.function == .count
    case .row, .window, .indicator, .flag, .aggregate, .market, .tooDeep: return false
    }
  }
}
