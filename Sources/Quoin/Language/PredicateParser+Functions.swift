// Calls of functions: `mean(close, 20)`.

extension PredicateParser {
  /// What stands between the parentheses of a call.
  struct Arguments {
    var list: [Argument] = []
    /// What follows them: `desc by day among volume > 0`.
    var day: Day?
    /// The groups that they are of, inside each group: `per month`.
    var inner: (grouping: Grouping, token: PredicateToken)?
    let end: PredicateToken
  }

  struct Day {
    var order: DateOrder
    var predicate = Predicate.all([])
    let token: PredicateToken
  }

  struct Argument {
    var phrase: Phrase
    let token: PredicateToken
    /// The rows of a window that isn't a number of them: `this month`, `since close > open`.
    var span: WindowSpan?
    /// Whether a number is of days: `30 days`.
    var isOfDays = false
    /// `1` of `20 min 1`.
    var minimum: (count: NumberLiteral, token: PredicateToken)?
  }

  mutating func call(_ word: String) throws(PredicateSyntaxError) -> Phrase {
    let name = LanguageReference.name(of: word, isOfGroups: false)
    if isOfGroups, name != "if", namedRowFunction(name) == nil {
      return .value(.expression(.aggregated(try aggregate(word))))
    }
    let function = advance()
    let arguments = try arguments(of: name)
    if let day = arguments.day { return .value(.expression(try market(name, function, arguments, day))) }
    if let value = try value(ofDays: name, function, arguments) { return .value(value) }
    if let phrase = try condition(name, function, arguments) { return .predicate(phrase) }
    return .value(.expression(try expression(name, function, arguments)))
  }

  mutating func arguments(of name: String) throws(PredicateSyntaxError) -> Arguments {
    try parenthesized { parser throws(PredicateSyntaxError) in
      let wasInList = parser.isInList
      parser.isInList = true
      defer { parser.isInList = wasInList }
      var list: [Argument] = []
      while parser.token.kind != .closeParenthesis {
        if let day = try parser.day(of: name) { return Arguments(list: list, day: day, end: parser.token) }
        if let inner = try parser.innerGroups(), !list.isEmpty {
          return Arguments(list: list, inner: inner, end: parser.token)
        }
        if !list.isEmpty {
          guard parser.token.kind == .comma else { throw parser.expected("',' or ')'") }
          parser.advance()
          if let day = try parser.day(of: name) { return Arguments(list: list, day: day, end: parser.token) }
        }
        let token = parser.token
        if token.kind == .arithmetic(.multiply) {
          throw parser.error("\(name)(*) is written \(name == "count" ? "count" : "\(name)(close)")", at: token)
        }
        list.append(try parser.argument())
      }
      return Arguments(list: list, end: parser.token)
    }
  }

  private mutating func argument() throws(PredicateSyntaxError) -> Argument {
    let start = token
    if token.isWord("this"), case .word(let word) = following.kind, let period = CalendarPeriod(rawValue: word) {
      advance()
      advance()
      return Argument(phrase: .predicate(.all([])), token: start, span: .period(period))
    }
    if token.isWord("since"), definitions.phrases["since"] == nil, following.kind != .openParenthesis {
      advance()
      let first = token
      let phrase = try phrase()
      let predicate = try predicate(phrase, from: first)
      return Argument(phrase: .predicate(predicate), token: start, span: .since(predicate))
    }
    var argument = Argument(phrase: try phrase(), token: start)
    if case .value(.number) = argument.phrase, token.isWord("days") || token.isWord("day") {
      advance()
      argument.isOfDays = true
    }
    if token.isWord("min") {
      advance()
      guard case .number(let literal) = token.kind else { throw expected("a number of rows") }
      argument.minimum = (literal, advance())
    }
    return argument
  }

