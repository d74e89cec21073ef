// swift-format-ignore-file: ReplaceForEachWithForLoop

import DataFetcher
import Foundation

/// The view controller of the tutorials, without its views.
class ViewController {
  let dataFetcher = DataFetcher()

  lazy var dateFormatter: DateFormatter = {
    let dateFormatter = DateFormatter()
    dateFormatter.dateFormat = "yyyy-MM-dd"
    return dateFormatter
  }()

  func viewDidLoad() {
    download()
    showFedEx()
    showRange()
    showStatistics()
    showLog()
  }

  /// Asks for FedEx and saves the answer. The tutorials' app goes on meanwhile; this one waits.
  func download() {
    let client = QuandlAPIClient.sharedClient
    let save = client.persistDataCompletionHandler
    let isDone = DispatchSemaphore(value: 0)
    client.persistDataCompletionHandler = { companyName, jsonData, error in
      save(companyName, jsonData, error)
      isDone.signal()
    }
    client.performDataPersistAPIRequest(
      with: .Fedex_Corp, startDate: dateFormatter.date(from: "2005-10-01")!,
      endDate: dateFormatter.date(from: "2005-10-14")!)
    isDone.wait()
  }

  func showFedEx() {
    if let summaries = dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: TickerSymbol.Fedex_Corp) {
      print("\(summaries.count) days of \(TickerSymbol.Fedex_Corp.rawValue)")
      summaries.suffix(2).forEach({ summary in
        let high = summary.high
        let low = summary.low
        let date = summary.date
        let volume = summary.volume
        let adjVolume = summary.adjustedVolume
        print("high: \(high),\n low: \(low),\n date: \(date!),\n volume: \(volume),\n adjVolume: \(adjVolume)")
      })
    }
  }

  func showRange() {
    let fedExSummaries: [DailyQuoteSummary]? = dataFetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .Fedex_Corp, forMinMaxOpen: nil, forMinMaxClose: nil, forMinMaxHigh: (80.0, 83.0),
      forMinMaxLow: (78.0, 82.0), forMinMaxAdjustedOpen: nil, forMinMaxAdjustedClose: nil,
      forMinMaxAdjustedHigh: (75.0, 85.0), forMinMaxAdjustedLow: nil, forMinMaxVolume: nil,
      forMinMaxAdjusedVolume: nil, forMinMaxExDividend: nil)
    fedExSummaries?.forEach({ print(dateFormatter.string(from: $0.date!), $0.high) })
  }

  func showStatistics() {
    if let highest = dataFetcher.fetchDailyQuoteStatData(
      forTicker: .Fedex_Corp, forFunctionType: .maximum, forKeyPath: .High)
    {
      print("the highest price: \(highest)")
    }
    let known = TickerSymbol.allTickerSymbols.filter { TickerSymbol(rawValue: $0) != nil }
    print("\(known.count) companies, the tutorials' last is \(TickerSymbol.Hewlett_Packard.rawValue)")
  }

  /// The daily log. The tutorial logs moods; here an entry is a quote.
  func showLog() {
    let dataController = DataController()
    dataController.createDummyLogsFor(days: 5)
    let logs = dataController.logs(from: nil, to: nil)
    print("\(logs.count) entries, today's first: \(logs.first?.date == dataController.today)")
    dataController.delete(where: .dates(from: .earliest))
    dataController.log(DailyQuoteSummary(ticker: "LOG", date: "2005-10-13", close: 86.6))
    dataController.log(DailyQuoteSummary(ticker: "LOG", date: "2005-10-14", close: 87.6))
    dataController.update(where: .range(.close, above: 87)) { $0.close = 87.5 }
    let from = dateFormatter.date(from: "2005-10-13")
    dataController.logs(from: from, to: nil).forEach({ print(dateFormatter.string(from: $0.date!), $0.close) })
    dataController.deleteAll()
  }
}
