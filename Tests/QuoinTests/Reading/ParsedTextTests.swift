import Foundation
import Testing

@testable import Quoin

/// Documents in memory are stored as files are imported, in whatever form they come.
@Suite struct ParsedTextTests {
  /// Two rows of FDX, as `JSONSerialization` might give them.
  static var document: [String: Any] {
    [
      "dataset": [
        "dataset_code": "FDX", "column_names": ["Date", "Close", "Volume"],
        "data": [["2005-10-17", 2.5, NSNull()], ["2005-10-14", 86.9, 1_373_400]],
      ] as [String: Any]
    ]
  }

  private static let text =
    #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Open","Close","Volume","Note"],"data":["#
    + #"["2005-10-14",86.9,-0.0,1373400.0,true],["2005-10-17",1e-7,0.1,9223372036854775807,"a \"b\"\n\u0001"],"#
    + #"["2005-10-18",null,123456789012345.67,null,{"a":[1,null]}],["2005-10-19",3,9007199254740993,9007199254740993,{}]"#
    + #"]}}"#

  private func stored(_ body: (QuoteStore) throws -> ImportSummary) throws -> ([[UInt64]]?, ImportSummary) {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let summary = try body(store)
    return (try content(of: store)["FDX"], summary)
  }

  @Test func bytes_data_and_objects_bring_the_same_rows() throws {
    let data = Data(Self.text.utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let (rows, summary) = try stored { try $0.upsert(parsing: data) }
    #expect(rows?.count == 4 && summary.rowCount == 4 && summary.counts == UpsertCounts(inserted: 4))
    #expect(summary.ignoredColumns == ["Note"] && summary.periods.map(\.source) == ["Swift"])
    #expect(try stored { try $0.upsert(parsing: Array(data)) }.0 == rows)
    #expect(try stored { try $0.upsert(parsing: Self.text.utf8) }.0 == rows)
    let (objectRows, objectSummary) = try stored { try $0.upsert(parsing: object, name: "the text") }
    #expect(objectRows == rows && objectSummary == summary)
    #expect(try stored { store in try store.write { try $0.upsert(parsing: object) } }.0 == rows)
    let folder = TemporaryDirectory()
    let file = try folder.write(data, as: "FDX.json")
    #expect(try stored { try $0.importFiles([file]) }.0 == rows)
  }

  @Test func a_document_of_Swifts_own_values_is_read_too() throws {
    let rows: [[Any]] = [
      ["2005-10-14", 1, Int64(5)], ["2005-10-17", Float(2.5), UInt8(6)],
      ["2005-10-18", Optional<Double>.none as Any, 7.0],
      ["2005-10-19", Decimal(string: "4.25") ?? 0, NSNumber(value: 8)],
    ]
    let document: [String: Any] = [
      "dataset_data": ["column_names": ["Date", "Close", "Volume"], "data": rows] as [String: Any]
    ]
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(parsing: document, options: ImportOptions(ticker: .fedEx, source: "here"))
    let quotes = try store.quotes(for: .fedEx).fetch()
    #expect(quotes.map(\.close) == [1, 2.5, nil, 4.25] && quotes.map(\.volume) == [5, 6, 7, 8])
    #expect(try store.importRecords().map(\.source) == ["here"])
  }

  private static var wrong: [([String: Any], String)] {
    func dataset(_ data: Any, names: Any = ["Date", "Close"]) -> [String: Any] {
      ["dataset": ["column_names": names, "data": data, "dataset_code": "FDX"] as [String: Any]]
    }
    let deep = (0..<200).reduce(1 as Any) { inner, _ in [inner] }
    return [
      ([:], "it is an empty object; what is read are arrays of objects"),
      (["dataset": 1], "dataset: "), (["dataset": ["data": [Any]()]], "dataset: 'column_names' is missing"),
      (dataset("x"), "dataset.data: "), (dataset([Any](), names: [1]), "dataset.column_names"),
      (dataset([["2005-10-14", Date(timeIntervalSince1970: 0)]]), "dataset.data.1.2: JSON has no Date"),
      (dataset([["2005-10-14", 1], ["2005-10-17", Double.nan]] as [[Any]]), "dataset.data.2.2: JSON has no Double"),
      (dataset([["2005-10-14", Data([1])]]), "dataset.data.1.2: JSON has no Data"),
      (dataset([["2005-10-14", 0...1]]), "dataset.data.1.2: JSON has no ClosedRange"),
      (dataset([[TradingDay.latest, 1]] as [[Any]]), "dataset.data.1.1: JSON has no TradingDay"),
      (dataset(deep), "it has more than 100 levels"),
    ]
  }

  @Test(arguments: 0..<11) func a_wrong_shape_is_told_with_its_path(_ index: Int) throws {
    let (document, expected) = Self.wrong[index]
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let error = #expect(throws: ImportError.self) { try store.upsert(parsing: document, name: "it") }
    #expect(error?.description.hasPrefix("it is not a document of quotes: \(expected)") == true, "\(error as Any)")
    if case .unknownShape("it", _, _) = error {} else { Issue.record("\(error as Any)") }
    #expect(store.generation == 0)
  }

  @Test func a_wrong_cell_is_a_bad_row_as_in_a_file() throws {
    let rows: [[Any]] = [["2005-10-14", true], ["2005-10-17", "x"], ["2005-10-18", [1]], ["2005-10-19", 4]]
    let document: [String: Any] = ["dataset": ["column_names": ["Date", "Close"], "data": rows] as [String: Any]]
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var options = ImportOptions(ticker: .fedEx)
    let error = #expect(throws: ImportError.self) { try store.upsert(parsing: document, options: options) }
    guard case .rejected(let bad) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(bad.first.map { "\($0.position) \($0.value)" } == ["row 1 true", "row 2 x", "row 3 a list or an object"])
    options.skipsBadRows = true
    let summary = try store.upsert(parsing: document, options: options)
    #expect(summary.rowCount == 1 && summary.badRows.count == 3 && summary.counts.inserted == 1)
  }

  /// In a transaction a text that is refused is as if it hadn't come.
  @Test func a_text_that_is_refused_leaves_the_transaction_as_it_was() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.write { transaction in
      try transaction.upsert([.fedEx: .sample(1)])
      #expect(throws: ImportError.self) {
        try transaction.upsert(parsing: "ticker,date,close\nA,2005-10-14,1\nA,2005-10-15,x\n".utf8)
      }
      #expect(try transaction.upsert(parsing: "ticker,date,close\nB,2005-10-14,1\n".utf8).tickerCount == 1)
    }
    #expect(store.tickers == ["B", .fedEx])
  }
}
