// What is read as it is written, and is often meant otherwise.

extension PredicateParser {
  /// Notes what a percentage is where it stands beside money, or is compared with it.
  mutating func notePercent(_ left: Phrase, _ function: RowFunction, _ right: Phrase, from start: PredicateToken) {
    guard function == .add || function == .subtract, case .value(.number(_, let token)) = right,
      spelling(token).hasSuffix("%"), case .value(.expression(let x)) = left, x.unit == .money
    else { return }
    let (percent, isSum) = (spelling(token).dropLast(), function == .add)
    let price = text(from: start, upTo: tokens[place(of: token) - 1])
    let form = WrittenForm("{left:close} * (1 \(isSum ? "+" : "-") \(percent)%)").with(["left": price])
    notes.append(
      "\(percent)% is \(shown(token)), and so much is \(isSum ? "added to" : "taken from") the price; write \(form) for "
        + "\(percent) % \(isSum ? "more" : "less")")
  }

  /// Notes a comparison that is rarely meant so: of money with a percentage, of a gain with 500 %, of what is in percent with a
  /// percentage, and of anything with nan.
  mutating func noteComparison(_ left: Value, _ right: Value) {
    for (value, other) in [(left, right), (right, left)] {
      guard case .number(let literal, let token) = other else { continue }
      if case .notANumber = literal {
        notes.append("nothing equals nan, or differs from it; what has no value is found by close is missing")
        continue
      }
      guard case .expression(let x) = value else { continue }
      let number = literal.exactNumber.nearest
      let isPercent = spelling(token).hasSuffix("%")
      switch x.unit {
      case .money where isPercent:
        notes.append(
          "\(spelling(token)) is \(shown(token)), and what it is compared with is money; a share of it is, for example, "
            + "(close - open) / open")
      case .percent where isPercent:
        notes.append(
          "\(spelling(token)) is \(shown(token)), and what it is compared with is in percent; write \(spelling(token).dropLast())"
        )
      case .gain where !isPercent && (1..<1e6).contains(abs(number)):
        // Of the number as it is printed: 110 for 1.1, where a product of float64s is 110.00000000000001.
        let percent = DecimalLiteral(Array("\(number)".utf8)[...])?.timesHundred.double ?? number * 100
        let written = spelling(token).last?.isNumber == true ? spelling(token) : shown(number)
        notes.append("\(spelling(token)) is \(shown(percent)) %; write \(written)% for a hundredth of that")
      default: break
      }
    }
  }

  /// A number, whole if it is.
  private func shown(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }

  /// A percentage as a number.
  private func shown(_ token: PredicateToken) -> String {
    guard case .number(let literal) = token.kind else { return spelling(token) }
    return "\(literal.exactNumber.nearest)"
  }
}

/// What a number counts, as far as that is known.
enum ValueUnit {
  case money
  /// A quotient of money.
  case share
  /// A share above 1, such as 5% for 1.05.
  case gain
  /// A gain or share times 100.
  case percent
}

extension QuoteExpression {
  /// Nil for a large one too: names could make it of any size, and what is deep needs a stack.
  var unit: ValueUnit? {
    guard size.nodeCount <= 100 else { return nil }
    switch node {
    case .attribute(let attribute): return Self.prices.contains(attribute) ? .money : nil
    case .shifted(let x, _): return x.unit
    case .window(let function, let inputs, _, _):
      return [.mean, .min, .max, .median].contains(function) ? inputs[0].unit : nil
    case .indicator(let indicator, let inputs, _): return indicator.name == "ema" ? inputs[0].unit : nil
    case .row(let function, let operands):
      guard operands.count == 2 else { return nil }
      return Self.unit(of: function, operands[0], operands[1])
    default: return nil
    }
  }

  private static func unit(of function: RowFunction, _ a: QuoteExpression, _ b: QuoteExpression) -> ValueUnit? {
    let (x, y) = (a.unit, b.unit)
    switch function {
    case .add, .subtract:
      if x == .share, b.number == 1, function == .subtract { return .gain }
      return x == .money && (y == .money || b.isConstant) ? .money : nil
    case .divide:
      guard x == .money, y == .money else { return nil }
      // (close - open) / open is a gain, and close / open a share.
      if case .row(.subtract, _) = a.node { return .gain }
      return .share
    case .multiply:
      let (unit, number) = a.isConstant ? (y, a.number) : (x, b.number)
      if number == 100, unit == .share || unit == .gain { return .percent }
      return unit == .money && number != nil ? .money : nil
    default: return nil
    }
  }

  private static let prices = AttributeSet([
    .open, .high, .low, .close, .adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose,
  ])
}
