import Quoin

extension Parameters {
  /// A whole number, from `minimum` up where there is one.
  func number(_ names: String..., from minimum: Int? = nil) throws(ServiceError) -> Int? {
    guard let text = value(names), let name = names.first else { return nil }
    if text.utf8.count <= ServiceLimits.valueByteCount, let number = Int(text), number >= minimum ?? .min {
      return number
    }
    throw .badValue(text, of: name, "it is a whole number" + (minimum.map { " from \($0) up" } ?? ""))
  }

  /// A day, `2005-10-14`; a time of day behind it is passed over.
  func day(_ names: String...) throws(ServiceError) -> TradingDay? {
    guard let text = value(names), let name = names.first else { return nil }
    guard let day = TradingDay(parameter: text) else { throw .badValue(text, of: name, TradingDay.parameterForm) }
    return day
  }

  /// One of some words, whatever its case.
  func choice<Choice>(_ names: String..., among type: Choice.Type = Choice.self) throws(ServiceError) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let text = value(names), let name = names.first else { return nil }
    if text.utf8.count <= ServiceLimits.valueByteCount, let choice = Choice(rawValue: text.lowercased()) {
      return choice
    }
    throw .badChoice(text, of: name, among: Choice.allCases.map(\.rawValue))
  }
}

extension TradingDay {
  static let parameterForm = "it is a day of the calendar, such as 2005-10-14"

  /// The day that a parameter names: `2005-10-14`, or with a time of day, as programs print their dates.
  init?(parameter text: String) {
    guard text.utf8.count <= ServiceLimits.valueByteCount, let day = TradingDay(text.prefix(10)) else { return nil }
    let time = text.dropFirst(10)
    guard time.isEmpty || time.first == "T" || time.first == " ",
      time.dropFirst().allSatisfy({ "0123456789:.+-Z".contains($0) })
    else { return nil }
    self = day
  }
}
