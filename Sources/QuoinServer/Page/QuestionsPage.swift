import Charts
import QuandlService
import Quoin

/// The page that asks questions in words.
struct QuestionsPage {
  static let route: ServerRoute = Route(
    "questionsPage", "/questions", "Questions in words, for a browser", mediaTypes: [.html],
    answer: .store { call in try QuestionsPage(call).answer })

  private static let usualLimit = 100
  private static let limitMax = 1000
  private static let fields = [
    "tickers", "from", "to", "where", "columns", "aggregates", "by", "having", "order", "limit",
  ]

  private let call: StoreCall
  private let address: PageAddress

  private init(_ call: StoreCall) { (self.call, address) = (call, PageAddress(call.request)) }

  private var asksGroups: Bool { address["aggregates"] != nil || address["by"] != nil || address["having"] != nil }

  private var answer: ServiceAnswer {
    get throws {
      var page = Page("Questions", "questions", view: .questions, for: call)
      for name in Self.fields { page[name] = address[name] ?? "" }
      page["asksGroups"] = asksGroups
      page["periods"] = Grouping.named.map(\.name)
      let columns = QuoteFormatter.Column.all.map(\.name)
      page["columnNames"] = columns.joined(separator: ", ")
      page["functionNames"] = LanguageWords.functions.joined(separator: ", ")
      page["words"] = Self.words
      if !address.items.isEmpty {
        do {
          try address.check(Self.fields + ["page"])
          page["answer"] = try answered()
        } catch let error as Refusal {
          page.refuse(error)
        }
      }
      return page.answer
    }
  }

  /// The names that each kind of field completes.
  private static let words: String = {
    let columns = QuoteFormatter.Column.all.map(\.name)
    let joins = ["and", "or", "not", "between", "desc", "of"]
    let lists = [
      ("where", columns + joins + LanguageWords.functions), ("columns", columns + LanguageWords.functions),
      ("aggregates", LanguageWords.aggregates + columns + joins),
    ]
    return JSONValue.object(
      lists.map { name, words in (name, .array(Array(Set(words)).sorted().map { .string($0) })) }
    ).text
  }()

  // MARK: - Answers

  private func answered() throws -> [String: Any] {
    let store = call.view.store
    var subject = PageSubject()
    try subject.read(address, in: store)
    var query = subject.query(for: call, in: store)
    let condition = try Predicate.served("where", address)
    if let condition { query = query.where(condition) }
    let spelling = try Spelling(asked(subject))
    var answer =
      switch spelling.subject {
      case .rows(let columns, let order): try rows(columns, order, of: query, subject, condition)
      case .groups(let question, let grouping): try groups(question, grouping, of: query)
      }
    answer["forms"] = forms(of: spelling)
    return answer
  }

  private func asked(_ subject: PageSubject) throws(Refusal) -> AskedQuestion {
    var asked = AskedQuestion(tickers: subject.tickers, first: subject.first, last: subject.last)
    asked.conditions = address["where"].map { [$0] } ?? []
    asked.columns = address["columns"] ?? ""
    asked.aggregates = asksGroups ? address["aggregates"] ?? "count" : ""
    (asked.by, asked.having) = (address["by"] ?? "", address["having"] ?? "")
    asked.order = address["order"] ?? ""
    asked.limit = address["limit"] == nil ? nil : try limit()
    return asked
  }

  /// The question for other programs.
  private func forms(of spelling: Spelling) -> [[String: Any]] {
    let path = call.view.absolutePath
    let forms = [
      ("shell", "Command line", spelling.shell(store: path)),
      ("curl", "curl", spelling.curl(origin: call.request.origin, needsToken: call.asksForToken)),
      ("python", "Python", spelling.python(store: path)), ("sql", "SQL", spelling.sql(store: path)),
      ("swift", "Swift", spelling.swift(store: path)),
    ]
    return forms.map { name, title, form in
      switch form {
      case .text(let text): ["name": name, "title": title, "text": text]
      case .cannot(let reason): ["name": name, "title": title, "reason": reason]
      }
    }
  }

  private func limit() throws(Refusal) -> Int {
    guard let text = address["limit"] else { return Self.usualLimit }
    guard let limit = Int(text), (1...Self.limitMax).contains(limit) else {
      throw .wrongParameter(
        "limit=\(text.prefix(40)): a page shows from 1 to \(Self.limitMax) rows; for more, download them")
    }
    return limit
  }

