/// The names of the language, for whoever completes them.
package enum LanguageWords {
  /// The functions of rows.
  package static let functions = earlierRows + windows + indicators + conditions + sameDay + row + date

  /// Functions of a row's own values.
  package static let row = RowFunction.named.map(\.rawValue) + ["if"]
  /// Parts of a row's date.
  package static let date = CalendarField.allCases.map(\.rawValue)
  /// Functions of the value some rows before or after.
  package static let earlierRows = ["prev", "next", "change", "diff"]
  /// Functions of the rows up to each.
  package static let windows = WindowFunction.allCases.map(\.rawValue)
  package static let indicators = Indicator.allCases.map(\.rawValue)
  /// Functions of conditions on the rows up to each.
  package static let conditions = FlagFunction.allCases.map(\.rawValue) + ["crosses"]
  /// Functions of the quotes of the same day, besides aggregates.
  package static let sameDay = PredicateParser.dayFunctions

  /// The functions of groups.
  package static let aggregates = PredicateParser.aggregateNames
}
