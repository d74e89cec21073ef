import Quoin

extension Responder {
  func dataset(_ part: Route.DatasetPart, _ ticker: TickerSummary) throws -> ServiceAnswer {
    if part == .metadata { return metadata(of: ticker) }
    let question = try DatasetQuestion(parameters)
    var rows = try question.rows(of: ticker.ticker, in: store)
    let text = RowText(form.rows, isText: [true] + (question.attributes ?? []).map { _ in false })
    let (head, tail) = form == .csv ? (header(of: question), "") : frame(part, question, ticker)
    let body = try AnswerBody(reading: textPieces(text, head: head, tail: tail) { rows.write(to: $0) })
    return ServiceAnswer(headers: form.headers, body: body)
  }

  private func header(of question: DatasetQuestion) -> String {
    (["Date"] + (question.attributes ?? []).map(\.datasetName)).joined(separator: ",") + "\n"
  }

  /// The JSON before and behind the rows.
  private func frame(
    _ part: Route.DatasetPart, _ question: DatasetQuestion, _ ticker: TickerSummary
  ) -> (head: String, tail: String) {
    let range: [(name: String, value: JSONValue)] = [
      ("start_date", JSONValue(question.firstDay ?? ticker.firstDay)),
      ("end_date", JSONValue(question.lastDay.map { min($0, ticker.lastDay) } ?? ticker.lastDay)),
    ]
    let asked: [(name: String, value: JSONValue)] = [
      ("limit", JSONValue(question.limit)), ("transform", JSONValue(question.transform?.rawValue)),
      ("column_index", JSONValue(question.columnIndex)),
    ]
    let end: [(name: String, value: JSONValue)] = [
      ("collapse", JSONValue(question.collapse?.rawValue)), ("order", JSONValue(question.order?.rawValue)),
    ]
    let names = JSONValue.array(question.columnNames)
    if part == .data {
      return Self.frame(
        "dataset_data", asked + [("column_names", names)] + range + [("frequency", "daily")], end)
    }
    let (description, databaseID) = description(of: ticker, columnNames: names)
    return Self.frame("dataset", description + asked + range, end + [databaseID])
  }

  private static func frame(
    _ name: String, _ before: [(name: String, value: JSONValue)], _ behind: [(name: String, value: JSONValue)]
  ) -> (head: String, tail: String) {
    (
      "{\"\(name)\":{\(JSONValue.text(ofMembers: before)),\"data\":[",
      "],\(JSONValue.text(ofMembers: behind))}}"
    )
  }

  private func metadata(of ticker: TickerSummary) -> ServiceAnswer {
    switch form {
    case .json: return ServiceAnswer(json: ["dataset": datasetDescription(of: ticker)])
    case .csv:
      let (members, databaseID) = description(of: ticker)
      let lines = [(members + [databaseID]).map(\.name), (members + [databaseID]).map { $0.value.csvCell }]
      let text = lines.map { $0.joined(separator: ",") + "\n" }.joined()
      return ServiceAnswer(headers: form.headers, body: AnswerBody(Array(text.utf8)))
    }
  }

  /// What is known of a dataset beside its rows.
  func datasetDescription(of ticker: TickerSummary) -> JSONValue {
    let (members, databaseID) = description(of: ticker)
    return .object(members + [databaseID])
  }

  private func description(
    of ticker: TickerSummary, columnNames: JSONValue = DatasetCatalog.columnNames
  ) -> (members: [(name: String, value: JSONValue)], databaseID: (name: String, value: JSONValue)) {
    let members: [(name: String, value: JSONValue)] = [
      ("id", .integer(DatasetCatalog.id(of: ticker.ticker))), ("dataset_code", JSONValue(ticker.ticker)),
      ("database_code", .string(Self.database)), ("name", .string(DatasetCatalog.name(of: ticker.ticker))),
      ("description", .string(DatasetCatalog.description)),
      ("refreshed_at", JSONValue(refreshTimes.moments(in: store)[ticker.ticker])),
      ("newest_available_date", JSONValue(ticker.lastDay)), ("oldest_available_date", JSONValue(ticker.firstDay)),
      ("column_names", columnNames), ("frequency", "daily"), ("type", "Time Series"), ("premium", false),
    ]
    return (members, ("database_id", .integer(DatasetCatalog.databaseID)))
  }
}

extension JSONValue {
  /// The value as a cell of CSV: strings in quotes where they have to be, the elements of an array with commas between.
  fileprivate var csvCell: String {
    switch self {
    case .null: ""
    case .string(let text): text.contains { ",\"\n".contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    case .array(let values): JSONValue.string(values.map(\.csvCell).joined(separator: ",")).csvCell
    case .bool, .integer, .object: text
    }
  }
}
