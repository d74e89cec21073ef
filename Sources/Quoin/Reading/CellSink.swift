#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  private let missingWords: Set<[UInt8]>
  /// Whether every plain number is one, and none is a word for a missing value.
  var readsPlainNumbers: Bool { missingWords.isEmpty }
  private let roundsVolumes: Bool
  private var tickerSigns: [UInt8: UInt8] = [:]
  /// What is taken off the end of tickers.
  var tickerSuffix: [UInt8] = []

  /// - Parameter secondsEast: how far the clock of times since 1970 is ahead of UTC, where the text says that.
  init(rows: ParsedRows, dates: DateReading, _ options: ImportOptions, secondsEast: Int? = nil) {
    self.rows = rows
    let clock = if case .epoch = dates { secondsEast } else { Int?.none }
    days = DayParser(reading: dates, zone: options.timeZone ?? clock.flatMap { TimeZone(secondsFromGMT: $0) })
    missingWords = Set(options.missingWords.map { Array($0.utf8) })
    roundsVolumes = options.roundsVolumes
    rows.keepsTimes = options.makesDaysOfBars
    for (sign, other) in options.tickerSigns {
      if let sign = sign.asciiValue, let other = other.asciiValue { tickerSigns[sign] = other }
    }
  }

  /// Begins a row that needn't have all cells: those that aren't set are missing.
  mutating func beginRow() {
    rows.clearNext()
    ticker = nil
    hasDay = false
    attributes = []
  }

  /// Makes all cells of the next row missing, which has the day of the one before.
  func beginCells() { rows.clearNext() }

  /// Sets a cell to the value that the whole of `text` spells.
  ///
  /// - Parameter style: how the column's numbers are written.
  /// - Returns: nil, or the reason why the text is bad.
  mutating func set(_ role: ColumnRole, to text: TextView, _ style: NumberStyle = .plain) -> String? {
    switch role {
    case .double(let slot):
      if slot == Attribute.splitRatio.slot, let ratio = SplitText.ratio(text) { return setRatio(ratio, slot) }
      return set(number(text, style) { DecimalParser.double($0) }, .missing) { $0.set($1, double: slot) }
    case .shares(let slot):
      return set(number(text, style) { DecimalParser.shares($0) }, .missing) { $0.set($1, double: slot) }
    case .splits(let slot):
      if let ratio = SplitText.ratio(text) { return setRatio(ratio, slot) }
      return set(number(text, style) { DecimalParser.double($0) }, .missing) {
        $0.set(ColumnRole.splitRatio($1), double: slot)
      }
    case .integer(let slot): return setVolume(text, style, slot)
    case .date: return setDay(days.parse(text))
    case .ticker:
      return setTicker(text)
    case .datePart, .ignored: break
    }
    return nil
  }

  private mutating func setTicker(_ text: TextView) -> String? {
    if let known = tickers.repeated(text) {
      ticker = known
      return nil
    }
    rows.noteSpelling(text)
    do throws(TickerSymbolError) {
      ticker = try tickers.parse(text, replacing: tickerSigns, without: tickerSuffix)
    } catch {
      return error.description
    }
    return nil
  }

  private func setRatio(_ ratio: Double, _ slot: Int) -> String? {
    rows.set(ratio, double: slot)
    return nil
  }

  /// Makes a cell missing.
  func clear(_ role: ColumnRole) {
    switch role {
    case .double(let slot), .shares(let slot), .splits(let slot): rows.set(Double.missing, double: slot)
    case .integer(let slot): rows.set(Int64.missing, integer: slot)
    case .ticker, .date, .datePart, .ignored: break
    }
  }

  /// The number that a text spells: as programs write it, or as people do.
  private func number<Value>(
    _ text: TextView, _ style: NumberStyle, _ parse: ([UInt8]) -> CellValue<Value>
  ) -> CellValue<Value> {
    let bytes = Array(text)
    if DecimalParser.isMissing(bytes) || missingWords.contains(bytes) { return .missing }
    if style.readsPlainNumbers {
      let cell = parse(bytes)
      guard case .bad(DecimalParser.notANumber) = cell else { return cell }
    }
    guard let number = NumberText(bytes, style) else {
      guard let (point, comma) = NumberText.readings(of: bytes), !style.isCertain else {
        return .bad(DecimalParser.notANumber)
      }
      return .bad("a number that can be read as \(point) and as \(comma)")
    }
    if number.isRounded { rows.notes.roundedCellCount += 1 }
    return parse(number.plain)
  }

  private func setVolume(_ text: TextView, _ style: NumberStyle, _ slot: Int) -> String? {
    switch number(text, style, { DecimalParser.exactVolume($0) }) {
    case .value(.whole(let number)): rows.set(number, integer: slot)
    case .value(.exact(let value)) where roundsVolumes:
      guard let rounded = Int64(exactly: value.rounded(.toNearestOrEven)) else { return DecimalParser.tooManyShares }
      rows.notes.roundedVolumeCount += 1
      rows.set(rounded, integer: slot)
    case .value(.exact(let value)):
      rows.notes.fractionalVolumeCount += 1
      rows.setFraction(value, integer: slot)
    case .value(.absent), .missing: rows.set(Int64.missing, integer: slot)
    case .bad(let reason): return reason
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
    case .value(let day):
      (self.day, hasDay) = (day, true)
      if rows.keepsTimes, let seconds = days.seconds { rows.time = seconds }
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
    case .splits, .date, .datePart, .ticker, .ignored: return nil
    }
  }
}
