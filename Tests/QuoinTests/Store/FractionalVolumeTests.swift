import Testing

@testable import Quoin

/// Adjusted volumes have fractions after splits such as 3 for 2, and come back bit for bit from everything that reads,
/// stores and writes them.
@Suite struct FractionalVolumeTests {
  /// Made-up days around a split of 3 for 2 and one of 2 for 1, as Quandl's end-of-day files have them for JPM and MCD.
  private static let rows: [(day: TradingDay, volume: Int64?, text: String, adjusted: Double?)] = [
    ("2000-06-06", 5_853_067, "17559201.0", 17_559_201), ("2000-06-07", 1, "3", 3), ("2000-06-08", nil, "", nil),
    ("2000-06-09", 4_101_101, "12303303", 12_303_303),
    ("2000-06-12", 5_853_067, "8779600.5", 8_779_600.5), ("2000-06-13", 7_002_100, "10503150.0", 10_503_150),
    ("2000-06-14", 823_001, "1.2345015e6", 1_234_501.5), ("2000-06-15", 3, "4.5", 4.5), ("2000-06-16", 0, "0.0", 0),
    ("2000-06-19", 5_200_333, "5200333.0", 5_200_333), ("2000-06-20", 2, "6004005603000012", 6_004_005_603_000_012),
    ("2000-06-21", 1 << 53 + 1, "9007199254740993", 0x1p53), ("2000-06-22", 100, "33.333333333333", 33.333333333333),
    ("2000-06-23", 100, "0.1", 0.1), ("2000-06-26", 100, "1e-7", 1e-7), ("2000-06-27", 100, "-0.0", -0.0),
  ]

  private static let csv =
    wikiHeader + "\n"
    + rows.map { "MCD,\($0.day),,,,,\($0.volume.map { "\($0)" } ?? ""),0.0,1.0,,,,,\($0.text)\n" }.joined()

  private static let bits = rows.map { ($0.adjusted ?? .nan).bitPattern }

  private func imported(_ text: String, as name: String) throws -> QuoteStore {
    let folder = TemporaryDirectory()
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    _ = try store.importFiles([folder.write(text.utf8, as: name)])
    return store
  }

  private func bits(in store: QuoteStore) throws -> [UInt64] {
    try store.quotes(for: "MCD").fetchColumns().columns[.adjustedVolume].map(\.canonical.bitPattern)
  }

  @Test func they_come_from_csv_as_they_are_written() throws {
    #expect(try bits(in: imported(Self.csv, as: "all.csv")) == Self.bits)
    // Neither in the order of a WIKI file nor separated as there.
    let other = "adj_volume\tdate\tclose\n" + Self.rows.map { "\($0.text)\t\($0.day)\t1\n" }.joined()
    #expect(try bits(in: imported(other, as: "MCD.csv")) == Self.bits)
  }

