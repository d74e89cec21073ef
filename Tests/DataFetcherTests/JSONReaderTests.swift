import DataFetcher
import Foundation
import Testing

/// Quandl's documents on their way into a store.
@Suite struct JSONReaderTests {
  private static let names = [
    "Date", "Open", "High", "Low", "Close", "Volume", "Ex-Dividend", "Split Ratio", "Adj. Open", "Adj. High",
    "Adj. Low", "Adj. Close", "Adj. Volume",
  ]
  private static let rows = """
    ["2005-10-14",86.9,87.99,86.5,87.6,1373400.0,0.0,1.0,80.1,81.2,79.9,80.95,1373400.0],
    ["2005-10-13",85.5,86.81,85.1,86.6,1573800.0,0.08,1.0,79.1,80.2,78.9,79.95,1573800.5]
    """

  private func document(_ key: String, _ more: String = "") throws -> [String: Any] {
    let names = Self.names.map { "\"\($0)\"" }.joined(separator: ",")
    let text = """
      {"\(key)":{\(more)"column_names":[\(names)],"start_date":"2005-10-01","end_date":"2005-10-14","frequency":"daily",
      "data":[\(Self.rows)],"collapse":null,"order":"desc"}}
      """
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func moment(_ day: String) throws -> Date {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd"
    return try #require(formatter.date(from: day))
  }

  @Test(arguments: [("dataset_data", ""), ("dataset", #""dataset_code":"FDX","database_code":"WIKI","id":1,"#)])
  func a_document_is_a_period_and_one_commit(_ key: String, _ more: String) throws {
    let temporary = try TemporaryStore()
    let reader = JSONReader(withCoreDataStack: CoreDataStack(store: temporary.store))
    let period = try #require(
      reader.saveQuandlData(
        forCompanyName: TickerSymbol.Fedex_Corp.rawValue, forJSONResponseDict: document(key, more)))
    #expect(reader.lastError == nil && temporary.store.generation == 1 && !reader.managedContext.hasChanges)
    #expect(period.companyName == "FDX")
    #expect(try period.startDate == moment("2005-10-01") && period.endDate == moment("2005-10-14"))
    let stored = try temporary.store.quotes(for: .fedEx).fetch()
    #expect(period.quotes.map(\.quote) == stored && stored.map(\.date) == ["2005-10-13", "2005-10-14"])
    let all = try #require(period.dailyQuoteSummary?.allObjects as? [DailyQuoteSummary])
    #expect(Set(all) == Set(period.quotes) && all.count == 2)
    let expected = DailyQuoteSummary(
      ticker: .fedEx, date: "2005-10-13", open: 85.5, high: 86.81, low: 85.1, close: 86.6, volume: 1_573_800,
      exDividend: 0.08, splitRatio: 1, adjustedOpen: 79.1, adjustedHigh: 80.2, adjustedLow: 78.9, adjustedClose: 79.95,
      adjustedVolume: 1_573_800.5)
    #expect(period.quotes.first == expected)
  }

  @Test func a_dictionary_of_Swifts_own_values_is_a_document_too() throws {
    let temporary = try TemporaryStore()
    let reader = JSONReader(withModelName: temporary.path)
    let data: [[Any]] = [["2005-10-14", 86.9 as Float, NSNull()], ["2005-10-13", 85, Int64(7)]]
    let body: [String: Any] = ["column_names": ["Date", "Close", "Volume"], "data": data, "start_date": NSNull()]
    let period = try #require(
      reader.saveQuandlData(forCompanyName: "fdx", forJSONResponseDict: ["dataset_data": body]))
    #expect(period.startDate == nil && period.endDate == nil)
    try temporary.store.refresh()
    let stored = try temporary.store.quotes(for: .fedEx).fetch()
    #expect(stored.map(\.close) == [85, 86.9] && stored.map(\.volume) == [7, nil])
  }

  @Test func a_bad_document_is_an_error_that_says_where_and_changes_nothing() throws {
    let temporary = try TemporaryStore.ofFedEx()
    let stack = CoreDataStack(store: temporary.store)
    let reader = JSONReader(withCoreDataStack: stack)
    func data(_ rows: [Any], _ more: [String: Any] = [:]) -> [String: Any] {
      let body: [String: Any] = ["column_names": ["Date", "Close"], "data": rows]
      return ["dataset_data": body.merging(more) { $1 }]
    }
    let good: [Any] = ["2005-10-14", 1]
    let documents: [([String: Any], String)] = [
      ([:], "it is an empty object"), (["dataset_data": 5], "dataset_data"), (["dataset": NSNull()], "dataset"),
      (["dataset_data": ["data": [good]]], "'column_names' is missing"), (["dataset_data": [good]], "dataset_data"),
      (["quandl_error": ["code": "QECx02", "message": "no such code"]], "no such code"),
      (
        ["datatable": ["columns": [["name": "ticker"], ["name": "date"]], "data": [["FDX", "2005-10-14"]]]],
        "none of open"
      ),
      (data([good, 5]), "not an array"), (data([good, ["2005-10-13"]]), "1 cell where"), (data([["x", 1]]), "'x'"),
      (data([[5, 1]]), "row 1"), (data([["2005-02-30", 1]]), "no such day"),
      (data([["2005-10-14", "x"]]), "not a number"),
      (data([["2005-10-14", Double.nan]]), "dataset_data.data.1.2"), (data([["2005-10-14", Date()]]), "Date"),
      (data([["2005-10-14", [1]]]), "a list"), (data([good, ["2005-10-14", 2]]), "twice"), (data([[]]), "0 cells"),
      (data([good], ["start_date": "soon"]), "start_date: 'soon' isn't a date"),
      (data([good], ["end_date": 20_051_014]), "end_date"), (data([good], ["start_date": "2005\u{1b}[2J"]), "2005?[2J"),
      (data([good], ["dataset_code": "KO"]), "quotes of KO, not of FDX"),
      (data([good], ["dataset_code": "no ticker"]), "quotes of 'no ticker' in place of FDX"),
      (data([["2005-10-14", 1, "KO"]], ["column_names": ["Date", "Close", "Ticker"]]), "quotes of KO, not of FDX"),
      (data([good], ["column_names": ["Close", "Volume"]]), "no column 'date'"),
      (data([good], ["column_names": 7]), "column_names"), (data([good], ["data": NSNull()]), "data"),
    ]
    for (document, words) in documents {
      #expect(reader.saveQuandlData(forCompanyName: "FDX", forJSONResponseDict: document) == nil)
      let error = try #require(reader.lastError as? ImportError, "\(document)")
      #expect("\(error)".contains(words), "\(document): \(error)")
    }
    for name in ["", "FedEx Corp", "A,B", String(repeating: "x", count: 99)] {
      #expect(reader.saveQuandlData(forCompanyName: name, forJSONResponseDict: try document("dataset")) == nil)
      #expect(reader.lastError is TickerSymbolError)
    }
    #expect(!stack.managedContext.hasChanges && temporary.store.generation == 1)
    #expect(reader.saveQuandlData(forCompanyName: "KO", forJSONResponseDict: try document("dataset")) != nil)
    #expect(reader.lastError == nil && temporary.store.tickers == [.fedEx, "KO"])
  }

  @Test func single_rows_wait_in_their_periods_until_the_context_is_saved_as_one_commit() throws {
    let temporary = try TemporaryStore()
    let stack = CoreDataStack(withModelName: temporary.path)
    let reader = JSONReader(withCoreDataStack: stack)
    let (one, other) = (
      StockQuotePeriod(context: stack.managedContext), StockQuotePeriod(context: stack.managedContext)
    )
    (one.companyName, other.companyName) = ("FDX", "KO")
    let row: [Any] = ["2005-10-14", 86.9, 87.99, 86.5, 87.6, 1_373_400, 0, 1, 80.1, 81.2, 79.9, 80.95, 1_373_400]
    #expect(reader.saveDailyQuote(forStockQuotePeriod: one, dailyQuote: row)?.high == 87.99)
    reader.saveDailyQuote(
      forStockQuotePeriod: other, dailyQuote: ["2005-10-14", 1] + Array(repeating: NSNull(), count: 11))
    for bad in [[], ["2005-10-14", 1], Array(row.dropLast()) + ["x"], row + [1], [NSNull()] + row.dropFirst()] {
      #expect(
        reader.saveDailyQuote(forStockQuotePeriod: one, dailyQuote: bad) == nil && reader.lastError is ImportError)
    }
    let unnamed = StockQuotePeriod(context: stack.managedContext)
    #expect(reader.saveDailyQuote(forStockQuotePeriod: unnamed, dailyQuote: row) == nil)
    #expect(reader.lastError is TickerSymbolError)
    #expect(one.quotes.count == 1 && other.quotes.count == 1 && unnamed.quotes.isEmpty)
    try temporary.store.refresh()
    #expect(temporary.store.generation == 0 && stack.managedContext.hasChanges)

    stack.saveContext()
    try temporary.store.refresh()
    #expect(temporary.store.generation == 1 && !stack.managedContext.hasChanges)
    #expect(try temporary.store.allQuotes.fetch() == one.quotes.map(\.quote) + other.quotes.map(\.quote))
  }
}
