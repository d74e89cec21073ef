/// The rows that a function looks at from each row on backwards: `20`, `30 days min 5`, `this month`, `since close > open`.
enum WindowSpan: Hashable, Sendable {
  /// The last rows.
  case rows(RowWindow)
  /// Those of the last days of the calendar. A day without a row is as a row without a value.
  case days(RowWindow)
  /// Those of the same period of the calendar.
  case period(CalendarPeriod)
  /// Those from the last one on for which a predicate holds.
  case since(Predicate)

  /// All rows from the first one on.
  static let all = WindowSpan.rows(.all)

  /// A window that has as many rows, or more.
  var rows: RowWindow {
    switch self {
    case .rows(let window), .days(let window): window
    case .period, .since: .all
    }
  }

  /// How many rows there are at most, for a day has one at most; nil for any number.
  var rowCountMax: Int? {
    switch self {
    case .rows(let window), .days(let window): window.rows
    case .period(let period): period.dayCountMax
    case .since: nil
    }
  }

  /// What it has inside it.
  var sizes: [TreeSize] {
    if case .since(let predicate) = self { [predicate.size] } else { [] }
  }

  /// As it is written in a call; nil for all rows so far.
  var text: String? {
    switch self {
    case .rows(let window): window.rows.map { $0 == window.minimum ? "\($0)" : "\($0) min \(window.minimum)" }
    case .days(let window):
      window.rows.map { count in
        "\(count) \(count == 1 ? "day" : "days")\(count == window.minimum ? "" : " min \(window.minimum)")"
      }
    case .period(let period): "this \(period.rawValue)"
    case .since(let predicate): "since \(predicate)"
    }
  }
}
