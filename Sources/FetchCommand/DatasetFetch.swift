import ArgumentParser
import Console
import QuandlClient
import Quoin

/// Downloads tickers into the store, one after the other.
struct DatasetFetch: Sendable {
  let client: QuandlClient
  let store: QuoteStore
  let days: (first: TradingDay?, last: TradingDay?)
  let patience: Duration

  let line: FetchLine

  /// Downloads what the service has and the store lacks. If the service refuses a ticker, the error is printed and the others
  /// are still downloaded.
  func run(_ datasets: [Dataset]) async throws {
    let isComplete = try await line.showing { try await fetch(datasets) }
    if !isComplete { throw ExitCode.failedOperation }
  }

  /// - Returns: whether all of them came.
  private func fetch(_ datasets: [Dataset]) async throws -> Bool {
    var isComplete = true
    var rowCount = 0
    for (index, dataset) in datasets.enumerated() {
      do {
        let (count, sentence) = try await fetch(dataset)
        rowCount += count
        line.erase()
        try report(sentence)
      } catch let error as QuandlClientError where error.kind == .cancelled {
        let rest = Self.names(datasets.dropFirst(index))
        throw Interrupted(sentence: "interrupted; not fetched: \(rest); the same command fetches what is missing")
      } catch let error as QuandlClientError where error.kind != .store {
        line.erase()
        StandardStreams.complain("\(error)")
        isComplete = false
        guard error.isAboutOneDataset else {
          let rest = datasets.dropFirst(index + 1)
          if !rest.isEmpty { StandardStreams.complain("not tried: \(Self.names(rest))") }
          break
        }
      }
      line.show(
        "fetching", in: .rows, rowCount, part: Double(index + 1) / Double(datasets.count),
        places: "\((index + 1).grouped) of \(datasets.count.of("ticker"))")
    }
    return isComplete
  }

  /// Downloads one dataset.
  ///
  /// - Returns: the number of rows that came, and the sentence that reports them.
  private func fetch(_ dataset: Dataset) async throws -> (rowCount: Int, String) {
    let known = days.first == nil ? try await store.tickerSummary(of: dataset.ticker)?.lastDay : nil
    if let known, !isAnyDayWanted(after: known) { return (0, nothingNew(dataset, after: known)) }
    line.wait(for: "\(dataset.ticker) from \(client.baseURL)")
    let (ticker, counts) = try await client.download(
      dataset.code, into: store, from: days.first ?? known?.advanced(by: 1), to: days.last, patience: patience
    ) { line.wait(for: nil) }
    let rowCount = counts.inserted + counts.replaced + counts.unchanged
    if rowCount == 0 { return (0, nothingNew(dataset, after: known)) }
    let rows = "\(rowCount.of("row")) of \(ticker)"
    return (rowCount, "Fetched \(rows) from \(client.baseURL) into '\(store.path)': \(counts.text).")
  }

  private func isAnyDayWanted(after known: TradingDay) -> Bool {
    guard let next = known.advanced(by: 1) else { return false }
    return days.last.map { next <= $0 } ?? true
  }

  private func nothingNew(_ dataset: Dataset, after known: TradingDay?) -> String {
    guard let known else { return "Nothing new: \(client.baseURL) has no such rows of \(dataset.ticker)." }
    return "Nothing new: '\(store.path)' has \(dataset.ticker) up to \(known)."
  }

  private static func names(_ datasets: ArraySlice<Dataset>) -> String {
    datasets.map(\.ticker.description).joined(separator: ", ")
  }
}

extension QuandlClientError {
  /// Whether the next dataset may succeed, because the service is there and answers.
  fileprivate var isAboutOneDataset: Bool {
    kind == .malformed || kind == .tooLarge || (kind == .service && !isTransient && status != 401)
  }
}
