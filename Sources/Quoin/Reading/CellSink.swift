/// Sets the cells of rows, one row after another: the one place where a cell's text becomes a value.
///
/// It holds what the row has so far besides the cells in `rows`, and what one row leaves for the next: neighboring rows
/// mostly have the same ticker and month.
struct CellSink {
  var rows: ParsedRows
  var days = DayParser()
  var tickers = TickerParser()
  /// The row's ticker; nil where the text doesn't name one.
  var ticker: TickerSymbol?
  /// The row's day, or a day of some earlier row unless `hasDay`.
  var day = TradingDay.earliest
  private(set) var hasDay = false
  /// The attributes that were set since the row was begun.
  var attributes = AttributeSet()

  let powers = powersOfTen

  init(rows: ParsedRows, dates: DateReading) {
    self.rows = rows
    days = DayParser(reading: dates)
  }

  /// Begins a row that needn't have all cells: those that aren't set are missing.
  mutating func beginRow() {
    rows.clearNext()
    ticker = nil
    hasDay = false
    attributes = []
  }

  /// Sets a cell to the value that the whole of `text` spells.
  ///
  /// - Returns: nil, or the reason why the text is bad.
  mutating func set(_ role: ColumnRole, to text: TextView) -> String? {
    switch role {
    case .double(let slot): return set(DecimalParser.double(text), .missing) { $0.set($1, double: slot) }
    case .shares(let slot): return set(DecimalParser.shares(text), .missing) { $0.set($1, double: slot) }
    case .splits(let slot):
      return set(DecimalParser.double(text), .missing) { $0.set(ColumnRole.splitRatio($1), double: slot) }
    case .integer(let slot): return set(DecimalParser.volume(text), .missing) { $0.set($1, integer: slot) }
    case .date: return setDay(days.parse(text))
    case .ticker:
      do throws(TickerSymbolError) { ticker = try tickers.parse(text) } catch { return error.description }
    case .ignored: break
    }
    return nil
  }

  private func set<Value>(
    _ cell: CellValue<Value>, _ missing: Value, _ store: (ParsedRows, Value) -> Void
  ) -> String? {
    switch cell {
    case .value(let value): store(rows, value)
    case .missing: store(rows, missing)
    case .bad(let reason): return reason
    }
    return nil
  }

  private mutating func setDay(_ cell: CellValue<TradingDay>) -> String? {
    switch cell {
    case .value(let day): (self.day, hasDay) = (day, true)
    case .missing: return DayParser.missing
    case .bad(let reason): return reason
    }
    return nil
  }

  /// Sets a number's cell to the plain number that `text` begins with.
  ///
  /// - Returns: the number's length in bytes, after which the cell has to end; nil if the column holds no numbers or the
  ///   number isn't plain.
  @inline(__always)
  func setPlainNumber(_ role: ColumnRole, in text: TextView) -> Int? {
    switch role {
    case .double(let slot):
      let decimal = PlainDecimal(text)
      guard let value = decimal.double(powers) else { return nil }
      rows.set(value, double: slot)
      return decimal.byteCount
    case .shares(let slot):
      let decimal = PlainDecimal(text)
      guard let value = decimal.double(powers), value >= 0 else { return nil }
      rows.set(value, double: slot)
      return decimal.byteCount
    case .integer(let slot):
      let decimal = PlainDecimal(text)
      guard let value = decimal.volume else { return nil }
      rows.set(value, integer: slot)
      return decimal.byteCount
    case .splits, .date, .ticker, .ignored: return nil
    }
  }
}
