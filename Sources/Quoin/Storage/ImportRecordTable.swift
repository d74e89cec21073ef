/// The records of imports in a column file.
///
/// They lie in groups of up to 65,536, one after another. Bytes of a group: byte count unpacked (u32), byte count packed (u32),
/// and, packed by LZ4:
///
///     imports    count; each: generation, moment, byte count of the source, the source in UTF-8
///     tickers    count; each: byte count (u8), symbol
///     records    count; five columns: place of the import, place of the ticker, first day, days from it to the last, rows
///
/// Numbers are of variable length (VariableLength.swift). Generations, moments, places and first days are differences from the
/// one before. So the records of a day that came for the whole market are runs of the same bytes, of which LZ4 leaves next to
/// nothing.
enum ImportRecordTable {
  /// A guard: it bounds the memory that a forged group takes.
  private static let groupRecordCount = 1 << 16
  private static let groupByteCount = 1 << 27

  /// The bytes of the newest `limit` records.
  static func encode(_ records: [ImportRecord], limit: Int = Limits.importRecordCount) -> [UInt8] {
    if records.count > limit {
      return encode(records.sorted { $0.generation < $1.generation }.suffix(limit), limit: limit)
    }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: records.count, by: groupRecordCount) {
      var group = Group()
      for record in records[start..<min(start + groupRecordCount, records.count)] { group.append(record) }
      let unpacked = group.bytes
      let packed = LZ4.compressed(unpacked)
      for count in [unpacked.count, packed.count] { bytes.append(littleEndian: UInt32(count)) }
      bytes += packed
    }
    return bytes
  }

  /// Calls `body` with each record.
  static func forEach(
    in bytes: ByteView, limit: Int = Limits.importRecordCount, _ body: (ImportRecord) -> Void
  ) throws(Damage) {
    var (reader, count) = (ByteReader(bytes), 0)
    while reader.offset < bytes.count {
      let start = reader.offset
      let (unpackedCount, packedCount) = (Int(try reader.read(UInt32.self)), Int(try reader.read(UInt32.self)))
      let packed = try reader.view(packedCount)
      // LZ4 makes at most 255 bytes of one, so a forged count takes no memory that the file doesn't warrant.
      guard unpackedCount <= min(packedCount * 255, groupByteCount) else {
        throw Damage(offset: start, "records of imports that unpack to \(unpackedCount) bytes")
      }
      do throws(Damage) {
        try LZ4.withDecompressed(packed, byteCount: unpackedCount) { bytes throws(Damage) in
          var group = ByteReader(bytes)
          count += try forEach(inGroup: &group, upTo: limit - count, body)
          guard group.offset == bytes.count else { throw Damage(offset: 0, "records of imports with something behind") }
        }
      } catch { throw Damage(offset: start, error.reason) }
    }
  }

  /// Returns the number of records.
  private static func forEach(
    inGroup reader: inout ByteReader, upTo limit: Int, _ body: (ImportRecord) -> Void
  ) throws(Damage) -> Int {
    let (imports, tickers) = (try Self.imports(&reader), try Self.tickers(&reader))
    let count = try reader.count(upTo: min(groupRecordCount, limit))
    func column(_ read: (inout ByteReader) throws(Damage) -> Int) throws(Damage) -> [Int] {
      var column: [Int] = []
      for _ in 0..<count { column.append(try read(&reader)) }
      return column
    }
    func differences(below end: Int) throws(Damage) -> [Int] {
      var previous = 0
      return try column { reader throws(Damage) in
        previous &+= Int(try reader.signedNumber())
        guard (0..<end).contains(previous) else { throw Damage(offset: 0, "a record of an import that isn't there") }
        return previous
      }
    }
    let importPlaces = try differences(below: imports.count)
    let tickerPlaces = try differences(below: tickers.count)
    var day = 0
    let firstDays = try column { reader throws(Damage) in
      day &+= Int(try reader.signedNumber())
      return day
    }
    let calendar = Int(TradingDay.latest.daysSince1970 - TradingDay.earliest.daysSince1970)
    let spans = try column { reader throws(Damage) in try reader.count(upTo: calendar) }
    let rowCounts = try column { reader throws(Damage) in try reader.count(upTo: ImportRecord.rowCountMax) }
    for row in 0..<count {
      let ticker = tickers[tickerPlaces[row]]
      guard let first = TradingDay(daysSince1970: firstDays[row]),
        let last = TradingDay(daysSince1970: firstDays[row] + spans[row])
      else { throw Damage(offset: 0, "an impossible record of an import of \(ticker)") }
      body(imports[importPlaces[row]].record(of: ticker, first...last, rowCount: rowCounts[row]))
    }
    return count
  }

  private static func imports(_ reader: inout ByteReader) throws(Damage) -> [Import] {
    var imports: [Import] = []
    var (generation, moment): (UInt64, Int64) = (0, 0)
    for _ in 0..<(try reader.count(upTo: groupRecordCount)) {
      generation &+= UInt64(bitPattern: try reader.signedNumber())
      moment &+= try reader.signedNumber()
      let source = try reader.view(try reader.count(upTo: Limits.sourceByteCount)).array
      imports.append(
        Import(
          generation: generation, importedAt: try CommitTime(checking: moment, at: 0),
          source: String(decoding: source, as: UTF8.self)))
    }
    return imports
  }

  private static func tickers(_ reader: inout ByteReader) throws(Damage) -> [TickerSymbol] {
    var tickers: [TickerSymbol] = []
    for _ in 0..<(try reader.count(upTo: groupRecordCount)) {
      let symbol = try reader.view(Int(try reader.read(UInt8.self))).array
      guard let ticker = try? TickerSymbol(utf8: symbol) else { throw Damage(offset: 0, "no ticker symbol") }
      tickers.append(ticker)
    }
    return tickers
  }

  /// What the records of one import have in common.
  private struct Import: Hashable {
    let generation: UInt64
    let importedAt: CommitTime
    let source: String

    func record(of ticker: TickerSymbol, _ days: ClosedRange<TradingDay>, rowCount: Int) -> ImportRecord {
      ImportRecord(
        ticker: ticker, firstDay: days.lowerBound, lastDay: days.upperBound, rowCount: rowCount, source: source,
        importedAt: importedAt, generation: generation)
    }
  }

  /// Records that are packed together.
  private struct Group {
    private var imports = Places<Import>()
    private var tickers = Places<TickerSymbol>()
    private var count = 0
    private var columns = [[UInt8]](repeating: [], count: 5)
    private var (importPlace, tickerPlace, firstDay) = (0, 0, 0)

    mutating func append(_ record: ImportRecord) {
      count += 1
      let parts = Import(generation: record.generation, importedAt: record.importedAt, source: record.source)
      let days = (first: Int(record.firstDay.daysSince1970), last: Int(record.lastDay.daysSince1970))
      Self.append(imports.place(of: parts), after: &importPlace, to: &columns[0])
      Self.append(tickers.place(of: record.ticker), after: &tickerPlace, to: &columns[1])
      Self.append(days.first, after: &firstDay, to: &columns[2])
      columns[3].append(number: UInt64(days.last - days.first))
      columns[4].append(number: UInt64(record.rowCount))
    }

    private static func append(_ number: Int, after previous: inout Int, to column: inout [UInt8]) {
      column.append(signedNumber: Int64(number - previous))
      previous = number
    }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(number: UInt64(imports.list.count))
      var (generation, moment): (UInt64, Int64) = (0, 0)
      for item in imports.list {
        bytes.append(signedNumber: Int64(bitPattern: item.generation &- generation))
        bytes.append(signedNumber: item.importedAt.secondsSince1970 &- moment)
        (generation, moment) = (item.generation, item.importedAt.secondsSince1970)
        let source = wholeCharacters(item.source)
        bytes.append(number: UInt64(source.count))
        bytes += source
      }
      bytes.append(number: UInt64(tickers.list.count))
      for ticker in tickers.list {
        bytes.append(UInt8(ticker.utf8.count))
        bytes += ticker.utf8
      }
      bytes.append(number: UInt64(count))
      for column in columns { bytes += column }
      return bytes
    }
  }

  /// Different values in the order in which they first came, each once.
  private struct Places<Value: Hashable> {
    private(set) var list: [Value] = []
    private var places: [Value: Int] = [:]
    /// Values mostly come again and again.
    private var last = 0

    mutating func place(of value: Value) -> Int {
      if list.indices.contains(last), list[last] == value { return last }
      last = places[value] ?? list.count
      if last == list.count {
        places[value] = last
        list.append(value)
      }
      return last
    }
  }

  /// The beginning of `source`, cut between characters to the size that the format allows.
  private static func wholeCharacters(_ source: String) -> [UInt8] {
    var bytes = Array(source.utf8.prefix(Limits.sourceByteCount + 1))
    guard bytes.count > Limits.sourceByteCount else { return bytes }
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    return bytes
  }
}

extension CommitTime {
  init(_ reader: inout ByteReader) throws(Damage) {
    let start = reader.offset
    try self.init(checking: try reader.read(), at: start)
  }

  /// A moment of a year that a `TradingDay` can name. Others are no clock's, and can't be computed with.
  init(checking seconds: Int64, at offset: Int) throws(Damage) {
    let days = (TradingDay.earliest.daysSince1970, TradingDay.latest.daysSince1970)
    guard seconds >= Int64(days.0) * 86_400, seconds < Int64(days.1 + 1) * 86_400 else {
      throw Damage(offset: offset, "\(seconds) seconds since 1970 aren't in the calendar")
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
