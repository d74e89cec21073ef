// Tables that have no header like others.
extension TableFinder {
  /// The header that a file with such a first line has if it is Quandl's file of a whole database, which has none:
  /// rows of 14 cells, the ticker, the day and the 12 values.
  func bulkHeader(_ line: TextView) throws(ImportError) -> CSVHeader? {
    let delimiter = UInt8(ascii: ",")
    guard options.columnUses.isEmpty, line.count(where: { $0 == delimiter }) == Self.bulkNames.count - 1 else {
      return nil
    }
    let cells = CSVHeader.names(line, .delimited(delimiter))
    guard cells.count == Self.bulkNames.count, (try? TickerSymbol(cells[0])) != nil, TradingDay(cells[1]) != nil,
      cells.dropFirst(2).allSatisfy({ $0.isEmpty || Double($0) != nil })
    else { return nil }
    return try CSVHeader(
      Self.bulkNames, .delimited(delimiter), options, line: Self.bulkNames.joined(separator: ","), file: file)
  }

  private static let bulkNames = ["ticker", "date"] + Attribute.allCases.map(\.wikiName)

  /// The price directives of Ledger and Beancount.
  func directives(_ first: TableLine, _ lines: ArraySlice<TableLine>) throws(ImportError) -> TableBeginning? {
    for layout in [CellLayout.ledger, .beancount] {
      guard let line = lines.first(where: { !$0.isBlank && !";*#".utf8.contains($0.text[0]) }),
        case let cells = layout.cells(of: line.text),
        cells.count == 3, DayText(line.text.part(cells[0])) != nil
      else { continue }
      let header = try CSVHeader(["date", "ticker", "close"], layout, options, line: "date ticker close", file: file)
      let form = layout == .ledger ? TableBeginning.Form.ledger : .beancount
      return TableBeginning(header: header, form: form, start: 0, lineCount: 0).beginning(with: first)
    }
    return nil
  }

  /// AmiBroker's lines `$FORMAT Ticker,Date_YMD,Open` and `$SEPARATOR ,`.
  func amiBroker(_ lines: ArraySlice<TableLine>) throws(ImportError) -> TableBeginning? {
    let commands = lines.prefix { $0.text.first == UInt8(ascii: "$") }
    func words(_ command: String) -> String? {
      let texts = commands.map { String(decoding: $0.text, as: UTF8.self) }
      return texts.first { $0.uppercased().hasPrefix("$\(command) ") }.map {
        String($0.dropFirst(command.utf8.count + 2))
      }
    }
    guard let format = words("FORMAT"), let last = commands.last else { return nil }
    let names = format.split { ", \t".contains($0) }.map(String.init)
    let sign = words("SEPARATOR")?.utf8.first ?? UInt8(ascii: ",")
    var options = options
    for (name, pattern) in [("date_dmy", "%d-%m-%Y"), ("date_mdy", "%m-%d-%Y")]
    where names.contains(where: { $0.lowercased() == name }) && options.dateFormat == nil {
      options.dateFormat = DatePattern(pattern)
    }
    let plain = names.map { $0.lowercased().hasPrefix("date_") ? "date" : $0 }
    let layout = sign == UInt8(ascii: " ") ? CellLayout.spaces : .delimited(sign)
    let header = try CSVHeader(plain, layout, options, line: format, file: file)
    return TableBeginning(
      header: header, form: .amiBroker, headerLines: (commands.first ?? last).number...last.number, start: last.next,
      lineCount: last.number)
  }

  /// Rows without a header in the order of MetaTrader and MetaStock: perhaps the ticker, the day, perhaps the time, open, high, low, close and
  /// volume; nil if the first lines aren't that, with the high at the top and the low at the bottom.
  func headerless(_ lines: ArraySlice<TableLine>) -> TableBeginning? {
    let rows = lines.filter { !$0.isBlank }.prefix(20)
    guard let first = rows.first, options.columnUses.isEmpty else { return nil }
    let layout = options.layout ?? Self.layout(of: first.text)
    let tables = rows.map { CSVHeader.names($0.text, layout) }
    for before in [["date"], ["date", "time"], ["ticker", "date"], ["ticker", "date", "time"]] {
      let names = before + ["open", "high", "low", "close", "volume"]
      guard tables.allSatisfy({ Self.isRow($0, names) }) else { continue }
      let all = names + Array(repeating: "openint", count: tables[0].count - names.count)
      let plan = ColumnPlan(guessing: all)
      let header = CSVHeader(plan, layout, options)
      var beginning = TableBeginning(header: header, form: .headerless, start: 0, lineCount: 0).beginning(with: first)
      beginning.notes.append("it has no header; its columns are taken for \(names.joined(separator: ", "))")
      return beginning
    }
    return nil
  }

  private static func isRow(_ cells: [String], _ names: [String]) -> Bool {
    // Behind these there may be other numbers, such as those of a service for coins.
    guard cells.count >= names.count, cells.count <= names.count + 7,
      cells.dropFirst(names.count).allSatisfy({ Double($0) != nil })
    else { return false }
    let prices = cells[(names.count - 5)..<(names.count - 1)].compactMap { Double($0) }
    guard prices.count == 4, Double(cells[names.count - 1]) != nil, prices.max() == prices[1], prices.min() == prices[2]
    else {
      return false
    }
    for (name, cell) in zip(names, cells) {
      switch name {
      case "date": if TextView.with(cell, { DayText($0) == nil && !EpochSurvey.isTime($0) }) { return false }
      case "time": if !cell.contains(":") && Double(cell) == nil { return false }
      case "ticker": if (try? TickerSymbol(cell)) == nil || TextView.with(cell, { DayText($0) != nil }) { return false }
      default: break
      }
    }
    return true
  }
}

extension TableBeginning {
  /// The same for rows that begin with a line itself.
  func beginning(with first: TableLine) -> TableBeginning {
    var beginning = self
    beginning.lineCount = first.number - 1
    beginning.start = first.start
    return beginning
  }
}
