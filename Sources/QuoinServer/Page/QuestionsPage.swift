import Charts
import QuandlService
import Quoin

/// The page that asks questions in words.
struct QuestionsPage {
  static let route: ServerRoute = Route(
    "questionsPage", "/questions", "Questions in words, for a browser", mediaTypes: [.html],
    answer: .store { call in try QuestionsPage(call).answer })

  private struct Content: PageContent {
    static let template = "questions"

    let sections: [QuestionForm.Section]
    let columnNames = QuoteFormatter.Column.all.map(\.name).joined(separator: ", ")
    let reference: [QuestionForm.Functions] = QuestionForm.reference
    /// The names that fields complete.
    let words = QuestionForm.words
    var answer: Answer?
  }

  private struct Answer {
    let heading: String
    let table: PageRows
    var chart: String?
    var remarks: [String] = []
    var forms: [Form] = []
  }

  /// The question for another program, or why it can't be asked there.
  private struct Form {
    let (name, title): (String, String)
    var text: String?
    var reason: String?

    init(_ name: String, _ title: String, _ form: SpelledQuestion) {
      (self.name, self.title) = (name, title)
      switch form {
      case .text(let text): self.text = text
      case .cannot(let reason): self.reason = reason
      }
    }
  }

  private static let usualLimit = 100
  private static let limitMax = 1000

  private let call: StoreCall
  private let address: PageAddress

  private init(_ call: StoreCall) { (self.call, address) = (call, PageAddress(call.request)) }

  private var store: QuoteStore { call.view.store }

  private var answer: ServiceAnswer {
    get throws {
      let content = Content(sections: QuestionForm.sections(address))
      var page = Page("Questions", content, view: .questions, for: call)
      if !address.items.isEmpty {
        do {
          let repeatable = QuestionField.all.filter(\.isRepeatable).map(\.name.rawValue)
          try address.check(QuestionForm.names.map(\.rawValue) + ["page"], repeatable: repeatable)
          page.content.answer = try answered()
        } catch { try page.refuse(error, in: store) }
      }
      return page.answer
    }
  }

  // MARK: - Answers

  private func answered() throws -> Answer {
    let texts = try texts()
    let spelling: Spelling
    do throws(QuestionError) { spelling = try Spelling(texts) } catch { throw Refusal(error) }
    var asked = spelling.question
    let (limit, number) = (try limit(), try address.pageNumber())
    (asked.offset, asked.limit, asked.threads) = ((number - 1) * limit, limit + 1, 1)
    let place = Place(number: number, limit: limit)
    var answer = try asked.groups.map { try groups($0, asked, place) } ?? rows(asked, place)
    answer.remarks = asked.notes + asked.remarks(among: store.tickers).map { $0.text { $0.rawValue } }
    answer.forms = forms(of: spelling)
    return answer
  }

  /// The fields that are given.
  private func texts() throws(Refusal) -> [QuestionText] {
    var texts = try address.texts(QuestionForm.names, in: store)
    // What other programs are asked has the same rows.
    let number = try address.pageNumber()
    if number > 1, address["limit"] != nil { texts.append((.offset, "\((number - 1) * (try limit()))")) }
    let (isOfGroups, isCounted) = (address["by"] != nil || address["having"] != nil, address["aggregates"] == nil)
    return isOfGroups && isCounted ? texts + [(.aggregates, "count")] : texts
  }

  /// The question for other programs.
  private func forms(of spelling: Spelling) -> [Form] {
    let path = call.view.absolutePath
    return [
      Form("shell", "Command line", spelling.shell(store: path)),
      Form("curl", "curl", spelling.curl(origin: call.request.origin, needsToken: call.asksForToken)),
      Form("python", "Python", spelling.python(store: path)), Form("sql", "SQL", spelling.sql(store: path)),
      Form("swift", "Swift", spelling.swift(store: path)),
    ]
  }

  private func limit() throws(Refusal) -> Int {
    guard let text = address["limit"] else { return Self.usualLimit }
    guard let limit = Int(text), (1...Self.limitMax).contains(limit) else {
      throw .wrongParameter(
        "limit=\(text.prefix(40)): a page shows from 1 to \(Self.limitMax) rows; for more, download them")
    }
    return limit
  }

  /// Which of the pages of an answer is shown.
  private struct Place {
    let number: Int
    let limit: Int
  }

  private func rows(_ asked: QuoteQuestion, _ place: Place) throws -> Answer {
    var batches = QuestionRows(asked, in: store, rowsPerBatch: place.limit + 1)
    let listed = batches.columns
    let columns = listed.map(\.column)
    let found = try batches.next()
    let count = min(found?.rowCount ?? 0, place.limit)
    let hasMore = found?.rowCount ?? 0 > place.limit
    var rows = PageRows(
      "The answer", listed.map { heading($0.column, $0.expression) }, found?.cells(of: columns) ?? [], rows: 0..<count)
    rows.pages = pages(place, count, hasMore: hasMore)
    var answer = Answer(heading: heading(place, count, hasMore: hasMore), table: rows)
    if let (column, computed) = listed.first(where: { $0.expression != nil }), let expression = computed,
      let found, count > 0
    {
      answer.chart = try chart(column.name, expression, asked, found)?.html
    }
    return answer
  }

  private func heading(_ place: Place, _ count: Int, hasMore: Bool) -> String {
    if count == 0 { return place.number == 1 ? "No row meets that" : "There are no more rows" }
    return place.number == 1 && !hasMore ? count.of("row") : "Rows of page \(place.number)"
  }

  private func pages(_ place: Place, _ count: Int, hasMore: Bool) -> PageLinks? {
    guard place.number > 1 || hasMore else { return nil }
    let first = (place.number - 1) * place.limit
    let text = count > 0 ? "rows \((first + 1).grouped) to \((first + count).grouped)" : "no more rows"
    return PageLinks(address.at("rows"), place.number, text, hasMore: hasMore)
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
    _ name: String, _ expression: QuoteExpression, _ asked: QuoteQuestion, _ found: QuoteBatch
  ) throws -> ChartFigure? {
    do {
      guard asked.tickers?.count == 1, !asked.given.contains(.top), !asked.isOfLatest else {
        return try Chart.histogram(of: found.computed(name) ?? [], name).map { chart throws(ChartError) in
          try ChartFigure(chart)
        }
      }
      var question = ChartQuestion(tickers: asked.tickers ?? [])
      (question.value, question.hasVolume) = (.init(name, expression), false)
      question.condition = asked.predicate
      return try store.viewing(asked) { try ChartFigure(question.chart(of: $0)) }
    } catch is ChartError { return nil }
  }

  private func groups(_ question: GroupQuestion, _ asked: QuoteQuestion, _ place: Place) throws -> Answer {
    let table = RecordTable(
      try store.asking(asked) { query throws(StoreError) in try query.answer(question, by: asked.grouping) })
    let records = table.batch(from: 0)
    let count = min(records.count, place.limit)
    let keyCount = asked.keyCount
    let headings = table.columns.enumerated().map { index, column in
      index < keyCount || question.isPivot
        ? PageRows.Heading(name: column.name, isNumber: index >= keyCount)
        : heading(column.name, "\(question.columns[index - keyCount].expression)", isNumber: column.isNumber)
    }
    let cells = table.columns.indices.map { column in CellColumn.texts(records.map { $0[column] }) }
    var rows = PageRows("The answer", headings, cells, rows: 0..<count)
    let hasMore = records.count > place.limit
    rows.pages = pages(place, count, hasMore: hasMore)
    return Answer(heading: heading(place, count, hasMore: hasMore), table: rows)
  }
}
