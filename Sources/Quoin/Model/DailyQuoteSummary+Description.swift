extension DailyQuoteSummary: CustomStringConvertible {
  /// The ticker, the day and the values, without the missing ones: `FDX 2018-03-27: open 238.0, volume 2135400`.
  public var description: String {
    let values = Attribute.allCases.compactMap { name in text(of: name).map { "\(name.wikiName) \($0)" } }
    return "\(ticker) \(date): \(values.isEmpty ? "no values" : values.joined(separator: ", "))"
  }

  private func text(of attribute: Attribute) -> String? {
    attribute.isInteger ? integer(attribute).map { "\($0)" } : self[attribute].map { "\($0)" }
  }
}
