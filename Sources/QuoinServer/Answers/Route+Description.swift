import QuandlService
import Quoin

/// A parameter of a query, as OpenAPI describes it.
struct QueryParameter {
  let name: String
  let meaning: String
  var choices: [String] = []

  var json: JSONValue {
    var schema: [(name: String, value: JSONValue)] = [("type", "string")]
    if !choices.isEmpty { schema.append(("enum", .array(choices.map { .string($0) }))) }
    return [
      "name": .string(name), "in": "query", "description": .string(meaning), "schema": .object(schema),
    ]
  }
}

// What each route is, in words: for OpenAPI.

extension Route {
  var summary: String {
    switch self {
    case .health: "Whether the store can be read"
    case .metrics: "Counts and times, in Prometheus's text format"
    case .openAPI: "This description"
    case .scan: "The rows for which conditions hold"
    case .tickers: "The tickers with their rows, first and last day, and bytes"
    case .datasets: "Datasets whose code or name has some words in it"
    case .dataset: "A ticker's description and rows"
    case .datasetData: "A ticker's rows"
    case .datasetMetadata: "A ticker's description"
    case .databases: "The databases"
    case .database: "A database's description"
    case .databaseData: "All rows of a database, one CSV in a zip"
    case .databaseCodes: "The codes of a database's datasets, one CSV in a zip"
    case .datatable: "Rows of a table, page by page"
    case .datatableMetadata: "A table's columns and filters"
    case .datatableExport: "Rows of a table, one CSV in a zip"
    }
  }

  /// The variable parts of the path.
  var pathParameters: [JSONValue] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
      let name = JSONValue.string(String(part.dropFirst().dropLast()))
      return ["name": name, "in": "path", "required": true, "schema": ["type": "string"]]
    }
  }

  var queryParameters: [QueryParameter] {
    switch self {
    case .scan: Self.scanParameters
    case .tickers: [Self.format]
    case .datasets: Self.searchParameters
    case .dataset, .datasetData: Self.seriesParameters
    case .databaseData:
      [QueryParameter(name: "download_type", meaning: "All are the whole.", choices: ["partial", "complete", "full"])]
    case .datatable, .datatableExport: Self.tableParameters
    default: []
    }
  }

  var mediaTypes: [String] {
    switch self {
    case .health, .openAPI, .databases, .database, .datasetMetadata, .datatableMetadata: ["application/json"]
    case .metrics: ["text/plain"]
    case .scan, .tickers: ["application/json", "text/csv", "application/x-ndjson"]
    case .datasets, .dataset, .datasetData, .datatable: ["application/json", "text/csv"]
    case .databaseData, .databaseCodes, .datatableExport: ["application/zip"]
    }
  }

  /// What a POST brings along: the parameters of the query as one flat object.
  var bodySchema: JSONValue {
    ["type": "object", "additionalProperties": ["type": ["string", "number", "array", "boolean", "null"]]]
  }

  private static let format = QueryParameter(
    name: "format", meaning: "The form of the answer, else that of the accept header, else JSON.",
    choices: OutputFormat.served.map(\.rawValue))

  private static let scanParameters = [
    QueryParameter(name: "where", meaning: "A condition such as 'high > 80 and low < 78'. May be repeated."),
    QueryParameter(name: "tickers", meaning: "Tickers with commas between them; all when there are none."),
    QueryParameter(name: "from", meaning: "Rows of this day, YYYY-MM-DD, and later."),
    QueryParameter(name: "to", meaning: "Rows up to this day, itself included."),
    QueryParameter(name: "columns", meaning: "Columns with commas between them; all when there are none."),
    QueryParameter(name: "limit", meaning: "Stop after so many rows."),
    QueryParameter(
      name: "order", meaning: "Each ticker's rows by rising or falling date.",
      choices: DateOrder.allCases.map(\.rawValue)),
    format,
  ]

  private static let searchParameters = [
    QueryParameter(name: "database_code", meaning: "The database."),
    QueryParameter(name: "query", meaning: "Words to look for."),
    QueryParameter(name: "page", meaning: "The page, from 1."),
    QueryParameter(name: "per_page", meaning: "Datasets of a page."),
  ]

  private static let seriesParameters = [
    QueryParameter(name: "limit", meaning: "Rows at most; rows means the same."),
    QueryParameter(name: "column_index", meaning: "One column, from 1; 0 is the date, which always comes."),
    QueryParameter(name: "start_date", meaning: "The first day, itself included."),
    QueryParameter(name: "end_date", meaning: "The last day, itself included."),
    QueryParameter(name: "order", meaning: "Oldest or newest first.", choices: DateOrder.allCases.map(\.rawValue)),
    QueryParameter(
      name: "collapse", meaning: "One row for each period.",
      choices: CalendarPeriod.Collapse.allCases.map(\.rawValue)),
    QueryParameter(
      name: "transform", meaning: "Changes, sums or shares in place of values.",
      choices: ["none", "diff", "rdiff", "rdiff_from", "cumul", "normalize"]),
  ]

  private static let tableParameters = [
    QueryParameter(name: "ticker", meaning: "Tickers with commas between them; so with any column."),
    QueryParameter(name: "date.gte", meaning: "From this day on. Any column has .gt, .gte, .lt and .lte."),
    QueryParameter(name: "qopts.columns", meaning: "Columns with commas between them."),
    QueryParameter(name: "qopts.per_page", meaning: "Rows of a page, 10,000 at most."),
    QueryParameter(name: "qopts.cursor_id", meaning: "The next page: the cursor that the last one gave."),
    QueryParameter(name: "qopts.export", meaning: "Where to download all rows.", choices: ["true", "false"]),
  ]
}
