import DataFetcher
import Foundation

// The tutorials' reader, stack and fetcher, without a service: an answer of Quandl's is in a file.

let data = try Data(contentsOf: URL(fileURLWithPath: "data/FDX.json"))
let json = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]

let stack = CoreDataStack(withModelName: "quoin-store")
let jsonReader = JSONReader(withCoreDataStack: stack)
if let period = jsonReader.saveQuandlData(forCompanyName: "FDX", forJSONResponseDict: json) {
  print("\(period.companyName ?? ""): \(period.quotes.count) quotes")
}

// A row that waits until the context is saved.
let own = StockQuotePeriod(context: stack.managedContext)
own.companyName = "ACME"
let row: [Any] = ["2024-01-02", 10, 11.5, 9.75, 11, 120_000, 0, 1, 10, 11.5, 9.75, 11, 120_000]
jsonReader.saveDailyQuote(forStockQuotePeriod: own, dailyQuote: row)
stack.saveContext()

let dataFetcher = DataFetcher(withCoreDataStack: stack)
for summary in dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: "ACME") ?? [] {
  print(summary.high, summary.volume, summary.quote)
}
print(try dataFetcher.store.generation, "commits")
