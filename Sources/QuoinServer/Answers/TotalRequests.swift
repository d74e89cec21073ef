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
  private var aggregates = "count"
  private var condition: String?
  private var order: String?
  private var grouping: Grouping?
  private var limit: Int?
  private var offset = 0
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "aggregate", "/api/v1/aggregate", "Aggregates of the rows that meet some conditions", methods: [.get, .post],
    asking: AggregateRequest.self, mediaTypes: ServedFormat.mediaTypes
  ) { call, request in
    let question = try GroupQuestion(served: request.aggregates, having: request.condition, order: request.order)
    var query = try request.selection.query(in: call.view.store).offset(by: request.offset)
    if let limit = request.limit { query = query.limited(to: limit) }
    return request.format.answer(RecordTable(try query.answer(question, by: request.grouping)))
  }

  static let parameters: [Parameter<AggregateRequest>] =
    Selection.parameters.map { $0.part(of: \.selection) } + [
      .text(
        "aggregates",
        """
        Aggregates such as 'mean(close), sum(volume)', or what is computed from them: count (without others), min, max, sum, mean, \
        median, quantile, std, first, last, argmax, argmin, distinct, vwap, weighted_mean, share.
        """
      ) { $0.aggregates = $1 },
      .text(
        "by",
        """
        Groups: by \(names), or a list of them such as 'year,weekday'. Periods by themselves are of each ticker; 'month,all' is of \
        all together. Without it all rows are one group.
        """
      ) { $0.grouping = try Grouping.served($1) },
      .text("having", "Only groups that meet this condition on aggregates, such as 'count > 20'.") {
        $0.condition = $1
      },
      .text("order", "What groups are ordered by, such as 'mean(close) desc', instead of their keys.") {
        $0.order = $1
      },
      .text("limit", "The largest number of groups.", .number(from: 0)) { $0.limit = try ScanRequest.limit($1) },
      .text("offset", "So many groups are left out before the first one.", .number(from: 0)) {
        $0.offset = try ScanRequest.limit($1, of: "offset")
      },
      .format(\.format),
    ]

  private static let names = Grouping.names
}

extension GroupQuestion {
  /// The question that the parameters `aggregates`, `having` and `order` spell.
  init(served aggregates: String, having: String?, order: String?) throws(Refusal) {
    do throws(PredicateSyntaxError) { try self.init(parsing: aggregates, condition: having, order: order) } catch {
      let name = error.text == having ? "having" : error.text == order ? "order" : "aggregates"
      throw .wrongParameter("\(name): \(error)")
    }
  }
}

extension Grouping {
  /// The names of one word, with commas between them.
  fileprivate static let names = named.map(\.name).joined(separator: ", ")

  /// The groups that the parameter `by` spells; nil for one group.
  static func served(_ text: String) throws(Refusal) -> Grouping? {
    do throws(NameError) { return try named(text) } catch {
      switch error {
      case .repeated(let name):
        throw .wrongParameter("by=\(text.prefix(40)) names \(name) twice, or 'all' beside it")
      case .unknown: throw .wrongParameter("by=\(text.prefix(40)): write one of \(names)")
      }
    }
  }
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
