#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the arrays of a document's `data` into rows.
struct JSONRowReader {
  /// The rows read so far; all but the last of these are full.
  private(set) var rows: [ParsedRows]

  private let plan: ColumnPlan
  private var cells: CellSink

  init(plan: ColumnPlan, dates: DateReading) {
    self.plan = plan
    cells = CellSink(rows: ParsedRows(), dates: dates)
    cells.rows.attributes = plan.attributes
    rows = [cells.rows]
  }

  /// The text of a cell that is no value of its column, and the reason.
  private struct BadCell: Error {
    let value: String
    let reason: String
  }

  mutating func read(_ data: consuming any UnkeyedDecodingContainer) throws {
    var data = data
    while !data.isAtEnd {
      let index = data.currentIndex + 1
      if cells.rows.isFull {
        cells.rows = ParsedRows()
        cells.rows.attributes = plan.attributes
        rows.append(cells.rows)
      }
      guard var row = try? data.nestedUnkeyedContainer() else {
        let value = try data.decode(JSONAnyCell.self)
        cells.rows.reject(.row(index), column: nil, value: value.text.utf8, "not an array of cells")
        continue
      }
      readRow(&row, index)
    }
  }

  private mutating func readRow(_ row: inout any UnkeyedDecodingContainer, _ index: Int) {
    for (column, role) in plan.roles.enumerated() {
      guard !row.isAtEnd else { return rejectCount(&row, index) }
      do throws(BadCell) { try readCell(&row, role) } catch {
        cells.rows.reject(.row(index), column: plan.names[column], value: error.value.utf8, error.reason)
        return
      }
    }
    guard row.isAtEnd else { return rejectCount(&row, index) }
    cells.rows.commit(cells.ticker, cells.day, position: index)
  }

  private func rejectCount(_ row: inout any UnkeyedDecodingContainer, _ index: Int) {
    let count = row.count ?? row.currentIndex
    let reason = "\(count) cell\(count == 1 ? "" : "s") where there are \(plan.roles.count) columns"
    cells.rows.reject(.row(index), column: nil, value: [], reason)
  }

  /// Reads the next cell. Cells are rarely missing, so the value is asked for first and `null` after that. A failed
  /// attempt takes nothing.
  private mutating func readCell(
    _ row: inout any UnkeyedDecodingContainer, _ role: ColumnRole
  ) throws(BadCell) {
    switch role {
    case .double(let slot): cells.rows.set(try double(&row), double: slot)
    case .splits(let slot): cells.rows.set(ColumnRole.splitRatio(try double(&row)), double: slot)
    case .shares(let slot):
      let value = try double(&row)
      if value < 0 { throw BadCell(value: "\(value)", reason: DecimalParser.negativeVolume) }
      cells.rows.set(value, double: slot)
    case .integer(let slot):
      guard let value = try? row.decode(Int64.self) else { return try set(role, toText: decimalText(&row)) }
      if value < 0 { return try set(role, toText: "\(value)") }
      cells.rows.set(value, integer: slot)
    case .date: try set(role, toText: text(&row, missing: DayParser.missing, notText: DayParser.wrongForm))
    case .ticker: try set(role, toText: text(&row, missing: TickerParser.missing, notText: TickerParser.notText))
    case .datePart, .ignored: _ = try? row.decode(JSONAnyCell.self)
    }
  }

  private mutating func set(_ role: ColumnRole, toText text: String) throws(BadCell) {
    let reason = TextView.with(text) { cells.set(role, to: $0) }
    if let reason { throw BadCell(value: text, reason: reason) }
  }

  private func double(_ row: inout any UnkeyedDecodingContainer) throws(BadCell) -> Double {
    guard let value = try? row.decode(Double.self) else {
      if isNull(&row) { return .missing }
      let text = try numberText(&row)
      switch TextView.with(text, { DecimalParser.double($0) }) {
      case .value(let value): return value
      case .missing: return .missing
      case .bad(let reason): throw BadCell(value: text, reason: reason)
      }
    }
    guard value.isFinite else { throw BadCell(value: "\(value)", reason: DecimalParser.tooLarge) }
    return value
  }

  /// The text of a number that no int64 holds; empty for `null`.
  private func decimalText(_ row: inout any UnkeyedDecodingContainer) throws(BadCell) -> String {
    if isNull(&row) { return "" }
    if let decimal = try? row.decode(Decimal.self) { return "\(decimal)" }
    return try numberText(&row)
  }

  /// The text of a string, or of a number that Foundation reads as no type.
  private func numberText(_ row: inout any UnkeyedDecodingContainer) throws(BadCell) -> String {
    if let text = try? row.decode(String.self) { return text }
    let cell = try? row.decode(JSONAnyCell.self)
    guard let cell, cell.isNumber else { throw BadCell(value: cell?.text ?? "", reason: DecimalParser.notANumber) }
    return cell.text
  }

  private func text(
    _ row: inout any UnkeyedDecodingContainer, missing: String, notText: String
  ) throws(BadCell) -> String {
    if let text = try? row.decode(String.self) { return text }
    if isNull(&row) { throw BadCell(value: "null", reason: missing) }
    throw bad(&row, notText)
  }

  private func isNull(_ row: inout any UnkeyedDecodingContainer) -> Bool { (try? row.decodeNil()) ?? false }

  /// The error for the cell that could not be decoded, which is still the next one.
  private func bad(_ row: inout any UnkeyedDecodingContainer, _ reason: String) -> BadCell {
    BadCell(value: (try? row.decode(JSONAnyCell.self))?.text ?? "", reason: reason)
  }
}

/// Any JSON value, as text to show.
private struct JSONAnyCell: Decodable {
  let text: String
  let isNumber: Bool

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let number = Self.number(value) {
      (text, isNumber) = (number, true)
      return
    }
    isNumber = false
    if let text = try? value.decode(String.self) {
      self.text = text
    } else if let truth = try? value.decode(Bool.self) {
      text = "\(truth)"
    } else {
      text = value.decodeNil() ? "null" : "a list or an object"
    }
  }

  /// The text of a number; nil if the value is something else.
  private static func number(_ value: any SingleValueDecodingContainer) -> String? {
    do { return "\(try value.decode(Double.self))" } catch {
      switch error as? DecodingError {
      case .typeMismatch?, .valueNotFound?: return nil
      default: break
      }
      // Beyond float64. The decoder shows the number in no other way than in the words of its error.
      let words = "\(error)".split { !"+-.0123456789eE".contains($0) }
      return words.filter { $0.contains(where: \.isNumber) }.max { $0.utf8.count < $1.utf8.count }.map(String.init)
    }
  }
}
