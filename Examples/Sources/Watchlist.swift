import Observation
import Quoin

// The data of an app with a list and a detail, without its views: a section for each ticker, its quotes newest first, and
// what is committed while the app runs, whoever commits it.

/// What the views show.
@MainActor @Observable final class Watchlist {
  struct Section: Identifiable {
    let id: TickerSymbol
    var rows: [DailyQuoteSummary]
  }

  private(set) var sections: [Section] = []
  private let store: QuoteStore

  init(_ store: QuoteStore) { self.store = store }

  /// What the detail shows of the row that is selected in the list.
  func quote(_ id: DailyQuoteSummary.ID) -> DailyQuoteSummary? {
    sections.first { $0.id == id.ticker }?.rows.first { $0.id == id }
  }

  /// Shows the store, and what changes, until its task is cancelled.
  func follow() async throws {
    let changes = store.changes
    for ticker in store.tickers { try await show(ticker, .earliest ... .latest) }
    for try await change in changes {
      try await store.refresh()
      for ticker in change.tickers {
        if let days = change.days(of: ticker) { try await show(ticker, days) }
      }
    }
  }

  /// Reads some days of a ticker anew.
  private func show(_ ticker: TickerSymbol, _ days: ClosedRange<TradingDay>) async throws {
    let fresh = try await store.quotes(for: ticker).dates(from: days.lowerBound, to: days.upperBound).fetch()
    let others = sections.first { $0.id == ticker }?.rows.filter { !days.contains($0.date) } ?? []
    let rows = (others + fresh).sorted { $0.date > $1.date }
    sections = (sections.filter { $0.id != ticker } + (rows.isEmpty ? [] : [Section(id: ticker, rows: rows)]))
      .sorted { $0.id < $1.id }
  }
}

let store = try await QuoteStore(at: "quoin-store")
try await store.importFiles(["data/FDX.json"])
let list = Watchlist(store)
let following = Task { try await list.follow() }

let new = DailyQuoteSummary(ticker: .fedEx, date: "2005-10-17", close: 88.1)
try await store.upsert([new])
while list.quote(new.id) == nil { try await Task.sleep(for: .milliseconds(10)) }
following.cancel()
for section in list.sections { print(section.id, section.rows.count, section.rows[0]) }
