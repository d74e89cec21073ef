@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of quotes: what is imported is there again, to the bit, when it was written as text and that was imported, in
/// each form.
@safe
final class ImportTarget {
  private let format: QuoteFormat
  private let directory = TemporaryDirectory()
  /// A file that is overwritten for each input, and so never waits for the disk.
  private let path: String
  private let stream: UnsafeMutablePointer<FILE>!

  init(_ format: QuoteFormat) {
    self.format = format
    path = directory.path + "/input"
    unsafe stream = fopen(path, "wb")
  }

  deinit { unsafe fclose(stream) }

  func read(_ input: UnsafeRawBufferPointer) throws {
    let store: QuoteStore
    do { store = try unsafe imported(input, format, skippingBadRows: true) } catch is ImportError { return }
    let rows = try store.allQuotes.fetchColumns()
    if rows.rowCount == 0 { return }
    for form in [OutputFormat.csv, .ndjson] {
      var text: [UInt8] = []
      let formatter = QuoteFormatter(form) { bytes in unsafe bytes.withUnsafeBytes { unsafe text += $0 } }
      try formatter.append(rows)
      try formatter.finish()
      try compare(text, form == .csv ? .csv : .ndjson, with: rows)
    }
    for ticker in store.tickers {
      let rows = try store.quotes(for: ticker).fetchColumns()
      var text: [UInt8] = []
      try DatasetFormatter.write(rows.columns) { bytes in unsafe bytes.withUnsafeBytes { unsafe text += $0 } }
      try compare(text, .json, with: rows)
    }
  }

  /// Imports a text, and compares what comes of it.
  private func compare(_ text: [UInt8], _ format: QuoteFormat, with rows: QuoteBatch) throws {
    let again = try unsafe text.withUnsafeBytes { bytes in
      try unsafe imported(bytes, format, ticker: rows.tickers[0], skippingBadRows: false)
    }.allQuotes.fetchColumns()
    try agree(again.tickers == rows.tickers, "\(again.tickers), not \(rows.tickers), by \(format)")
    try agree(
      again.columns.cellBits == rows.columns.cellBits, "\(format) gives \(again.quotes), not \(rows.quotes)")
  }

  private func imported(
    _ text: UnsafeRawBufferPointer, _ format: QuoteFormat, ticker: TickerSymbol = "FDX", skippingBadRows: Bool
  ) throws -> QuoteStore {
    unsafe rewind(stream)
    unsafe fwrite(text.baseAddress, 1, text.count, stream)
    unsafe fflush(stream)
    unsafe ftruncate(fileno(stream), off_t(text.count))
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.importFiles(
      [path],
      options: ImportOptions(format: format, ticker: ticker, skipsBadRows: skippingBadRows, source: "text", threads: 1))
    return store
  }
}
