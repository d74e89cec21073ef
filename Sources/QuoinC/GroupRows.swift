import CQuoin
import Quoin

/// Groups of rows, which are all there.
struct GroupRows: BatchSource {
  let fields: [ArrowField]
  private let columns: [ArrowColumn]
  private let rowCount: Int
  private var nextRow = 0

  mutating func next() -> ArrowBatch? {
    guard nextRow < rowCount else { return nil }
    let rows = nextRow..<min(nextRow + ScannedRows.rowsPerBatch, rowCount)
    nextRow = rows.upperBound
    return ArrowBatch(columns: columns, rows: rows)
  }
}

extension GroupRows {
  /// Asks a store. Blocks until the answer is there.
  ///
  /// - Parameters:
  ///   - query: the caller's struct.
  ///   - groups: the caller's struct.
  init(
    _ query: UnsafePointer<quoin_query>?, _ groups: UnsafePointer<quoin_groups>?, of open: OpenStore
  ) throws(Failure) {
    // Sound: the struct has been copied, and its pointers are followed as the header says.
    let groups = unsafe try options(groups, quoin_groups(), "quoin_groups")
    let question = unsafe try Question(query, groups: groups)
    guard let wanted = question.asked.groups else {
      throw Failure(.misuse, "aggregates is NULL; ask for some, such as count, mean(close)")
    }
    let snapshot = try question.snapshot(of: open)
    let answer = try question.ask(snapshot) { query throws(StoreError) in
      try query.answer(wanted, by: question.asked.grouping)
    }
    let texts = question.texts(of: answer.groups.tickers, in: snapshot, open)
    try self.init(answer, asText: question.hasTickerTexts, texts)
  }

  private init(_ answer: GroupAnswer, asText isText: Bool, _ texts: TickerTexts) throws(Failure) {
    var (fields, columns): ([ArrowField], [ArrowColumn]) = ([], [])
    let groups = answer.groups
    for key in groups.grouping?.keys ?? [] {
      switch key {
      case .ticker:
        fields.append(ArrowField(name: key.name, type: isText ? .text : .tickers))
        columns.append(.tickers(groups.tickers, asText: isText, texts))
      case .expression(_, let name):
        let (type, column) = Self.column(groups.keyColumn(key))
        fields.append(ArrowField(name: name, type: type))
        columns.append(column)
      case .weekday:
        fields.append(ArrowField(name: key.name, type: .integer))
        columns.append(.numbers(.integers(ColumnBuffer(groups.weekdays.map { Int64($0) }))))
      case .day, .week, .month, .quarter, .halfYear, .year:
        fields.append(ArrowField(name: key.name, type: .day))
        columns.append(.days(ColumnBuffer(groups.periods(key))))
      }
    }
    for (name, values, _) in answer.columns {
      if fields.contains(where: { $0.name == name }) {
        throw Failure(.syntax, "aggregates: there would be two columns '\(name.shown)'; name one with 'as'")
      }
      let (type, column) = try Self.column(name, values)
      fields.append(ArrowField(name: name, type: type))
      columns.append(column)
    }
    (self.fields, self.columns, rowCount) = (fields, columns, groups.rowCount)
  }

  /// The values of an expression; whole numbers if that is what they are.
  private static func column(_ key: KeyColumn?) -> (ArrowType, ArrowColumn) {
    guard case .values(let values, let areWhole) = key else { return (.double, .numbers(.doubles(ColumnBuffer()))) }
    let whole = areWhole ? values.compactMap { $0.isNaN ? .missing : Int64(exactly: $0) } : []
    return areWhole && whole.count == values.count
      ? (.integer, .numbers(.integers(ColumnBuffer(whole)))) : (.double, .numbers(.doubles(values)))
  }

  private static func column(_ name: String, _ values: AggregateColumn) throws(Failure) -> (ArrowType, ArrowColumn) {
    switch values {
    case .doubles(let values): return (.double, .numbers(.doubles(ColumnBuffer(values))))
    case .integers(let values): return (.integer, .numbers(.integers(ColumnBuffer(values))))
    case .days(let days): return (.day, .optionalDays(days))
    case .sums(let sums):
      var values: [Int64] = []
      for sum in sums {
        guard let value = sum == .min ? .missing : Int64(exactly: sum), sum == .min || value != .missing else {
          throw Failure(
            .unanswerable, "\(name.shown) is \(sum) for some rows, which no int64 holds; ask for smaller groups")
        }
        values.append(value)
      }
      return (.integer, .numbers(.integers(ColumnBuffer(values))))
    }
  }
}
