import DataFetcher
import Foundation

// The Swift of the README and of the library's article.

/// The README's program, so that it compiles. It isn't run: it would ask a service that isn't there.
func readmeProgram(from startDate: Date, to endDate: Date) {
  QuandlAPIClient.sharedClient.performDataPersistAPIRequest(with: .Fedex_Corp, startDate: startDate, endDate: endDate)

  let dataFetcher = DataFetcher()
  let fedExSummaries = dataFetcher.getStockQuoteSummariesWithAttributeRanges(
    forTickerSymbol: .Fedex_Corp, forMinMaxOpen: nil, forMinMaxClose: nil, forMinMaxHigh: (80.0, 83.0),
    forMinMaxLow: (78.0, 82.0), forMinMaxAdjustedOpen: nil, forMinMaxAdjustedClose: nil,
    forMinMaxAdjustedHigh: (75.0, 85.0), forMinMaxAdjustedLow: nil, forMinMaxVolume: nil,
    forMinMaxAdjusedVolume: nil, forMinMaxExDividend: nil)
  // swift-format-ignore: ReplaceForEachWithForLoop
  fedExSummaries?.forEach({ summary in print("high: \(summary.high), date: \(summary.date!)") })

  let dataController = DataController()
  dataController.createDummyLogsFor(days: 5)
  dataController.printDetails(logs: dataController.logs(from: nil, to: nil))
}
