// What the rows of a table say, in words.
extension TableSurvey {
  /// What is found out about numbers and days. What the rows leave open is left out.
  ///
  /// - Parameter whole: what the days of the whole file say of their order, if more of them were looked at.
  func explained(order whole: DayOrder?) -> [ImportExplanation.Finding] {
    var findings: [ImportExplanation.Finding] = []
    if let styles = try? numberStyles() { findings += explained(styles) }
    guard let column = plan.roles.firstIndex(where: { $0 == .date || $0 == .datePart(.day) }) else {
      return findings
    }
    let found = dates == .automatic ? try? reading(order: whole ?? order) : dates
    if let found, let example = examples[column].first {
      findings += DateReading.explained(
        found, example: example, order: whole ?? order, secondsEast: times.secondsEast, options)
    }
    return findings
  }

  /// The columns of numbers, each with the sign before fractions.
  private func numberColumns(_ styles: [NumberStyle]) -> [(index: Int, style: NumberStyle)] {
    styles.indices.filter { roles[$0].isNumber }.map { ($0, styles[$0]) }
  }

  private func explained(_ styles: [NumberStyle]) -> [ImportExplanation.Finding] {
    let columns = numberColumns(styles)
    guard !columns.isEmpty else { return [] }
    let marks = NumberStyle.Mark.allCases.filter { mark in columns.contains { $0.style.decimal == mark } }
    let isTold = options.numberStyle != nil
    let decimal: (String, String, String?) =
      switch marks.count {
      case 0: ("either", "no number has a point or a comma", nil)
      case 1: (marks[0].word, isTold ? ColumnPlan.told : reason(marks[0], columns), marks[0].text)
      default:
        (
          marks.map { mark in "\(mark.word) in \(names(columns.filter { $0.style.decimal == mark }))" }
            .joined(separator: ", "), "the numbers of each column say so", nil
        )
      }
    let groups = columns.compactMap { column, style in
      style.decimal.flatMap { numbers[column].groups[$0] }.map { (sign: $0.sign, example: $0.example, column: column) }
    }
    return [
      .init(subject: .decimal, value: decimal.0, reason: decimal.1, setting: decimal.2),
      grouping(groups, isDecimalKnown: marks.count == 1),
    ]
  }

  /// Why a sign is before fractions.
  private func reason(_ mark: NumberStyle.Mark, _ columns: [(index: Int, style: NumberStyle)]) -> String {
    for (index, style) in columns where style.decimal == mark && numbers[index].verdict == .decimal(mark) {
      if let number = numbers[index].decider {
        return "'\(ShownText.sanitized(number.utf8))' in column '\(plan.names[index])' has no other reading"
      }
      return "the numbers of column '\(plan.names[index])' together have no other reading"
    }
    if let number = columns.lazy.compactMap({ numbers[$0.index].ungroupedExample }).first,
      columns.contains(where: { if case .both = numbers[$0.index].verdict { true } else { false } })
    {
      return "'\(ShownText.sanitized(number.utf8))' says that digits aren't grouped"
    }
    return isDocument ? "JSON writes numbers so" : "commas stand between cells, and no cell is in quotation marks"
  }

  private func grouping(
    _ groups: [(sign: UInt8, example: String, column: Int)], isDecimalKnown: Bool
  ) -> ImportExplanation.Finding {
    if let sign = options.groupingMark {
      return .init(subject: .thousands, value: sign.groupWord, reason: ColumnPlan.told, setting: String(sign))
    }
    guard let first = groups.first else {
      return .init(
        subject: .thousands, value: "none", reason: "no number of the first rows groups its digits", setting: nil)
    }
    let sign = Character(Unicode.Scalar(first.sign))
    let isOnly = isDecimalKnown && groups.allSatisfy { $0.sign == first.sign }
    return .init(
      subject: .thousands, value: sign.groupWord,
      reason: "'\(ShownText.sanitized(first.example.utf8))' in column '\(plan.names[first.column])' has it",
      setting: isOnly ? String(sign) : nil)
  }

  private func names(_ columns: [(index: Int, style: NumberStyle)]) -> String {
    columns.map { "'\(plan.names[$0.index])'" }.joined(separator: " and ")
  }
}

extension NumberStyle.Mark {
  fileprivate var word: String { self == .point ? "point" : "comma" }
  fileprivate var text: String { self == .point ? "." : "," }
}

extension Character {
  fileprivate var groupWord: String {
    switch self {
    case ".": "point"
    case ",": "comma"
    case " ": "space"
    default: "apostrophe"
    }
  }
}
