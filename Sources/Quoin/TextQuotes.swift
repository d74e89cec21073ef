/// The quotes of a text in memory, and what an import reports of it: for a program that looks at rows before it stores them.
package struct TextQuotes: Sendable {
  /// The rows of each ticker, with rising days and the attributes that the text has.
  package let rows: [TickerSymbol: QuoteColumns]
  /// What was read. Nothing is counted as new or replaced.
  package let summary: ImportSummary

  /// Reads a text as `QuoteStore.upsert(parsing:)` does.
  ///
  /// - Parameters:
  ///   - bytes: Quandl JSON, CSV or NDJSON, not packed.
  ///   - name: the name of the text in errors.
  /// - Throws: `ImportError`.
  package init(
    parsing bytes: some Sequence<UInt8>, options: ImportOptions, name: String
  ) throws(ImportError) {
    let text = try ParsedText(bytes, options, name: name)
    let attributes = text.parts.reduce(into: AttributeSet()) { $0.formUnion($1.attributes) }
    rows = Dictionary(uniqueKeysWithValues: text.rows.map { ($0.ticker, $0.columns.having(attributes)) })
    summary = text.summary
  }
}

extension SuspiciousCounts {
  /// No row looks wrong.
  package static let none = SuspiciousCounts()

  /// The rows of several texts that look wrong.
  package static func += (sum: inout SuspiciousCounts, counts: SuspiciousCounts) {
    sum.lowAboveHigh += counts.lowAboveHigh
    sum.closeOutsideRange += counts.closeOutsideRange
    sum.zeroVolume += counts.zeroVolume
    sum.zeroPrice += counts.zeroPrice
  }
}
