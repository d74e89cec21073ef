/// Whether a ticker's adjusted values follow from its prices, dividends and splits.
package enum AdjustmentState: Hashable, Sendable {
  /// There are none.
  case absent
  /// The newest row has them, and they follow all dividends and splits.
  case current
  /// The newest rows lack them, or they don't follow a dividend or split. Those that are there are what
  /// `QuoteColumns.adjusted()` gives for the rest, so nothing is lost if all are computed anew.
  case outdated
  /// The same, but they come from somebody else.
  case foreign
}

extension QuoteColumns {
  /// What the adjusted values of a ticker's rows are, which rise by day and are all that there are.
  func adjustmentState(of ticker: TickerSymbol) -> AdjustmentState {
    if valuedAttributes.isDisjoint(with: .adjusted) { return .absent }
    let findings = adjustmentFindings(of: ticker)
    if findings.isEmpty { return .current }
    var older = sliced(0..<(lastAdjustedRow.map { $0 + 1 } ?? 0))
    let newDays = Set(findings.map(\.day))
    for row in 0..<older.rowCount where newDays.contains(older.dayValues[row]) {
      (older[.exDividend][row], older[.splitRatio][row]) = (0, 1)
    }
    return older.hasOwnAdjustedValues ? .outdated : .foreign
  }

  /// The rows without adjusted values that older ones have, and the dividends and splits that adjusted values don't follow.
  private func adjustmentFindings(of ticker: TickerSymbol) -> [AuditFinding] {
    let options = AuditOptions(rules: [.adjusted, .staleAdjusted], today: .latest)
    var audit = TickerAudit(ticker, AuditedRows(self), 0..<rowCount, options)
    audit.checkRows()
    let events = [Attribute.exDividend, .splitRatio].map(\.wikiName)
    return audit.findings.filter { finding in
      finding.rule == .staleAdjusted || finding.values.contains { events.contains($0.name) }
    }
  }

  private var lastAdjustedRow: Int? {
    let columns = AttributeSet.adjusted.map { self[column: $0].doubles.shared }
    return (0..<rowCount).last { row in columns.contains { !$0[row].isMissing } }
  }

  /// Whether all adjusted values that are there are those that are computed from these rows.
  private var hasOwnAdjustedValues: Bool {
    let computed = adjusted()
    return AttributeSet.adjusted.allSatisfy { name in
      let (known, own) = (self[column: name].doubles.shared, computed[column: name].doubles.shared)
      return (0..<rowCount).allSatisfy { known[$0].isMissing || known[$0] == own[$0] }
    }
  }
}
