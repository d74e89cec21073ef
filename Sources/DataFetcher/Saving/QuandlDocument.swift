import Foundation
import Quoin

/// A document of Quandl's time-series call: `dataset_data`, or `dataset` with the dataset's description.
struct QuandlDocument {
  /// The quotes, oldest first.
  let quotes: [Quoin.DailyQuoteSummary]
  /// The document's first and last day; nil if it doesn't say them.
  let (startDay, endDay): (TradingDay?, TradingDay?)

  private static let name = "the document"
  private static let rowColumns = ["Date"] + Attribute.allCases.map(\.datasetName)

  /// - Throws: `ImportError`.
  init(_ document: [String: Any], of ticker: TickerSymbol) throws(ImportError) {
    let options = ImportOptions(format: .json, ticker: ticker)
    let batch = try QuoteBatch(parsing: document, options: options, name: Self.name)
    guard let key = ["dataset_data", "dataset"].first(where: { document[$0] != nil }),
      let body = document[key] as? [String: Any]
    else { throw Self.error("", "it has neither 'dataset_data' nor 'dataset'") }
    // A code that is another ticker is refused when the document is read.
    if let code = body["dataset_code"] as? String, (try? TickerSymbol(code)) == nil {
      throw Self.error("\(key).dataset_code", "it has quotes of '\(Self.shown(code))' in place of \(ticker)")
    }
    quotes = batch.quotes
    (startDay, endDay) = (try Self.day("start_date", of: body, key), try Self.day("end_date", of: body, key))
  }

  /// The document of one row of WIKI.
  init(row: [Any], of ticker: TickerSymbol) throws(ImportError) {
    try self.init(["dataset_data": ["column_names": Self.rowColumns, "data": [row]]], of: ticker)
  }

  private static func day(_ name: String, of body: [String: Any], _ key: String) throws(ImportError) -> TradingDay? {
    guard let value = body[name], !(value is NSNull) else { return nil }
    if let text = value as? String, let day = TradingDay(text) { return day }
    throw error("\(key).\(name)", "'\(shown("\(value)"))' isn't a date of the form YYYY-MM-DD")
  }

  private static func error(_ path: String, _ detail: String) -> ImportError {
    .unknownShape(file: name, path: path, detail: detail)
  }

  private static func shown(_ text: String) -> String { String(text.prefix(40)).replacing(controlsWith: "?") }
}
