import Quoin

// The kinds of parameters, as rows of a question's table.

extension Parameter where Question.Source == Parameters {
  /// A whole number, not less than `minimum` if there is one.
  static func number(
    _ name: String, or alias: String? = nil, from minimum: Int? = nil, default defaultValue: Int? = nil,
    _ meaning: String, take: @escaping @Sendable (inout Question, Int) throws -> Void
  ) -> Self {
    let description = ParameterDescription(
      name, alias: alias, meaning, .number(from: minimum), defaultValue: defaultValue.map { "\($0)" })
    return Self(description) { parameters, question in
      guard let text = parameters.value(description.names) else { return }
      guard text.utf8.count <= ServiceLimits.valueByteCount, let number = Int(text), number >= minimum ?? .min else {
        throw ServiceError.badValue(
          text, of: name, "it is a whole number" + (minimum.map { " from \($0) up" } ?? ""))
      }
      try take(&question, number)
    }
  }

  /// A day, `2005-10-14`; a time of day after it is ignored.
  static func day(
    _ name: String, or alias: String? = nil, _ meaning: String,
    take: @escaping @Sendable (inout Question, TradingDay) throws -> Void
  ) -> Self {
    let description = ParameterDescription(name, alias: alias, meaning, .day)
    return Self(description) { parameters, question in
      guard let text = parameters.value(description.names) else { return }
      guard let day = TradingDay(parameter: text) else {
        throw ServiceError.badValue(text, of: name, TradingDay.parameterForm)
      }
      try take(&question, day)
    }
  }

  /// One of some words, whatever its case.
  static func choice<Choice>(
    _ name: String, or alias: String? = nil, among type: Choice.Type, default defaultValue: Choice? = nil,
    _ meaning: String, take: @escaping @Sendable (inout Question, Choice) throws -> Void
  ) -> Self where Choice: RawRepresentable<String> & CaseIterable & SendableMetatype {
    let words = Choice.allCases.map(\.rawValue)
    let description = ParameterDescription(
      name, alias: alias, meaning, .words(words), defaultValue: defaultValue?.rawValue)
    return Self(description) { parameters, question in
      guard let text = parameters.value(description.names) else { return }
      guard text.utf8.count <= ServiceLimits.valueByteCount, let choice = Choice(rawValue: text.lowercased()) else {
        throw ServiceError.badChoice(text, of: name, among: words)
      }
      try take(&question, choice)
    }
  }

  /// A text, which is given once: of several, the last one counts.
  static func text(
    _ name: String, _ meaning: String, take: @escaping @Sendable (inout Question, String) throws -> Void
  ) -> Self {
    Self(ParameterDescription(name, meaning)) { parameters, question in
      if let text = parameters.value([name]) { try take(&question, text) }
    }
  }

  /// Texts with commas between them, which may be given in several parts.
  static func list(
    _ name: String, _ meaning: String, take: @escaping @Sendable (inout Question, [String]) throws -> Void
  ) -> Self {
    Self(ParameterDescription(name, meaning)) { parameters, question in
      let parts = parameters.values(name)
      if !parts.isEmpty { try take(&question, parts.flatMap { $0.split(separator: ",").map(String.init) }) }
    }
  }
}

extension TradingDay {
  static let parameterForm = "it is a day of the calendar, such as 2005-10-14"

  /// The day that a parameter names: `2005-10-14`, or as scripts have it: `2016-1-1`, `2016/01/01`, `20160101`, and with a time of day
  /// after it, as programs print their dates.
  init?(parameter text: String) {
    guard text.utf8.count <= ServiceLimits.valueByteCount else { return nil }
    let date = text.prefix { $0 != "T" && $0 != " " }
    guard text.dropFirst(date.count).dropFirst().allSatisfy({ "0123456789:.+-Z".contains($0) }),
      let parts = Self.parts(of: date), let day = TradingDay(parts.joined(separator: "-"))
    else { return nil }
    self = day
  }

  /// The year, the month and the day, with all their digits.
  private static func parts(of date: Substring) -> [String]? {
    let isWhole = date.utf8.count == 8 && date.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let sign = date.first { "-/".contains($0) } ?? "-"
    let parts =
      isWhole
      ? [date.prefix(4), date.dropFirst(4).prefix(2), date.dropFirst(6)]
      : date.split(separator: sign, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1...].allSatisfy({ 1...2 ~= $0.count }) else { return nil }
    return parts.map { $0.count == 1 ? "0\($0)" : String($0) }
  }
}