  private func rows(
    _ listed: [QuoteFormatter.Column.Listed], _ order: RowOrder, of query: QuoteQuery, _ subject: PageSubject,
    _ condition: Predicate?
  ) throws -> [String: Any] {
    var query = query.selecting(AttributeSet(listed.compactMap(\.column.attribute)))
    for case (let column, let expression?) in listed { query = query.computing(column.name, expression) }
    let (limit, number) = (try limit(), try address.pageNumber())
    query = query.offset(by: (number - 1) * limit).limited(to: limit + 1)
    let found: QuoteBatch
    switch order {
    case .date(let order): found = try query.ordered(order).fetchColumns()
    case .values(let expression, let order): found = try query.sorted(by: expression, order)
    }
    let count = min(found.rowCount, limit)
    let columns = listed.map(\.column)
    let headings = listed.map { column, expression in heading(column, expression) }
    var rows = PageRows("The answer", headings, found.cells(of: columns), rows: 0..<count)
    rows.pages = pages(number, limit, count, hasMore: found.rowCount > limit)
    var answer: [String: Any] = [
      "heading": heading(number, count, hasMore: found.rowCount > limit), "table": rows.content,
    ]
    if let (column, computed) = listed.first(where: { $0.expression != nil }), let expression = computed, count > 0 {
      answer["chart"] = try chart(column.name, expression, subject, condition, found)?.html
    }
    return answer
  }

  private func heading(_ number: Int, _ count: Int, hasMore: Bool) -> String {
    if count == 0 { return number == 1 ? "No row meets that" : "There are no more rows" }
    return number == 1 && !hasMore ? count.of("row") : "Rows of page \(number)"
  }

  private func pages(_ number: Int, _ limit: Int, _ count: Int, hasMore: Bool) -> PageLinks? {
    guard number > 1 || hasMore else { return nil }
    let first = (number - 1) * limit
    let place = count > 0 ? "rows \((first + 1).grouped) to \((first + count).grouped)" : "no more rows"
    return PageLinks(address.at("rows"), number, place, hasMore: hasMore)
  }

  /// A heading whose link orders the rows by its column; again, the other way round.
  private func heading(_ column: QuoteFormatter.Column, _ expression: QuoteExpression?) -> PageRows.Heading {
    guard column != .ticker else { return .init(name: column.name, isNumber: false) }
    return heading(column.name, expression.map { "\($0)" } ?? column.name, isNumber: column != .date)
  }

  private func heading(_ name: String, _ text: String, isNumber: Bool) -> PageRows.Heading {
    let order = address["order"] ?? (text == "date" ? "date asc" : "")
    let sorting = order == "\(text) desc" ? "descending" : order == "\(text) asc" || order == text ? "ascending" : nil
    let next = sorting == "descending" ? "asc" : "desc"
    return .init(
      name: name, isNumber: isNumber,
      address: address.setting("order", "\(text) \(next)").setting("page", nil).at("rows").text,
      sorting: sorting)
  }

  /// A line of one ticker's values; of several, how often which values occur among the rows that are shown.
  private func chart(
    _ name: String, _ expression: QuoteExpression, _ subject: PageSubject, _ condition: Predicate?, _ found: QuoteBatch
  ) throws -> ChartFigure? {
    var question = ChartQuestion(tickers: subject.tickers)
    (question.value, question.hasVolume) = (.init(name, expression), false)
    do {
      guard subject.tickers.count == 1 else {
        return try Chart.histogram(of: found.computed(name) ?? [], name).map { chart throws(ChartError) in
          try ChartFigure(chart)
        }
      }
      question.condition = subject.days.map { days in condition.map { days && $0 } ?? days } ?? condition
      return try ChartFigure(question.chart(of: call.view.store))
    } catch is ChartError { return nil }
  }

  private func groups(
    _ question: GroupQuestion, _ grouping: Grouping?, of query: QuoteQuery
  ) throws -> [String: Any] {
    let (limit, number) = (try limit(), try address.pageNumber())
    let table = RecordTable(
      try query.offset(by: (number - 1) * limit).limited(to: limit + 1).answer(question, by: grouping))
    let records = table.batch(from: 0)
    let count = min(records.count, limit)
    let keyCount = table.columns.count - question.columns.count
    let headings = table.columns.enumerated().map { index, column in
      index < keyCount
        ? PageRows.Heading(name: column.name, isNumber: false)
        : heading(column.name, "\(question.columns[index - keyCount].expression)", isNumber: column.isNumber)
    }
    let cells = table.columns.indices.map { column in CellColumn.texts(records.map { $0[column] }) }
    var rows = PageRows("The answer", headings, cells, rows: 0..<count)
    rows.pages = pages(number, limit, count, hasMore: records.count > limit)
    return ["heading": heading(number, count, hasMore: records.count > limit), "table": rows.content]
  }
}
