/// The names of the language, for whoever completes them.
package enum LanguageWords {
  /// The functions of rows.
  package static let functions =
    ["prev", "next", "change", "diff", "if", "crosses"] + Indicator.allCases.map(\.rawValue)
    + WindowFunction.allCases.map(\.rawValue) + FlagFunction.allCases.map(\.rawValue) + PredicateParser.dayFunctions
    + RowFunction.named.map(\.rawValue) + CalendarField.allCases.map(\.rawValue)

  /// The functions of groups.
  package static let aggregates = PredicateParser.aggregateNames
}
