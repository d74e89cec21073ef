import Console
import QuandlClient
import Quoin
import Synchronization

/// Downloads a whole table into the store.
struct TableFetch {
  let client: QuandlClient
  let store: QuoteStore
  let days: (first: TradingDay?, last: TradingDay?)
  let patience: Duration

  func run() async throws {
    let line = TableProgressLine()
    let summary = try await client.saveTable(
      into: store, from: days.first, to: days.last, patience: patience, progress: { line.update($0) })
    line.erase()
    try report(text(of: summary))
  }

  private func text(of summary: TableSummary) -> String {
    let rows = "\(summary.rowCount.of("row")) of \(summary.tickerCount.of("ticker"))"
    if summary.rowCount == 0 { return "Nothing new: '\(store.path)' has all that \(client.baseURL) has." }
    if summary.counts.inserted + summary.counts.replaced == 0 {
      return "Nothing new: the \(rows) from \(client.baseURL) were there already."
    }
    return "Fetched \(rows) from \(client.baseURL) into '\(store.path)': \(summary.counts.text)."
  }
}

/// The progress line of a table. Any thread may update it.
private final class TableProgressLine: Sendable {
  private struct State {
    var activity = ""
    var progress: Progress?
  }

  private let state = Mutex(State())

  func update(_ progress: TableProgress) {
    switch progress {
    case .waiting: break
    case .downloading(let byteCount, let total):
      show("downloading", in: .bytes, byteCount, part: total.flatMap { $0 > 0 ? Double(byteCount) / Double($0) : nil })
    case .importing(let rowCount): show("importing", in: .rows, rowCount)
    case .walking(let rowCount): show("fetching", in: .rows, rowCount)
    }
  }

  func erase() { state.withLock { $0.progress = nil } }

  private func show(_ activity: String, in unit: Progress.Unit, _ count: Int, part: Double? = nil) {
    state.withLock { state in
      if state.activity != activity {
        state.progress = nil
        state = State(activity: activity, progress: Progress(activity, in: unit))
      }
      state.progress?.update(count, part: part)
    }
  }
}
