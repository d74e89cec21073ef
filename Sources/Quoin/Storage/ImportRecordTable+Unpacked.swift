extension ImportRecordTable {
  /// Calls `body` with each record of a column file of version 2 or 3.
  ///
  /// Bytes: record count (u32), then the records: ticker (32 bytes), first and last day (2 i32), row count (u64), moment of
  /// the import (i64), generation (u64), byte count of the source (u16), the source in UTF-8.
  static func forEach(inUnpacked bytes: ByteView, _ body: (ImportRecord) -> Void) throws(Damage) {
    var reader = ByteReader(bytes)
    for _ in 0..<(try reader.read(UInt32.self)) { body(try record(&reader)) }
  }

  private static func record(_ reader: inout ByteReader) throws(Damage) -> ImportRecord {
    let ticker = try TickerSymbol(&reader)
    let start = reader.offset
    let firstDay = try TradingDay(&reader)
    let lastDay = try TradingDay(&reader)
    guard let rowCount = Int(exactly: try reader.read(UInt64.self)), rowCount <= ImportRecord.rowCountMax,
      firstDay <= lastDay
    else {
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
