import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes tickers as Quandl datasets: one ticker to a stream or a file, several to a directory with a file for each.
struct DatasetExport {
  let store: QuoteStore
  let tickers: [TickerSymbol]
  /// Which rows; nil for all.
  let predicate: Predicate?

  /// - Parameter path: a file; a directory, if it is one or ends with a slash; nil for standard output.
  func write(to path: String?) throws {
    if let path, path.hasSuffix("/") || System.isDirectory(path) || (tickers.count != 1 && path != "-") {
      return try writeAll(into: path)
    }
    guard let ticker = tickers.first, tickers.count == 1 else {
      throw UsageError(
        "a JSON dataset holds one ticker, but \(tickers.count.grouped) are selected; name one, or write a file for each "
          + "with --output DIR")
    }
    try write(rows(of: ticker), to: path)
  }

  private func writeAll(into path: String) throws {
    let directory = path.hasSuffix("/") ? String(path.dropLast()) : path
    if !System.isDirectory(directory) {
      try UnfinishedFile.requireOutsideStores(directory, called: path)
      do throws(SystemError) {
        try System.makeDirectory(directory)
      } catch {
        throw OutputError("'\(path)'", error.code == EEXIST ? ENOTDIR : error.code)
      }
    }
    let progress = Progress("exporting", in: .rows)
    var count = 0
    for (index, ticker) in tickers.enumerated() {
      let rows = try rows(of: ticker)
      // A ticker without matching rows has nothing to import again.
      if !rows.isEmpty { try write(rows, to: "\(directory)/\(ticker.fileName("json"))") }
      count += rows.rowCount
      progress.update(count, part: Double(index + 1) / Double(tickers.count))
    }
  }

  private func rows(of ticker: TickerSymbol) throws -> QuoteColumns {
    let query = store.quotes(for: ticker)
    return try (predicate.map { query.where($0) } ?? query).fetchColumns().columns
  }

  private func write(_ rows: QuoteColumns, to path: String?) throws {
    let file = try Output(to: path)
    try DatasetFormatter.write(rows) { try file.write($0) }
    try file.finish()
  }
}
