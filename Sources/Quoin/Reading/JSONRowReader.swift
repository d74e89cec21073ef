#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the arrays of a document's `data` into rows.
struct JSONRowReader {
  private(set) var pieces: [ParsedRows] = [ParsedRows()]

  private let plan: ColumnPlan
  private var days = DayParser()
  private var tickers = TickerParser()
  private var tickerText = ""
  private var ticker: TickerSymbol?
  private var day = TradingDay.earliest

  init(plan: ColumnPlan) { self.plan = plan }

  /// A cell that is no value of its column, as text, and why.
  private struct BadCell: Error {
    let value: String
    let reason: String
  }

  mutating func read(_ data: consuming any UnkeyedDecodingContainer) throws {
    var data = data
    while !data.isAtEnd {
      let index = data.currentIndex + 1
      var rows = pieces[pieces.count - 1]
      if rows.isFull {
        rows = ParsedRows()
        pieces.append(rows)
      }
      guard var row = try? data.nestedUnkeyedContainer() else {
        let value = try data.decode(JSONAnyCell.self)
        rows.reject(.row(index), column: nil, value: value.text.utf8, "not an array of cells")
        continue
      }
      readRow(&row, index, rows)
    }
  }

  private mutating func readRow(_ row: inout any UnkeyedDecodingContainer, _ index: Int, _ rows: ParsedRows) {
    for (column, role) in plan.roles.enumerated() {
      guard !row.isAtEnd else { return rejectCount(&row, index, rows) }
      do throws(BadCell) { try readCell(&row, role, rows) } catch {
        rows.reject(.row(index), column: plan.names[column], value: error.value.utf8, error.reason)
        return
      }
    }
    guard row.isAtEnd else { return rejectCount(&row, index, rows) }
    rows.commit(ticker, day, position: index)
  }

  private func rejectCount(_ row: inout any UnkeyedDecodingContainer, _ index: Int, _ rows: ParsedRows) {
    let count = row.count ?? row.currentIndex
    let reason = "\(count) cell\(count == 1 ? "" : "s") where there are \(plan.roles.count) columns"
    rows.reject(.row(index), column: nil, value: [], reason)
  }

  private mutating func readCell(
    _ row: inout any UnkeyedDecodingContainer, _ role: ColumnRole, _ rows: ParsedRows
  ) throws(BadCell) {
    switch role {
    case .double(let slot): rows.set(try double(&row), double: slot)
    case .integer(let slot): rows.set(try volume(&row), integer: slot)
    case .date: day = try day(&row)
    case .ticker: ticker = try ticker(&row)
    case .ignored: _ = try? row.decode(JSONAnyCell.self)
    }
  }

  // Cells are rarely missing, so the value is asked for first and `null` after that. A failed attempt takes nothing.

  private func double(_ row: inout any UnkeyedDecodingContainer) throws(BadCell) -> Double {
    guard let value = try? row.decode(Double.self) else {
      if isNull(&row) { return .missing }
      throw bad(&row, DecimalParser.notANumber)
    }
    guard value.isFinite else { throw BadCell(value: "\(value)", reason: DecimalParser.tooLarge) }
    return value
  }

  private func volume(_ row: inout any UnkeyedDecodingContainer) throws(BadCell) -> Int64 {
    if let value = try? row.decode(Int64.self) {
      guard value >= 0 else { throw BadCell(value: "\(value)", reason: DecimalParser.negativeVolume) }
      return value
    }
    if isNull(&row) { return .missing }
    guard let decimal = try? row.decode(Decimal.self) else { throw bad(&row, DecimalParser.notANumber) }
    var text = "\(decimal)"
    switch text.withUTF8({ unsafe DecimalParser.volume(UnsafeRawBufferPointer($0)) }) {
    case .value(let volume): return volume
    case .missing: return .missing
    case .bad(let reason): throw BadCell(value: text, reason: reason)
    }
  }

  private mutating func day(_ row: inout any UnkeyedDecodingContainer) throws(BadCell) -> TradingDay {
    guard var text = try? row.decode(String.self) else {
      if isNull(&row) { throw BadCell(value: "null", reason: DayParser.missing) }
      throw bad(&row, DayParser.wrongForm)
    }
    switch text.withUTF8({ unsafe days.parse(UnsafeRawBufferPointer($0)) }) {
    case .value(let day): return day
    case .missing: throw BadCell(value: text, reason: DayParser.missing)
    case .bad(let reason): throw BadCell(value: text, reason: reason)
    }
  }

  private mutating func ticker(_ row: inout any UnkeyedDecodingContainer) throws(BadCell) -> TickerSymbol {
    guard let text = try? row.decode(String.self) else {
      if isNull(&row) { throw BadCell(value: "null", reason: TickerParser.missing) }
      throw bad(&row, TickerParser.notText)
    }
    if let ticker, text == tickerText { return ticker }
    do throws(TickerSymbolError) {
      let parsed = try TickerSymbol(text)
      tickerText = text
      return parsed
    } catch {
      throw BadCell(value: text, reason: error.description)
    }
  }

  private func isNull(_ row: inout any UnkeyedDecodingContainer) -> Bool { (try? row.decodeNil()) ?? false }

  /// The cell that could not be decoded, which is still the next one.
  private func bad(_ row: inout any UnkeyedDecodingContainer, _ reason: String) -> BadCell {
    BadCell(value: (try? row.decode(JSONAnyCell.self))?.text ?? "", reason: reason)
  }
}

/// Any JSON value, as something to show.
private struct JSONAnyCell: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self.text = text
    } else if let number = try? value.decode(Double.self) {
      text = "\(number)"
    } else if let truth = try? value.decode(Bool.self) {
      text = "\(truth)"
    } else {
      text = value.decodeNil() ? "null" : "a list or an object"
    }
  }
}
