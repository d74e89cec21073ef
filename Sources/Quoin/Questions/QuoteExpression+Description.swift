extension QuoteExpression: CustomStringConvertible {
  /// The expression in the query language. One that is too deep for a query is `...`, and so is one inside another that is too long
  /// to be read, because names are used in it again and again.
  public var description: String { SystemThread.deep(levelCount: size.levelCount) { text(.sum) } }

  /// How tightly an operator binds its operands.
  private enum Binding: Int {
    case sum, product, sign, power, atom
  }

  /// The text, in parentheses if it binds less tightly than `binding`.
  private func text(_ binding: Binding) -> String {
    let (text, own) = boundText
    return own.rawValue < binding.rawValue ? "(\(text))" : text
  }

  private var boundText: (String, Binding) {
    if size.isTooLong { return ("...", .atom) }
    switch node {
    case .number(let bits):
      let text = Predicate.number(Double(bitPattern: bits))
      return (text, text.hasPrefix("-") ? .sign : .atom)
    case .attribute(let name): return (name.wikiName, .atom)
    case .calendar(let field): return ("\(field.rawValue)(date)", .atom)
    case .row(let function, let operands): return Self.text(function, operands)
    case .shifted(let x, let rows):
      return (Self.call(rows > 0 ? "prev" : "next", [x], [rows.magnitude == 1 ? nil : "\(rows.magnitude)"]), .atom)
    case .window(let function, let inputs, let span, let quantile):
      return (Self.call(function.name, inputs, [span.text, quantile.map(Predicate.number)]), .atom)
    case .indicator(let indicator, let inputs, let numbers):
      return (Self.call(indicator.name, inputs, numbers.map(Predicate.number)), .atom)
    case .flag(let function, let predicate, let span):
      let parts = ["\(predicate)", function.hasWindow ? span.text : nil].compactMap { $0 }
      return ("\(function.name)(\(parts.joined(separator: ", ")))", .atom)
    case .truth(let predicate): return ("if(\(predicate), 1, 0)", .atom)
    case .choice(let predicate, let x, let y): return ("if(\(predicate), \(x), \(y))", .atom)
    case .aggregate(let aggregation): return ("\(aggregation)", .atom)
    case .market(.ticker(let ticker, let x, let days)):
      let age = days == 0 ? "" : " within \(days) \(days == 1 ? "day" : "days")"
      return ("\(x.text(.atom)) of '\(ticker)'\(age)", .power)
    case .market(let value): return ("\(value)", .atom)
    case .tooDeep: return ("...", .atom)
    }
  }

  private static func text(_ function: RowFunction, _ operands: [QuoteExpression]) -> (String, Binding) {
    func infix(_ binding: Binding, _ left: Binding, _ right: Binding) -> (String, Binding) {
      ("\(operands[0].text(left)) \(function.name) \(operands[1].text(right))", binding)
    }
    return switch function {
    case .add, .subtract: infix(.sum, .sum, .product)
    case .multiply, .divide: infix(.product, .product, .sign)
    case .power: infix(.power, .atom, .sign)
    case .negate: ("-\(operands[0].text(.power))", .sign)
    default: (call(function.name, operands, []), .atom)
    }
  }

  private static func call(_ name: String, _ inputs: [QuoteExpression], _ rest: [String?]) -> String {
    "\(name)(\((inputs.map(\.description) + rest.compactMap { $0 }).joined(separator: ", ")))"
  }
}
