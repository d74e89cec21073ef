extension QuoteColumns {
  /// Rows of these days in which every cell of `attributes` is missing, to be filled through the subscripts.
  ///
  /// For a program that computes quotes column by column; `append(_:)` takes them row by row.
  public init(days: [TradingDay], attributes: AttributeSet = .all) {
    self.init(attributes: attributes)
    self.days = days
    for name in attributes.names {
      if name.isInteger {
        integers[name.slot] = Array(repeating: .missing, count: days.count)
      } else {
        doubles[name.slot] = Array(repeating: .missing, count: days.count)
      }
    }
  }
}