  @Test func they_come_from_json_and_ndjson_as_they_are_written() throws {
    let cells = Self.rows.map { #"["\#($0.day)",1,\#($0.text.isEmpty ? "null" : $0.text)]"# }.joined(separator: ",")
    let json = #"{"dataset_data":{"column_names":["Date","Close","Adj. Volume"],"data":[\#(cells)]}}"#
    #expect(try bits(in: imported(json, as: "MCD.json")) == Self.bits)
    let lines = Self.rows.map {
      #"{"ticker":"MCD","date":"\#($0.day)","close":1,"adj_volume":\#($0.text.isEmpty ? "null" : $0.text)}"# + "\n"
    }
    #expect(try bits(in: imported(lines.joined(), as: "MCD.ndjson")) == Self.bits)
  }

  @Test func one_below_zero_is_refused_in_every_form() throws {
    let reason = "'-2.5': a volume below zero"
    for (name, text) in [
      ("MCD.csv", "date,adj_volume\n2000-06-12,-2.5\n"), ("all.csv", wikiHeader + "\nMCD,2000-06-12,,,,,,,,,,,,-2.5\n"),
      ("MCD.json", #"{"dataset_data":{"column_names":["Date","adj_volume"],"data":[["2000-06-12",-2.5]]}}"#),
      ("MCD.ndjson", #"{"ticker":"MCD","date":"2000-06-12","adj_volume":-2.5}"# + "\n"),
    ] {
      let bad = try #require(badRows(of: text, as: name))
      #expect(bad.first.first?.description.hasSuffix("column adj_volume, \(reason)") == true, "\(name): \(bad)")
    }
  }

  @Test(arguments: [OutputFormat.csv, .ndjson])
  func what_is_written_is_read_as_the_same(_ format: OutputFormat) throws {
    let store = try imported(Self.csv, as: "all.csv")
    var bytes: [UInt8] = []
    let formatter = QuoteFormatter(format) { bytes += collected($0) }
    try formatter.append(store.allQuotes.fetchColumns())
    try formatter.finish()
    let again = try imported(String(decoding: bytes, as: UTF8.self), as: "all.\(format)")
    #expect(try content(of: again) == content(of: store))
  }

  @Test func whole_ones_are_written_as_volumes_are() throws {
    let batch = try imported(Self.csv, as: "all.csv").allQuotes.fetchColumns()
    var bytes: [UInt8] = []
    let formatter = QuoteFormatter(.csv, columns: [.attribute(.adjustedVolume)]) { bytes += collected($0) }
    try formatter.append(batch)
    try formatter.finish()
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast() == [
        "adj_volume", "17559201", "3", "\"\"", "12303303", "8779600.5", "10503150", "1234501.5", "4.5", "0", "5200333",
        "6004005603000012", "9007199254740992", "33.333333333333", "0.1", "1e-07", "-0.0",
      ])
  }

  @Test func ranges_and_aggregates_know_fractions() throws {
    let store = try imported(Self.csv, as: "all.csv")
    let market = store.allQuotes
    func days(_ predicate: String) throws -> [TradingDay] {
      try market.where(Predicate(parsing: predicate)).fetch().map(\.date)
    }
    #expect(try days("8779600.25 < adj_volume < 8779600.75") == ["2000-06-12"])
    #expect(try days("adj_volume = 1234501.5 or adj_volume = 4.5") == ["2000-06-14", "2000-06-15"])
    #expect(try days("adj_volume > 8779600 and adj_volume < 8779601") == ["2000-06-12"])
    #expect(try days("adj_volume is missing") == ["2000-06-08"])
    let totals = try market.dates(from: "2000-06-12", to: "2000-06-16").aggregate(.adjustedVolume)
    #expect(totals.count == 5 && totals.minimum == 0 && totals.maximum == 10_503_150)
    #expect(totals.sum == 20_517_256.5 && totals.mean == 20_517_256.5 / 5)
    let table = try market.aggregate([.max(.adjustedVolume), .min(.adjustedVolume), .sum(.adjustedVolume)], by: .month)
    let texts = zip(table.columns, table.aggregations).map { $0.text(at: 0, of: $1) }
    #expect(texts[0] == "9007199254740992" && texts[1] == "0")
  }

  /// Fractions cost no more than the factor that explains them.
  @Test func a_block_with_fractions_is_derived() throws {
    var columns = QuoteColumns.sample(1000)
    columns[.volume] = columns.volumes
    columns[.adjustedVolume] = columns.volumes.enumerated().map { Double($1) * ($0 < 600 ? 1.5 : 1) }
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["MCD": columns])
    let file = try store.snapshot.file(0)
    let section = ColumnSection.attribute(.adjustedVolume)
    let header = try file.block(0, section, file.directory(section)).header
    #expect(header.encoding == .derived && header.listCount == 2 && header.patchCount == 0)
    #expect(try bits(in: store) == columns[.adjustedVolume].map(\.bitPattern))
  }
}

extension QuoteColumns {
  /// Odd and even volumes.
  fileprivate var volumes: [Int64] { (0..<rowCount).map { Int64(1_000_003 + $0 * 7919 % 100_003) } }
}
