import QuandlService
import Quoin

/// What the JSON answers of each route are made of, as JSON Schema, for `/openapi.json`.
enum AnswerSchema {
  /// The schema of a route's answer; nil if the route has none.
  static func of(_ routeName: String) -> JSONValue? { all[routeName] }

  private static let all: [String: JSONValue] = [
    "health": object([("status", text), ("generation", integer)]),
    "ready": object([("status", text), ("generation", integer)]), "live": object([("status", text)]),
    "openAPI": ["type": "object"],
    "scan": list(object(QuoteFormatter.Column.all.map { ($0.name, cell($0)) }, required: [])),
    "count": list(object([("rows", integer)])),
    "stats": list(
      object([
        ("column", text), ("count", integer), ("missing", integer), ("min", numberOrNull), ("max", numberOrNull),
        ("sum", numberOrNull), ("mean", numberOrNull),
      ])),
    "aggregate": list(["type": "object", "additionalProperties": ["type": ["string", "number", "null"]]]),
    "tickers": list(
      object([("ticker", text), ("rows", integer), ("first_day", day), ("last_day", day), ("bytes", integer)])),
    "dataset": object([("dataset", object(description + question + data, required: ["dataset_code", "data"]))]),
    "datasetData": object([
      ("dataset_data", object([("dataset_code", text)] + question + data, required: ["data", "column_names"]))
    ]),
    "datasetMetadata": object([("dataset", object(description))]),
    "datasets": object([("datasets", list(object(description))), ("meta", pages)]),
    "databases": object([("databases", list(database)), ("meta", pages)]),
    "database": object([("database", database)]),
    "datatable": object(
      [
        (
          "datatable",
          object([("data", list(list(value))), ("columns", list(object([("name", text), ("type", text)])))])
        ),
        ("meta", object([("next_cursor_id", textOrNull)])),
        (
          "datatable_bulk_download",
          object([
            ("file", object([("link", text), ("status", text), ("data_snapshot_time", textOrNull)])),
            ("datatable", object([("last_refreshed_time", textOrNull)])),
          ])
        ),
      ], required: []),
    "datatableMetadata": object([
      (
        "datatable",
        object([
          ("vendor_code", text), ("datatable_code", text), ("name", text), ("description", text),
          ("columns", list(object([("name", text), ("type", text)]))), ("filters", list(text)),
          ("primary_key", list(text)), ("premium", truth), ("status", object([("refreshed_at", textOrNull)])),
        ])
      )
    ]),
  ]

  private typealias Member = (name: String, value: JSONValue)

  private static let description: [Member] = [
    ("id", integer), ("dataset_code", text), ("database_code", text), ("name", text), ("description", text),
    ("refreshed_at", textOrNull), ("newest_available_date", day), ("oldest_available_date", day),
    ("column_names", list(text)), ("frequency", text), ("type", text), ("premium", truth), ("database_id", integer),
  ]
  private static let question: [Member] = [
    ("limit", integerOrNull), ("transform", textOrNull), ("column_index", integerOrNull), ("start_date", day),
    ("end_date", day), ("collapse", textOrNull), ("order", textOrNull),
  ]
  private static let data: [Member] = [
    ("column_names", list(textOrNull)), ("frequency", text), ("data", list(list(value))),
  ]

  private static let database: JSONValue = object([
    ("id", integer), ("name", text), ("database_code", text), ("description", text), ("datasets_count", integer),
    ("downloads", integer), ("premium", truth), ("image", textOrNull), ("favorite", truth), ("url_name", text),
  ])

  private static let pages: JSONValue = object([
    ("query", text), ("per_page", integer), ("current_page", integer), ("prev_page", integerOrNull),
    ("total_pages", integer), ("total_count", integer), ("next_page", integerOrNull),
    ("current_first_item", integerOrNull), ("current_last_item", integerOrNull),
  ])

  private static let text: JSONValue = ["type": "string"]
  private static let textOrNull: JSONValue = ["type": ["string", "null"]]
  private static let day: JSONValue = ["type": "string", "format": "date"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let integerOrNull: JSONValue = ["type": ["integer", "null"]]
  private static let numberOrNull: JSONValue = ["type": ["number", "null"]]
  private static let truth: JSONValue = ["type": "boolean"]
  /// A cell of a row: a text, a number, or null for a missing value.
  private static let value: JSONValue = ["type": ["string", "number", "null"]]

  private static func cell(_ column: QuoteFormatter.Column) -> JSONValue {
    switch column {
    case .ticker: text
    case .date: day
    case .attribute, .computed: numberOrNull
    }
  }

  private static func list(_ item: JSONValue) -> JSONValue { ["type": "array", "items": item] }

  /// An object that always has all of these members, or those that are `required`.
  private static func object(_ members: [Member], required: [String]? = nil) -> JSONValue {
    let names = required ?? members.map(\.name)
    return .object(
      [("type", "object")] + (names.isEmpty ? [] : [("required", .array(names.map { .string($0) }))])
        + [("properties", .object(members.map { ($0.name, $0.value) }))])
  }
}
