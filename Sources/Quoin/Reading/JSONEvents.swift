/// Dividends or splits that stand apart from the rows, each with its day, as Yahoo has them:
///
///     "events": {"dividends": {"1705674600": {"amount": 0.24, "date": 1705674600}},
///                "splits": {"1705674600": {"date": 1705674600, "numerator": 4, "denominator": 1}}}
struct JSONEvents {
  /// The name as a column.
  let name: String
  /// The cells of the days that have one, by day: `2024-01-19`.
  let cells: [String: String]
  /// The cell of all other days.
  let quiet: String
  /// Whether each event is of one day that has a row. If not, the events are left out.
  var isSimple: Bool { !cells.isEmpty }

  /// The events beside the rows of these days, with those that aren't simple last.
  static func all(of object: JSONNode, days: JSONNode, secondsEast: Int) -> [JSONEvents] {
    guard let events = object["events"] else { return [] }
    let rowDays = Set(
      days.elements.compactMap { $0.withText { EpochUnit.seconds.dayText($0, secondsEast: secondsEast) } })
    var found: [JSONEvents] = []
    for (key, list) in events.members {
      let kind = kinds[key.string]
      let cells = kind.flatMap { Self.cells(of: list, $0.value, rowDays, secondsEast) } ?? [:]
      let name = "events.\(key.string)"
      found.append(JSONEvents(name: cells.isEmpty ? name : kind?.name ?? name, cells: cells, quiet: kind?.quiet ?? ""))
    }
    return found.filter(\.isSimple) + found.filter { !$0.isSimple }
  }

  private struct Kind {
    let name: String
    let quiet: String
    let value: @Sendable (JSONNode) -> String?
  }

  private static let kinds = [
    "dividends": Kind(name: "dividends", quiet: "0") { $0["amount"].flatMap(\.scalar) },
    "splits": Kind(name: "split_ratio", quiet: "1", value: ratio),
  ]

  /// New shares for each old one.
  @Sendable private static func ratio(_ split: JSONNode) -> String? {
    guard let new = split["numerator"].flatMap(\.scalar).flatMap(Double.init),
      let old = split["denominator"].flatMap(\.scalar).flatMap(Double.init), new > 0, old > 0
    else { return nil }
    return "\(new / old)"
  }

  /// The cell of each event by its day; nil if one of them is of no row's day, or two are of one.
  private static func cells(
    of events: JSONNode, _ value: (JSONNode) -> String?, _ days: Set<String>, _ secondsEast: Int
  ) -> [String: String]? {
    var cells: [String: String] = [:]
    for (key, event) in events.members {
      let time = Array((event["date"]?.scalar ?? key.string).utf8)
      guard let day = EpochUnit.seconds.dayText(time, secondsEast: secondsEast), days.contains(day), cells[day] == nil,
        let cell = value(event)
      else { return nil }
      cells[day] = cell
    }
    return cells
  }
}
