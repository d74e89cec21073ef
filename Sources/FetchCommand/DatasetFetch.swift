import ArgumentParser
import Console
import QuandlClient
import Quoin

/// Downloads tickers into the store, one after the other.
struct DatasetFetch: Sendable {
  let source: any QuoteSource
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
        try reportChange("the fetch of \(Self.names([dataset]))") { try report(sentence) }
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
  /// - Returns: the number of rows that came, and the sentences that report them.
  private func fetch(_ dataset: Dataset) async throws -> (rowCount: Int, String) {
    let known = days.first == nil ? try await store.tickerSummary(of: dataset.ticker)?.lastDay : nil
    if let known, let last = days.last, last <= known {
      return (0, "Nothing new: '\(store.path)' has \(dataset.ticker) up to \(known).")
    }
    line.wait(for: "\(dataset.ticker) from \(source.baseURL)")
    let update = try await update(dataset, isKnown: known != nil)
    let rowCount = update.counts.inserted + update.counts.replaced + update.counts.unchanged
    if rowCount == 0 { return (0, nothingNew(dataset, after: known, isEndServed: update.isEndServed)) }
    let rows = "\(rowCount.of("row")) of \(update.ticker)"
    let anew = update.reason.map { "; all days anew, because of \($0)" } ?? ""
    let sentence = "Fetched \(rows) from \(source.baseURL) into '\(store.path)': \(update.counts.text)\(anew)."
    let remarks = update.summary?.remarks(verb: "Fetched") ?? []
    return (rowCount, ([sentence] + remarks.map(source.redacted)).joined(separator: "\n"))
  }

  private func update(_ dataset: Dataset, isKnown: Bool) async throws -> QuoteUpdate {
    let willSave = { line.wait(for: nil) }
    if isKnown {
      return try await source.update(
        dataset.code, as: dataset.ticker, in: store, to: days.last, patience: patience, willSave: willSave)
    }
    return try await source.download(
      dataset.code, into: store, from: days.first, to: days.last, patience: patience, willSave: willSave)
  }

  private func nothingNew(_ dataset: Dataset, after known: TradingDay?, isEndServed: Bool) -> String {
    guard let known else { return "Nothing new: \(source.baseURL) has no such rows of \(dataset.ticker)." }
    return isEndServed
      ? "Nothing new: \(source.baseURL) has no days of \(dataset.ticker) after \(known), and that day is unchanged."
      : "Nothing new: \(source.baseURL) has no days of \(dataset.ticker) from \(known) on."
  }

  private static func names(_ datasets: ArraySlice<Dataset>) -> String {
    datasets.map(\.ticker.description).joined(separator: ", ")
  }
}

extension QuandlClientError {
  /// Whether the next dataset may succeed, because the service is there and answers.
  fileprivate var isAboutOneDataset: Bool {
    kind == .malformed || kind == .tooLarge || (kind == .service && !isTransient && !isLasting && status != 401)
  }
}
