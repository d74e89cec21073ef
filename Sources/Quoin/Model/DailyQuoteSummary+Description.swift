extension DailyQuoteSummary: CustomStringConvertible {
  /// The ticker, the day and the values, without the missing ones: `FDX 2018-03-27: open 238.0, volume 2135400`.
  public var description: String {
    let values = presentValues.map { "\($0.attribute.wikiName) \($0.value)" }
    return "\(ticker) \(date): \(values.isEmpty ? "no values" : values.joined(separator: ", "))"
  }

  /// The values that there are, in file order, each in its own type.
  package var presentValues: [(attribute: Attribute, value: any Codable & CustomStringConvertible)] {
    Attribute.allCases.compactMap { attribute in
      if let whole = integer(attribute) { return (attribute, whole) }
      return self[attribute].map { (attribute, $0) }
    }
  }
}
