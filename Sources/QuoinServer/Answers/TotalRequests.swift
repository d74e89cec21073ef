import QuandlService
import Quoin

/// A question to `/api/v1/count`: how many rows meet some conditions.
struct CountRequest: ServerQuestion {
  private var selection = Selection()
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "count", "/api/v1/count", "The number of rows that meet some conditions", methods: [.get, .post],
    asking: CountRequest.self, mediaTypes: ServedFormat.mediaTypes
  ) { call, question in
    var table = RecordTable([.number("rows")])
    let count = try question.selection.ask(call.view.store) { query throws(StoreError) in try query.count() }
    table.rows = [["\(count)"]]
    return question.selection.remarking(question.format.answer(table), in: call.view.store)
  }

  static let parameters: [Parameter<CountRequest>] =
    Selection.parameters.map { $0.part(of: \.selection) } + [.format(\.format)]
}

/// A question to `/api/v1/stats`: count, extremes, sum and mean of some columns.
struct StatisticsRequest: ServerQuestion {
  private var selection = Selection()
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "stats", "/api/v1/stats", "The count, extremes, sum and mean of columns, over the rows that meet some conditions",
    methods: [.get, .post], asking: StatisticsRequest.self, mediaTypes: ServedFormat.mediaTypes
  ) { call, question in
    let columns = question.selection.asked.listedColumns
    let attributes = columns.compactMap(\.column.attribute)
    guard !attributes.isEmpty, columns.allSatisfy({ $0.expression == nil }) else {
      throw Refusal.wrongParameter("columns: name stored columns of numbers, such as close")
    }
    let statistics = try question.selection.ask(call.view.store) { query throws(StoreError) in
      try ColumnStatistics(of: attributes, in: query)
    }
    return question.selection.remarking(question.format.answer(statistics.table), in: call.view.store)
  }

  static let parameters: [Parameter<StatisticsRequest>] =
    Selection.fields { $0.subject == .selection || $0.name == .columns }.map { $0.part(of: \.selection) }
    + [.format(\.format)]
}

/// A question to `/api/v1/aggregate`: aggregates of the rows that meet some conditions, for all or for groups of them.
struct AggregateRequest: ServerQuestion {
  private var selection = Selection()
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "aggregate", "/api/v1/aggregate", "Aggregates of the rows that meet some conditions", methods: [.get, .post],
    asking: AggregateRequest.self, mediaTypes: ServedFormat.mediaTypes
  ) { call, request in
    let asked = request.selection.asked
    guard let groups = asked.groups else { throw Refusal.wrongParameter("aggregates: name some, such as mean(close)") }
    let answer = try request.selection.ask(call.view.store) { query throws(StoreError) in
      try query.answer(groups, by: asked.grouping)
    }
    return request.selection.remarking(request.format.answer(RecordTable(answer)), in: call.view.store)
  }

  static let parameters: [Parameter<AggregateRequest>] =
    Selection.fields(of: [.selection, .groups, .answer]).map { $0.part(of: \.selection) } + [.format(\.format)]

  /// Without aggregates, rows are counted.
  init() { selection.asked.groups = try? GroupQuestion(parsing: "count") }
}

extension ServedFormat {
  /// A list in this format, made as it is asked for.
  func answer(_ table: RecordTable) -> ServiceAnswer {
    var bytes: [UInt8] = []
    var writer = output.makeWriter(table.columns) { bytes.append($0) }
    var (next, isFinished) = (0, false)
    let body = AnswerBody {
      bytes = []
      while bytes.isEmpty, !isFinished {
        isFinished = next >= table.rowCount
        if isFinished {
          try writer.finish()
        } else {
          try writer.append(table.batch(from: next), columnCount: table.columns.count)
          next += RecordTable.rowsPerBatch
        }
      }
      return bytes.isEmpty ? nil : bytes
    }
    return ServiceAnswer(mediaType, body: body)
  }
}