  /// A function that is a condition by itself; nil if this isn't one.
  private func condition(
    _ name: String, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> Predicate? {
    if let flag = FlagFunction.named(name), flag.isCondition {
      let example = "\(name)(close > open, 3)"
      try check(arguments, 2...2, function, example)
      let predicate = try condition(arguments, function, example)
      return .holds(.flag(flag, predicate, try span(arguments, at: 1)))
    }
    guard name == "crosses" else { return nil }
    try check(arguments, 2...2, function, "crosses(mean(close, 50), mean(close, 200))")
    let (x, y) = (try expression(arguments, 0), try expression(arguments, 1))
    if x.isConstant, y.isConstant {
      throw constant(function, arguments.list[0], "crosses(close, mean(close, 50))")
    }
    return .crosses(x, y)
  }

  /// The condition that a function of rows is of.
  private func condition(
    _ arguments: Arguments, _ function: PredicateToken, _ example: String
  ) throws(PredicateSyntaxError) -> Predicate {
    guard case .predicate(let predicate) = arguments.list[0].phrase else {
      throw error("\(spelling(function)) takes a condition: \(example)", at: arguments.list[0].token)
    }
    return predicate
  }

  private func namedRowFunction(_ name: String) -> RowFunction? { RowFunction.named.first { $0.name == name } }

  func expression(
    _ name: String, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> QuoteExpression {
    if let row = namedRowFunction(name) { return try self.row(row, function, arguments) }
    if let field = CalendarField(rawValue: name) {
      try check(arguments, 1...1, function, "\(name)(date)")
      guard case .value(.date) = arguments.list[0].phrase else {
        throw error("\(name) takes the date: \(name)(date)", at: arguments.list[0].token)
      }
      return .calendar(field)
    }
    if name == "if" {
      try check(arguments, 2...3, function, "if(close > open, 1, 0)")
      let predicate = try predicate(arguments.list[0].phrase, from: arguments.list[0].token)
      let x = try expression(arguments, 1)
      return arguments.list.count == 2 ? .if(predicate, x) : .if(predicate, x, try expression(arguments, 2))
    }
    if name == "days_since" {
      let example = "days_since(ex-dividend > 0)"
      try check(arguments, 1...1, function, example)
      return .daysSince(try condition(arguments, function, example))
    }
    if let shift = ShiftFunction.named(name) { return try self.shift(shift, function, arguments) }
    if let flag = FlagFunction.named(name), let count = try self.flag(flag, function, arguments) { return count }
    if let indicator = Indicator.named(name) { return try self.indicator(indicator, function, arguments) }
    if let window = WindowFunction.named(name) { return try self.window(window, function, arguments) }
    throw unknownFunction(name, function)
  }

  private func row(
    _ row: RowFunction, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> QuoteExpression {
    let example = row.operandCount == 1 ? "\(row.name)(close - open)" : "\(row.name)(open, close)"
    if row.operandCount == 1, arguments.list.count > 1, let word = ForeignWord.named(row.name, .longer) {
      throw error(
        "\(spelling(function)) takes one value; \(advice(on: word, calledBy: function))", at: arguments.list[1].token)
    }
    try check(arguments, row.operandCount...(row.operandCount == 1 ? 1 : Limits.predicateDepth), function, example)
    var result = try expression(arguments, 0)
    try refuseDay(result, at: arguments.list[0].token)
    if row.operandCount == 1 { return QuoteExpression(row, [result]) }
    for index in arguments.list.indices.dropFirst() {
      let next = try expression(arguments, index)
      try refuseDay(next, at: arguments.list[index].token)
      result = QuoteExpression(row, [result, next])
    }
    return result
  }

  private func shift(
    _ shift: ShiftFunction, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> QuoteExpression {
    try check(arguments, 1...2, function, "\(shift)(close), or \(shift)(close, 5) for 5 rows")
    let rows = arguments.list.count > 1 ? try count(arguments.list[1]) : nil
    let x = try column(arguments, 0, function, "\(shift)(close, \(rows ?? likelyCount(arguments.list[0]) ?? 5))")
    return shift.expression(x, rows)
  }

  /// `count` is of a condition or of an expression, by its first argument; nil for an expression.
  private func flag(
    _ flag: FlagFunction, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> QuoteExpression? {
    let example = "\(flag)(close > open\(flag.hasWindow ? ", 20" : ""))"
    if flag == .count, let first = arguments.list.first, case .value = first.phrase { return nil }
    try check(arguments, flag.hasWindow ? 1...2 : 1...1, function, example)
    let predicate = try condition(arguments, function, example)
    return .flag(flag, predicate, flag.hasWindow ? try span(arguments, at: 1) : .all)
  }

  private func window(
    _ window: WindowFunction, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> QuoteExpression {
    let (name, inputs, hasQuantile) = (window.name, window.inputCounts, window.takesShare)
    let example =
      hasQuantile
      ? "\(name)(close, 20, 0.8)" : inputs.lowerBound == 2 ? "\(name)(close, volume, 20)" : "\(name)(close, 20)"
    let most = inputs.upperBound + 1 + (hasQuantile ? 1 : 0)
    try check(arguments, (hasQuantile ? 3 : inputs.lowerBound)...most, function, example)
    // The number of rows comes last, but for a quantile.
    let countPlace = hasQuantile ? 1 : arguments.list.count - 1
    let place = arguments.list[countPlace]
    let hasCount =
      arguments.list.count > inputs.lowerBound && isCount(place)
      || arguments.list.count > inputs.upperBound && calledSince(place) != nil
    let inputCount = hasQuantile ? 1 : arguments.list.count - (hasCount ? 1 : 0)
    guard inputs.contains(inputCount) else {
      let last = arguments.list[countPlace]
      if window == .min || window == .max {
        let row = window == .min ? "smaller" : "larger"
        throw error(
          "\(name) takes a number of rows: \(example); of two numbers, write \(row)(open, close)", at: last.token)
      }
      throw error("expected a number of rows, as in \(example)", at: last.token)
    }
    if window == .rank, !hasCount {
      throw error(
        "rank is among the ticker's last rows, rank(close, 20), or among all tickers, rank(close by day)", at: function)
    }
    let span = hasCount ? try span(arguments, at: countPlace) : .all
    let meant = span.rowCountMax ?? likelyCount(arguments.list[0]) ?? 20
    let form = inputs.lowerBound == 2 ? example : "\(name)(close, \(meant)\(hasQuantile ? ", 0.8" : ""))"
    var operands: [QuoteExpression] = []
    for index in 0..<inputCount { operands.append(try column(arguments, index, function, form)) }
    var quantile: Double?
    if hasQuantile {
      guard case .value(.number(let literal, let token)) = arguments.list[2].phrase,
        (0...1).contains(literal.exactNumber.nearest)
      else { throw error("a quantile is a number from 0 to 1, as in \(example)", at: arguments.list[2].token) }
      quantile = try double(literal, token)
    }
    return .window(window, operands, span, quantile: quantile)
  }
}

// Indicators.
extension PredicateParser {
  /// `rsi(close, 14)`; without expressions, those of the usual attributes; without numbers, the usual ones.
  private func indicator(
    _ indicator: Indicator, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> QuoteExpression {
    let (inputs, periods) = (indicator.inputs, indicator.periods)
    let example = ((inputs.count == 1 ? ["close"] : []) + periods.map { "\($0)" }).joined(separator: ", ")
    let form = "\(indicator.name)(\(example))"
    try check(arguments, 0...(inputs.count + periods.count), function, form)
    let expressionCount = arguments.list.firstIndex(where: isCount) ?? arguments.list.count
    let counts = arguments.list[expressionCount...]
    guard expressionCount == 0 || expressionCount == inputs.count else {
      let names = inputs.map(\.wikiName).joined(separator: ", ")
      throw error("\(indicator.name) takes \(names): \(form)", at: arguments.list[0].token)
    }
    guard counts.isEmpty || counts.count == periods.count else {
      throw error("\(indicator.name) is written \(form)", at: arguments.end)
    }
    var operands: [QuoteExpression] = inputs.map { .attribute($0) }
    for index in 0..<expressionCount { operands[index] = try column(arguments, index, function, form) }
    var numbers = periods.map { Double($0) }
    for (index, argument) in counts.enumerated() {
      if let weight = try weight(argument, indicator) {
        numbers[index] = weight
      } else {
        numbers[index] = Double(try count(argument))
      }
    }
    return .indicator(indicator, operands, numbers)
  }
}

// Arguments.
extension PredicateParser {
  /// What the newest value of an average counts, if that is given in place of a number of rows.
  private func weight(_ argument: Argument, _ indicator: Indicator) throws(PredicateSyntaxError) -> Double? {
    guard indicator.takesWeight, case .value(.number(let literal, let token)) = argument.phrase else { return nil }
    let number = try double(literal, token)
    return number > 0 && number < 1 ? number : nil
  }

  func expression(_ arguments: Arguments, _ index: Int) throws(PredicateSyntaxError) -> QuoteExpression {
    let argument = arguments.list[index]
    if let (_, token) = argument.minimum { throw error("only a number of rows has a minimum", at: token) }
    if argument.span != nil || argument.isOfDays {
      throw error("the rows of a window come last, as in mean(close, 30 days)", at: argument.token)
    }
    return try expression(argument.phrase, from: argument.token)
  }

  /// An expression of a function over rows. It differs from row to row: `mean(200)` forgot the column.
  ///
  /// - Parameter form: what was meant.
  func column(
    _ arguments: Arguments, _ index: Int, _ function: PredicateToken, _ form: String
  ) throws(PredicateSyntaxError) -> QuoteExpression {
    let expression = try expression(arguments, index)
    if expression.isConstant { throw constant(function, arguments.list[index], form) }
    try refuseDay(expression, at: arguments.list[index].token)
    return expression
  }

  private func constant(
    _ function: PredicateToken, _ argument: Argument, _ form: String
  ) -> PredicateSyntaxError {
    error("\(spelling(function)) of what? A number is the same in every row; write \(form)", at: argument.token)
  }

  /// The number of rows that a number in the wrong place may be.
  private func likelyCount(_ argument: Argument) -> Int? {
    guard isCount(argument) else { return nil }
    return try? count(argument)
  }

  private func isCount(_ argument: Argument) -> Bool {
    if case .value(.number) = argument.phrase { true } else { argument.span != nil }
  }

  private func count(_ argument: Argument) throws(PredicateSyntaxError) -> Int {
    guard case .value(.number(let literal, let token)) = argument.phrase, !argument.isOfDays else {
      throw error(
        argument.isOfDays ? "expected a number of rows, without 'days'" : "expected a number of rows",
        at: argument.token)
    }
    return try count(literal, token)
  }

  private func count(_ literal: NumberLiteral, _ token: PredicateToken) throws(PredicateSyntaxError) -> Int {
    try checkUnit(of: token, "21 for the rows of a month")
    guard case .at(let count) = literal.exactNumber.integerPosition, 1...Int64(Limits.windowRows) ~= count else {
      let isNegative = literal.exactNumber.nearest < 0
      throw error(
        "a number of rows is a whole number from 1 to \(Limits.windowRows)"
          + (isNegative ? "; rows before are prev(close, 1), and rows after next(close, 1)" : "")
          + (formOfTwo(token).map { "; of two values, write \($0)" } ?? ""), at: token)
    }
    return Int(count)
  }

  /// The window of `since (close > open)`, which reads like a call.
  private func calledSince(_ argument: Argument) -> WindowSpan? {
    guard case .value(.expression(let expression)) = argument.phrase, case .flag(.since, let p, _) = expression.node
    else { return nil }
    return .since(p)
  }

  /// The window that an argument gives: `20`, `20 min 5`, `30 days`, `this month`; all rows so far without the argument.
  private func span(_ arguments: Arguments, at index: Int) throws(PredicateSyntaxError) -> WindowSpan {
    guard index < arguments.list.count else { return .all }
    var argument = arguments.list[index]
    if let span = argument.span ?? calledSince(argument) {
      guard let (_, token) = argument.minimum else { return span }
      throw error("only a number of rows has a minimum", at: token)
    }
    let isOfDays = argument.isOfDays
    argument.isOfDays = false
    let rows = try count(argument)
    var minimum = rows
    if let (literal, token) = argument.minimum {
      minimum = try count(literal, token)
      guard minimum <= rows else {
        throw error("a window of \(rows) \(isOfDays ? "days" : "rows") can't have \(minimum)", at: token)
      }
    }
    let window = RowWindow(rows: rows, minimum: minimum)
    return isOfDays ? .days(window) : .rows(window)
  }

  func check(
    _ arguments: Arguments, _ counts: ClosedRange<Int>, _ function: PredicateToken, _ example: String
  ) throws(PredicateSyntaxError) {
    guard !counts.contains(arguments.list.count) else { return }
    let place = arguments.list.count > counts.upperBound ? arguments.list[counts.upperBound].token : arguments.end
    throw error("\(spelling(function)) is written \(example)", at: place)
  }
}
