/// A row, or a day without one, that breaks a rule.
public struct AuditFinding: Hashable, Sendable {
  /// A number that shows what is wrong.
  public struct Value: Hashable, Sendable {
    /// The attribute, as WIKI files call it, or what else the number is: `low`, `close_before`, `expected_adj_close`.
    public let name: String
    /// The number.
    public let number: Double

    /// Whose values are written like this one.
    private let model: Attribute

    /// - Parameter model: an attribute whose values are written like this one: `volume` for whole numbers.
    init(_ name: String, _ number: Double, like model: Attribute) {
      (self.name, self.number, self.model) = (name, number, model)
    }

    init(_ attribute: Attribute, _ number: Double) { self.init(attribute.wikiName, number, like: attribute) }
  }

  /// The stock.
  public let ticker: TickerSymbol
  /// The day that breaks the rule.
  public let day: TradingDay
  /// The rule.
  public let rule: AuditRule
  /// The values that show it.
  public let values: [Value]
  /// The ticker with the same history; nil for all rules but `equalHistory`.
  public let twin: TickerSymbol?
  /// The day of the row before the gap; nil for all rules but `gap`.
  public let dayBefore: TradingDay?

  init(
    _ ticker: TickerSymbol, _ day: TradingDay, _ rule: AuditRule, _ values: [Value] = [], twin: TickerSymbol? = nil,
    dayBefore: TradingDay? = nil
  ) {
    (self.ticker, self.day, self.rule, self.values) = (ticker, day, rule, values)
    (self.twin, self.dayBefore) = (twin, dayBefore)
  }

  /// The values in words: `low=13.2 high=12.9`. Empty if there are none.
  public var details: String {
    let words = [dayBefore.map { "day_before=\($0)" }] + values.map(\.description) + [twin.map { "twin=\($0)" }]
    return words.compactMap { $0 }.joined(separator: " ")
  }
}

extension AuditFinding: CustomStringConvertible {
  /// `FDX 2005-10-14 low-above-high low=13.2 high=12.9`
  public var description: String {
    "\(ticker) \(day) \(rule.rawValue)\(details.isEmpty ? "" : " ")\(details)"
  }
}

extension AuditFinding.Value: CustomStringConvertible {
  /// `low=13.2`
  public var description: String { "\(name)=\(model.text(of: number))" }
}
