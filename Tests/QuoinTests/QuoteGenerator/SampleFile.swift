import Quoin
import QuoteGenerator
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of data/: its text, made from the generator by these few lines and not by the engine's writers.
struct SampleFile: Sendable, CustomTestStringConvertible {
  let name: String
  let makeText: @Sendable () -> String

  var text: String { makeText() }
  var testDescription: String { name }

  static let all = [
    SampleFile(name: "FDX.json") { datasetJSON("FDX", QuoteGenerator.fedExSample()) },
    SampleFile(name: "wiki-sample.csv") { wikiCSV(QuoteGenerator.wikiSample()) },
  ]

  static var isToBeWritten: Bool { unsafe getenv("QUOIN_WRITE_DATA") != nil }

  /// Quandl's answer to `/datasets/WIKI/FDX/data`: one line a row, newest first.
  private static func datasetJSON(_ ticker: TickerSymbol, _ quotes: QuoteColumns) -> String {
    let names = (["Date"] + Attribute.allCases.map(\.datasetName)).map { "\"\($0)\"" }.joined(separator: ",")
    let rows = quotes.days.indices.reversed().map { row in
      let cells = Attribute.allCases.map { cell($0, quotes.quote(at: row, of: ticker), missing: "null") }
      return "[\"\(quotes.days[row])\",\(cells.joined(separator: ","))]"
    }
    let (first, last) = (quotes.days.first?.description ?? "", quotes.days.last?.description ?? "")
    return """
      {"dataset_data":{"limit":null,"transform":null,"column_index":null,
      "column_names":[\(names)],
      "start_date":"\(first)","end_date":"\(last)","frequency":"daily","data":[
      \(rows.joined(separator: ",\n"))
      ],"collapse":null,"order":"desc"}}

      """
  }

  private static func wikiCSV(_ sample: [(ticker: TickerSymbol, quotes: QuoteColumns)]) -> String {
    var lines = [(["ticker", "date"] + Attribute.allCases.map(\.wikiName)).joined(separator: ",")]
    for (ticker, quotes) in sample {
      for row in quotes.days.indices {
        let cells = Attribute.allCases.map { cell($0, quotes.quote(at: row, of: ticker), missing: "") }
        lines.append("\(ticker),\(quotes.days[row]),\(cells.joined(separator: ","))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Every number as WIKI writes it, volumes with `.0` too.
  private static func cell(_ name: Attribute, _ quote: DailyQuoteSummary, missing: String) -> String {
    if name.isInteger { return quote.integer(name).map { "\($0).0" } ?? missing }
    return quote[name].map { "\($0)" } ?? missing
  }

  private var path: String {
    let folders = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return folders.joined(separator: "/") + "/data/" + name
  }

  /// The file's text, or nil when it cannot be read.
  var committedText: String? { readText(path) }

  func write() throws {
    struct CannotWrite: Error { let path: String }
    guard let file = unsafe fopen(path, "wb") else { throw CannotWrite(path: path) }
    let bytes = Array(text.utf8)
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, count == bytes.count else { throw CannotWrite(path: path) }
  }
}

/// The text of the file at `path`, or nil when it cannot be read.
func readText(_ path: String) -> String? {
  guard let file = unsafe fopen(path, "rb") else { return nil }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe fread(&chunk, 1, chunk.count, file)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += chunk.prefix(count)
  }
}
