import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tickers going out as Quandl datasets: one to a stream or file, several to a directory with a file for each.
struct DatasetExport {
  let store: QuoteStore
  let tickers: [TickerSymbol]
  /// Which rows; nil for all.
  let predicate: Predicate?

  /// - Parameter path: a file; a directory, if it is one or ends with a slash; nil for standard output.
  func write(to path: String?) throws {
    if let path, path.hasSuffix("/") || Self.isDirectory(path) || (tickers.count != 1 && path != "-") {
      return try writeAll(into: path)
    }
    guard let ticker = tickers.first, tickers.count == 1 else {
      throw UsageError(
        "a JSON dataset holds one ticker, and \(tickers.count.grouped) are wanted; name one, or a directory with "
          + "--output DIR for a file of each")
    }
    try write(rows(of: ticker), to: path)
  }

  private func writeAll(into path: String) throws {
    let directory = path.hasSuffix("/") ? String(path.dropLast()) : path
    if unsafe mkdir(directory, 0o777) != 0, errno != EEXIST || !Self.isDirectory(directory) {
      throw OutputError("'\(path)'", errno == EEXIST ? ENOTDIR : errno)
    }
    let progress = Progress("exporting", in: .rows)
    var count = 0
    for (index, ticker) in tickers.enumerated() {
      let rows = try rows(of: ticker)
      // Where a condition leaves nothing of a ticker, there is nothing to import again.
      if !rows.isEmpty { try write(rows, to: "\(directory)/\(ticker).json") }
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

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
