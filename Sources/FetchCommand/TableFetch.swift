import Console
import QuandlClient
import Quoin

/// Downloads a whole table into the store.
struct TableFetch: Sendable {
  let client: QuandlClient
  let store: QuoteStore
  let days: (first: TradingDay?, last: TradingDay?)
  let patience: Duration

  let line: FetchLine

  func run() async throws {
    do {
      let summary = try await line.showing {
        try await client.saveTable(
          into: store, from: days.first, to: days.last, patience: patience, progress: { show($0) })
      }
      try reportChange("the fetch into '\(store.path)'") { try report(text(of: summary)) }
    } catch let error as QuandlClientError where error.kind == .cancelled {
      throw Interrupted(sentence: interruption(savedRowCount: error.savedRowCount))
    }
  }

  private func interruption(savedRowCount: Int) -> String {
    if savedRowCount == 0 { return "interrupted; nothing is saved, and the same command begins anew" }
    let saved = "interrupted; \(savedRowCount.of("row")) of whole tickers are saved in '\(store.path)'"
    return days.first == nil
      ? "\(saved); the same command goes on after them" : "\(saved); because of --from the same command begins anew"
  }

  private func text(of summary: TableSummary) -> String {
    var lines = [outcome(summary)]
    if summary.rowCount > 0 {
      lines += ImportSummary.remarks(
        ignoredColumns: summary.ignoredColumns, suspicious: summary.suspicious, verb: "Fetched")
    }
    return (lines.map(client.redacted) + renewals(summary)).joined(separator: "\n")
  }

  private func outcome(_ summary: TableSummary) -> String {
    let rows = "\(summary.rowCount.of("row")) of \(summary.tickerCount.of("ticker"))"
    if summary.rowCount == 0 {
      let count = summary.confirmedTickerCount
      let end = count > 0 ? ", and the last day of \(count.of("ticker")) is unchanged" : ""
      return "Nothing new: \(client.baseURL) has no later days than '\(store.path)'\(end)."
    }
    if summary.counts.inserted + summary.counts.replaced == 0 {
      return "Nothing new: the \(rows) from \(client.baseURL) were there already."
    }
    return "Fetched \(rows) from \(client.baseURL) into '\(store.path)': \(summary.counts.text)."
  }

  private static let listedTickerCount = 20

  /// Which tickers' histories were taken anew, and why.
  private func renewals(_ summary: TableSummary) -> [String] {
    let all = summary.renewals
    if all.isEmpty { return [] }
    let rest = all.count - Self.listedTickerCount
    return ["All days of \(all.count.of("ticker")) came anew:"]
      + all.prefix(Self.listedTickerCount).map { "  \($0)" } + (rest > 0 ? ["  and \(rest.grouped) more"] : [])
  }
}

extension TableFetch {
  private func show(_ progress: TableProgress) {
    switch progress {
    case .waiting: line.wait(for: client.baseURL)
    case .exporting: line.wait(for: "\(client.baseURL) to prepare the export")
    case .downloading(let byteCount, let total):
      line.wait(for: client.baseURL)
      line.show("downloading", in: .bytes, byteCount, part: Self.part(byteCount, of: total))
    case .importing(let rowCount):
      line.wait(for: nil)
      line.show("importing", in: .rows, rowCount)
    case .walking(let rowCount, let tickerCount, let total):
      line.wait(for: client.baseURL)
      line.show(
        "fetching", in: .rows, rowCount, part: Self.part(tickerCount, of: total),
        places: total.map { "\(tickerCount.grouped) of \($0.of("ticker"))" })
    case .saving: line.wait(for: nil)
    }
  }

  private static func part(_ count: Int, of total: Int?) -> Double? {
    total.flatMap { $0 > 0 ? Double(count) / Double($0) : nil }
  }
}
