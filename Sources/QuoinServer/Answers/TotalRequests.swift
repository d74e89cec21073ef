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
    table.rows = [["\(try question.selection.query(in: call.view.store).count())"]]
    return question.format.answer(table)
  }

  static let parameters: [Parameter<CountRequest>] =
    Selection.parameters.map { $0.part(of: \.selection) } + [.format(\.format)]
}

/// A question to `/api/v1/stats`: count, extremes, sum and mean of some columns.
struct StatisticsRequest: ServerQuestion {
  private var selection = Selection()
  private var columns = QuoteFormatter.Column.all
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "stats", "/api/v1/stats", "The count, extremes, sum and mean of columns, over the rows that meet some conditions",
    methods: [.get, .post], asking: StatisticsRequest.self, mediaTypes: ServedFormat.mediaTypes
  ) { call, question in
    let attributes = question.columns.compactMap(\.attribute)
    guard !attributes.isEmpty else { throw Refusal.wrongParameter("columns: name a column of numbers, such as close") }
    let query = try question.selection.query(in: call.view.store)
    return question.format.answer(try ColumnStatistics(of: attributes, in: query).table)
  }

  static let parameters: [Parameter<StatisticsRequest>] =
    Selection.parameters.map { $0.part(of: \.selection) } + [
      .list("columns", "Columns with commas between them; all if there are none.") {
        $0.columns = try QuoteFormatter.Column.list($1)
      },
      .format(\.format),
    ]
}

/// A question to `/api/v1/aggregate`: aggregates of the rows that meet some conditions, for all or for groups of them.
struct AggregateRequest: ServerQuestion {
  private var selection = Selection()
  private var aggregations: [Aggregation] = [.count]
  private var grouping: Grouping?
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "aggregate", "/api/v1/aggregate", "Aggregates of the rows that meet some conditions", methods: [.get, .post],
    asking: AggregateRequest.self, mediaTypes: ServedFormat.mediaTypes
  ) { call, question in
    let wanted = question.aggregations
    let query = try question.selection.query(in: call.view.store)
    // Without groups there is a row even when there are no quotes.
    let counted = wanted.contains(.count) || question.grouping != nil ? wanted : wanted + [.count]
    return question.format.answer(RecordTable(try query.aggregate(counted, by: question.grouping), of: wanted))
  }

  static let parameters: [Parameter<AggregateRequest>] =
    Selection.parameters.map { $0.part(of: \.selection) } + [
      .text(
        "aggregates",
        "Aggregates such as 'mean(close), sum(volume)': count (without others), min, max, sum, mean, first, last."
      ) {
        do { $0.aggregations = try Aggregation.list(parsing: $1) } catch {
          throw Refusal.wrongParameter("aggregates: \(error)")
        }
      },
      .text("by", "Groups: by ticker, or by ticker and a period; without it all rows are one.", .words(names)) {
        guard let grouping = Grouping(named: $1) else {
          throw Refusal.wrongParameter("by=\($1.prefix(40)): write one of \(names.joined(separator: ", "))")
        }
        $0.grouping = grouping
      },
      .format(\.format),
    ]

  private static let names = Grouping.allCases.map(\.rawValue)
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
