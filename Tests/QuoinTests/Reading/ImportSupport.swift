import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store as simple as can be: a dictionary of rows.
struct MemorySink: QuoteSink {
  var quotes: [TickerSymbol: [TradingDay: DailyQuoteSummary]] = [:]
  var upsertCount = 0
  /// Thrown by the upsert with this number, counted from 1.
  var failure: (number: Int, error: StoreError)?

  mutating func upsert(
    _ ticker: TickerSymbol, _ columns: QuoteColumns, _ mode: UpsertMode, present: AttributeSet
  ) throws(StoreError) -> UpsertCounts {
    #expect(columns.isStrictlyAscending && !columns.isEmpty)
    upsertCount += 1
    if let failure, failure.number == upsertCount { throw failure.error }
    var counts = UpsertCounts()
    for row in 0..<columns.rowCount {
      let quote = columns.quote(at: row, of: ticker)
      guard let stored = quotes[ticker]?[quote.date] else {
        quotes[ticker, default: [:]][quote.date] = quote
        counts.inserted += 1
        continue
      }
      if mode == .keep {
        counts.kept += 1
        continue
      }
      let merged =
        mode == .replace ? quote : quote.taking(Attribute.allCases.filter { !present.contains($0) }, of: stored)
      if merged == stored { counts.unchanged += 1 } else { counts.replaced += 1 }
      for name in Attribute.allCases where merged[name] != stored[name] { counts.countChange(of: name) }
      quotes[ticker, default: [:]][quote.date] = merged
    }
    return counts
  }

  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) -> QuoteColumns {
    var columns = QuoteColumns()
    let days = quotes[ticker] ?? [:]
    for day in days.keys.sorted() where day >= first && day <= last {
      if let quote = days[day] { columns.append(quote) }
    }
    return columns
  }

  /// The rows of one ticker, by day.
  func rows(_ ticker: TickerSymbol) -> [DailyQuoteSummary] {
    (quotes[ticker] ?? [:]).values.sorted { $0.date < $1.date }
  }
}

extension TemporaryDirectory {
  /// Writes a file, and returns its path.
  func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
    let file = "\(path)/\(name)"
    let bytes = Array(bytes)
    let stream = try unsafe #require(fopen(file, "wb"))
    defer { unsafe fclose(stream) }
    #expect(unsafe fwrite(bytes, 1, bytes.count, stream) == bytes.count)
    return file
  }

  /// Runs a command of the shell; its exit status.
  @discardableResult func run(_ command: String) -> Int32 {
    guard let stream = unsafe popen("{ \(command); } >/dev/null 2>&1", "r") else { return -1 }
    return unsafe pclose(stream) >> 8
  }
}

/// Imports one text as a file of this name.
func importText(
  _ text: String, as name: String = "FDX.csv", options: ImportOptions = ImportOptions(),
  tuning: ImportTuning = ImportTuning(), into sink: inout MemorySink
) throws -> ImportSummary {
  let folder = TemporaryDirectory()
  let path = try folder.write(text.utf8, as: name)
  return try QuoteImporter(options: options, tuning: tuning).importFiles([path], into: &sink)
}

/// The rows of a text that holds quotes of FDX alone.
func rows(
  of text: String, as name: String = "FDX.csv", options: ImportOptions = ImportOptions()
) throws -> [DailyQuoteSummary] {
  var sink = MemorySink()
  _ = try importText(text, as: name, options: options, into: &sink)
  return sink.rows("FDX")
}

/// The bad rows for which a text is rejected.
func badRows(of text: String, as name: String = "FDX.csv", tuning: ImportTuning = ImportTuning()) -> BadRows? {
  var sink = MemorySink()
  do {
    _ = try importText(text, as: name, tuning: tuning, into: &sink)
    return nil
  } catch ImportError.rejected(let rows) {
    return rows
  } catch {
    Issue.record(error)
    return nil
  }
}

/// The error of an import, with the folder taken out of its description.
func failure(
  of text: String, as name: String = "FDX.csv", options: ImportOptions = ImportOptions(),
  tuning: ImportTuning = ImportTuning()
) -> String {
  var sink = MemorySink()
  do {
    _ = try importText(text, as: name, options: options, tuning: tuning, into: &sink)
    return "no error"
  } catch {
    let words = "\(error)".split(separator: " ", omittingEmptySubsequences: false)
    return words.map { $0.contains("/quoin-test-") ? String($0.split(separator: "/").last ?? "") : String($0) }
      .joined(separator: " ")
  }
}

/// The one real row that Quandl's documentation shows.
let fedExRow = DailyQuoteSummary(
  ticker: "FDX", date: "2005-10-14", open: 86.9, high: 87.7, low: 85.96, close: 87.6, volume: 1_373_400,
  exDividend: 0, splitRatio: 1, adjustedOpen: 80.950577512303, adjustedHigh: 81.695807224729,
  adjustedLow: 80.074932600202, adjustedClose: 81.602653510676, adjustedVolume: 1_373_400)

let wikiHeader =
  "ticker,date,open,high,low,close,volume,ex-dividend,split_ratio,adj_open,adj_high,adj_low,adj_close,adj_volume"
let fedExCells =
  "2005-10-14,86.9,87.7,85.96,87.6,1373400.0,0.0,1.0,"
  + "80.950577512303,81.695807224729,80.074932600202,81.602653510676,1373400.0"

extension DailyQuoteSummary {
  /// The same quote with some values of another.
  func taking(_ attributes: [Attribute], of other: DailyQuoteSummary) -> DailyQuoteSummary {
    var result = self
    for name in attributes where name != .volume { result[name] = other[name] }
    if attributes.contains(.volume) { result.volume = other.volume }
    return result
  }
}
