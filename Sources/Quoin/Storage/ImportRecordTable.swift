/// The records of imports in a column file.
///
/// Bytes: record count (u32), then the records: ticker (32 bytes), first and last day (2 i32), row count (u64), moment of
/// the import (i64), generation (u64), byte count of the source (u16), the source in UTF-8.
enum ImportRecordTable {
  static func encode(_ records: [ImportRecord]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(records.count))
    for record in records {
      record.ticker.append(to: &bytes)
      bytes.append(littleEndian: record.firstDay.daysSince1970)
      bytes.append(littleEndian: record.lastDay.daysSince1970)
      bytes.append(littleEndian: UInt64(record.rowCount))
      bytes.append(littleEndian: record.importedAt.secondsSince1970)
      bytes.append(littleEndian: record.generation)
      let source = wholeCharacters(record.source)
      bytes.append(littleEndian: UInt16(source.count))
      bytes += source
    }
    return bytes
  }

  /// The beginning of `source`, cut between characters to the size that the format allows.
  private static func wholeCharacters(_ source: String) -> [UInt8] {
    var bytes = Array(source.utf8.prefix(Limits.sourceByteCount + 1))
    guard bytes.count > Limits.sourceByteCount else { return bytes }
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    return bytes
  }

  /// No import brings as many rows of one ticker; so the sum of all records fits an `Int`.
  private static let rowCountMax = 1 << 32

  static func decode(_ bytes: ByteView) throws(Damage) -> [ImportRecord] {
    var reader = ByteReader(bytes)
    let count = try reader.read(UInt32.self)
    var records: [ImportRecord] = []
    for _ in 0..<count { records.append(try record(&reader)) }
    return records
  }

  /// Calls `body` with the ticker and the moment of each record, and skips the rest of the record.
  static func forEachImport(
    in bytes: ByteView, _ body: (TickerSymbol, CommitTime) -> Void
  ) throws(Damage) {
    var reader = ByteReader(bytes)
    for _ in 0..<(try reader.read(UInt32.self)) {
      let ticker = try TickerSymbol(&reader)
      reader.offset += 16  // days and row count
      let moment = try CommitTime(&reader)
      reader.offset += 8  // the generation
      reader.offset += Int(try reader.read(UInt16.self))
      body(ticker, moment)
    }
  }

  private static func record(_ reader: inout ByteReader) throws(Damage) -> ImportRecord {
    let ticker = try TickerSymbol(&reader)
    let start = reader.offset
    let firstDay = try TradingDay(&reader)
    let lastDay = try TradingDay(&reader)
    guard let rowCount = Int(exactly: try reader.read(UInt64.self)), rowCount <= rowCountMax, firstDay <= lastDay else {
      throw Damage(offset: start, "an impossible record of an import of \(ticker)")
    }
    let importedAt = try CommitTime(&reader)
    let generation: UInt64 = try reader.read()
    let sourceByteCount = Int(try reader.read(UInt16.self))
    let source = String(decoding: try reader.view(sourceByteCount).array, as: UTF8.self)
    return ImportRecord(
      ticker: ticker, firstDay: firstDay, lastDay: lastDay, rowCount: rowCount, source: source, importedAt: importedAt,
      generation: generation)
  }
}

extension CommitTime {
  /// A moment of a year that a `TradingDay` can name. Others are no clock's, and can't be computed with.
  init(_ reader: inout ByteReader) throws(Damage) {
    let start = reader.offset
    let seconds = try reader.read(Int64.self)
    let days = (TradingDay.earliest.daysSince1970, TradingDay.latest.daysSince1970)
    guard seconds >= Int64(days.0) * 86_400, seconds < Int64(days.1 + 1) * 86_400 else {
      throw Damage(offset: start, "\(seconds) seconds since 1970 aren't in the calendar")
    }
    self.init(secondsSince1970: seconds)
  }
}

extension TradingDay {
  init(_ reader: inout ByteReader) throws(Damage) {
    let start = reader.offset
    let days = try reader.read(Int32.self)
    guard let day = TradingDay(daysSince1970: Int(days)) else {
      throw Damage(offset: start, "day \(days) isn't a date")
    }
    self = day
  }
}
