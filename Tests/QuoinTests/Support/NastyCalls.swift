@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Calls of the library's public entry points with values that break programs. A call may throw; it must come back.
///
/// Before each call its name is written to a file: when the process ends by a trap, the file says in which. Not to standard
/// error: the framework reads a child's streams on the threads of Swift's tasks, two on a small machine, and more than a pipe
/// holds has the child wait for a reader that waits for another child.
enum NastyCalls: String, CaseIterable, Codable, Sendable {
  case model, texts, ranges, queries, aggregates, writes, imports, formatters, stores

  /// Makes the calls, and names each in the file first. Returns how many there were.
  func run(naming path: String) throws -> Int {
    var calls = Calls(naming: path)
    defer { close(calls.file) }
    switch self {
    case .model: Self.model(&calls)
    case .texts: Self.texts(&calls)
    case .ranges: try Self.ranges(&calls)
    case .queries: try Self.queries(&calls)
    case .aggregates: try Self.aggregates(&calls)
    case .writes: Self.writes(&calls)
    case .imports: Self.importRecords(&calls)
    case .formatters: Self.formatters(&calls)
    case .stores: Self.stores(&calls)
    }
    return calls.count
  }

  /// Long texts take seconds each where the language's checks are on.
  private static let longOnes = TestSettings.isDebug ? Array(NastyTexts.long.prefix(2)) : NastyTexts.long

  private struct Calls {
    private(set) var count = 0
    fileprivate let file: Int32

    init(naming path: String) { file = unsafe open(path, O_WRONLY | O_CREAT, 0o600) }

    mutating func callAsFunction(_ name: @autoclosure () -> String, _ body: () throws -> Void) {
      count += 1
      var line = name().unicodeScalars.prefix(100).map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "?") }
      line += [UInt8](repeating: UInt8(ascii: " "), count: 100 - line.count)
      unsafe pwrite(file, line, line.count, 0)
      try? body()
    }
  }

  private static func store() throws -> QuoteStore {
    let store = try nastyStore()
    // More blocks than a scan keeps to one thread.
    let others = (0..<12).map { (try? TickerSymbol("T\($0)")) ?? .fedEx }
    try store.upsert(Dictionary(uniqueKeysWithValues: others.map { ($0, QuoteColumns.sample(3)) }))
    try store.upsert([.fedEx: .sample(30)])
    return store
  }

  private static func nastyStore() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let nasty = QuoteColumns(days: NastyValues.days) { row, name in
      name.isInteger ? nil : NastyValues.doubles[(row * 7 + Int(name.rawValue)) % NastyValues.doubles.count]
    }
    var volumes = nasty
    volumes[.volume] = NastyValues.integers.prefix(nasty.rowCount).map(\.self)
    volumes[.adjustedVolume] = NastyValues.integers.suffix(nasty.rowCount).map { Double($0) }
    try store.upsertUnchecked(["NASTY": volumes])
    return store
  }

  private static func model(_ call: inout Calls) {
    let counts = NastyTexts.counts
    for count in counts {
      call("day \(count)") { _ = TradingDay(daysSince1970: count)?.description }
      for day in NastyValues.days { call("\(day) + \(count)") { _ = day.advanced(by: count)?.components } }
      for other in counts {
        call("date \(count) \(other)") { _ = TradingDay(year: count, month: other, day: 1)?.weekday }
        call("date \(other) of \(count)") { _ = TradingDay(year: 2000, month: count, day: other)?.description }
      }
    }
    for integer in NastyValues.integers {
      call("timestamp \(integer)") {
        let moment = CommitTime(secondsSince1970: integer)
        _ = (moment.description, moment.day.description)
      }
      call("error \(integer)") {
        _ = FileSystemError(.write, "\(integer)", code: Int32(truncatingIfNeeded: integer)).description
      }
    }
    for attributes in [[], [.open], .all, [.volume, .adjustedVolume]] as [AttributeSet] {
      call("attributes \(attributes.names)") {
        var columns = QuoteColumns(days: NastyValues.days, attributes: attributes)
        columns.append(DailyQuoteSummary(ticker: .fedEx, date: .latest, open: .nan, volume: .min))
        _ = QuoteBatch(ticker: .fedEx, columns: columns).quotes.description
        _ = QuoteBatch(attributes: attributes).quotes.count
        for attribute in Attribute.allCases { _ = (columns.doubles(attribute), columns.integers(attribute)) }
        for row in NastyTexts.counts { _ = QuoteBatch(ticker: .fedEx, columns: columns).quote(at: row) }
      }
    }
    for double in NastyValues.doubles {
      call("quote of \(double)") {
        var quote = DailyQuoteSummary(ticker: .fedEx, date: .earliest, open: double, high: double)
        for attribute in Attribute.allCases { quote[attribute] = double }
        _ = (quote == quote, quote.hashValue, quote[.open], quote.adjustedVolume)
      }
    }
  }

  private static func texts(_ call: inout Calls) {
    for text in NastyTexts.strings + NastyTexts.deep + longOnes {
      call("ticker \(text.prefix(80))") {
        do { _ = try TickerSymbol(text).description } catch { _ = "\(error)" }
      }
      call("ticker of bytes \(text.prefix(80))") { _ = try TickerSymbol(utf8: text.utf8) }
      call("day \(text.prefix(80))") { _ = TradingDay(text)?.description }
      call("attribute \(text.prefix(80))") { _ = Attribute(named: text)?.datasetName }
      call("column \(text.prefix(80))") { _ = QuoteFormatter.Column(named: text)?.name }
      call("grouping \(text.prefix(80))") { _ = try Grouping.list(parsing: text)?.keys }
      call("predicate \(text.prefix(80))") {
        do { _ = try Predicate(parsing: text).description } catch { _ = "\(error)" }
      }
      call("aggregates \(text.prefix(80))") {
        do { _ = try Aggregation.list(parsing: text).description } catch { _ = "\(error)" }
      }
      for offset in text.utf8.count < 1000 ? NastyTexts.counts : [text.utf8.count - 1] {
        call("syntax error at \(offset) of \(text.prefix(80))") {
          _ = PredicateSyntaxError(message: text, offset: offset, text: text).description
        }
      }
      call("suggestion for \(text.prefix(80))") {
        _ = Suggestion.nearestName(to: String(text.prefix(1000)), among: NastyTexts.strings)
      }
      call("tickers like \(text.prefix(80))") {
        let known = NastyTexts.tickers.compactMap { try? TickerSymbol($0) }.sorted()
        _ = Suggestion.question(forTicker: text, among: known)
        _ = (TickerColumn(known).runs.count, known.map { $0.alike(in: known).count })
      }
    }
  }

  private static func ranges(_ call: inout Calls) throws {
    let stores = [try nastyStore(), try QuoteStore(at: "empty", in: InMemoryFiles())]
    var dice = TestSettings.dice("nasty ranges")
    for store in stores {
      let market = store.allQuotes.threads(1)
      for low in NastyValues.doubles {
        let high = dice.element(of: NastyValues.doubles)
        call("\(low) to \(high)") {
          let bounds = [Bound<Double>.unbounded, .inclusive(low), .exclusive(high)]
          for lower in bounds {
            for upper in bounds {
              let predicate = Predicate.double(
                dice.element(of: TypedAttribute<Double>.all), Bounds(lower: lower, upper: upper))
              _ = try market.where(predicate).count()
              _ = try market.where(!predicate).fetch()
              _ = predicate.description
            }
          }
          for attribute in Attribute.allCases {
            _ = try market.where(attribute, above: low, below: Float(high)).count()
            _ = try market.where(.not(.range(attribute, above: high))).count()
          }
          // Of NaN, Swift's own ranges trap.
          if low.isNaN || high.isNaN { return }
          _ = try market.where(.close, in: low...).where(.open, in: ..<high).where(.low, in: ...low).count()
        }
      }
      for low in NastyValues.integers {
        for high in NastyValues.integers {
          call("\(low) to \(high)") {
            for attribute in [Attribute.volume, .high] {
              _ = try market.where(attribute, above: low, below: high).where(attribute, in: low...).count()
              _ = try market.where(attribute, above: UInt64(truncatingIfNeeded: low), below: Double(high)).count()
            }
            let bounds = Bounds<Int64>(lower: .inclusive(low), upper: .exclusive(high))
            _ = try market.where(.not(.integer(.volume, bounds))).count()
          }
        }
      }
      for first in NastyValues.days {
        for last in NastyValues.days {
          call("\(first) to \(last)") {
            _ = try market.dates(from: first, to: last).count()
            _ = try market.where(.date(Bounds(lower: .exclusive(first), upper: .exclusive(last)))).fetch()
            _ = try market.where(.not(.dates(from: first, to: last))).count()
          }
        }
      }
    }
  }

  private static func queries(_ call: inout Calls) throws {
    let stores = [try store(), try QuoteStore(at: "empty", in: InMemoryFiles())]
    let tickers: [[TickerSymbol]?] = [nil, [], [.fedEx], ["NONE"], Array(repeating: "NASTY", count: 20)]
    for store in stores {
      for tickers in tickers {
        let query = tickers.map { store.quotes(for: $0) } ?? store.allQuotes
        for count in NastyTexts.counts {
          let name = "\(count) of \(tickers?.count ?? -1) tickers"
          call("limit \(name)") { _ = try query.limited(to: count).ordered(.descending).fetch() }
          call("offset \(name)") {
            let rest = query.offset(by: count)
            _ = (try rest.count(), try rest.isEmpty(), try rest.fetchOne(), try rest.latest().rowCount)
            let few = rest.limited(to: count).ordered(.descending).where(.high, above: 81)
            _ = try few.aggregate([.count, .max(.open)])
          }
          call("limited count \(name)") { _ = try query.limited(to: count).where(.high, above: 81).count() }
          call("limited aggregate \(name)") { _ = try query.limited(to: count).aggregate(.open) }
          call("threads \(name)") { _ = try query.threads(count).where(.low, above: 80.5).fetchColumns() }
          call("batches \(name)") {
            try query.limited(to: 3000).forEachBatch(rowsPerBatch: count) { _ = $0.rowCount }
          }
        }
      }
      let parts: [Predicate] = [.all([]), .any([]), .not(.all([])), .isMissing(.volume), .any([.all([.any([])])])]
      for a in parts {
        for b in parts { call("\(a) and \(b)") { _ = try store.allQuotes.where(a && !b || b).explain() } }
      }
      call("a thousand conditions") {
        let parts = (0..<1000).map { Predicate.range(.high, Double($0)...Double($0 + 1)) }
        _ = try store.allQuotes.where(.any(parts)).count()
        _ = try parts.reduce(store.allQuotes) { $0.where(!$1) }.count()
      }
      call("deeply nested conditions") {
        var predicate = Predicate.isMissing(.open)
        for level in 0..<2000 {
          let part = Predicate.range(.high, Double(level)...)
          predicate = level % 2 == 0 ? .not(predicate && part) : predicate || part
        }
        _ = predicate.description
        _ = try store.allQuotes.where(predicate).count()
      }
      call("a million negations") {
        let predicate = (0..<1_000_000).reduce(Predicate.isMissing(.open)) { predicate, _ in .not(predicate) }
        _ = (predicate == .not(predicate), predicate.hashValue, predicate.description)
        _ = try store.allQuotes.where(predicate).where(.any([predicate])).count()
      }
      call("a long chain of conditions") {
        let days = (0..<3000).map { Predicate.date(Bounds(upper: .exclusive(TradingDay.earliest.advanced(by: $0)!))) }
        _ = try store.allQuotes.where(days.reduce(.isMissing(.open)) { $0 || $1 }).count()
        _ = try days.reduce(store.allQuotes) { $0.where(!$1) }.count()
      }
    }
  }

  private static func aggregates(_ call: inout Calls) throws {
    let stores = [try store(), try QuoteStore(at: "empty", in: InMemoryFiles())]
    let all = Aggregation.Function.all.flatMap { function in
      Attribute.allCases.map { Aggregation(function, of: $0) }
    }
    let lists = [[], [.count], all, all + all, [.count, .count]] + all.map { [$0] }
    for store in stores {
      for list in lists {
        for (name, grouping) in [("-", nil)] + Grouping.named.map({ ($0.name, Optional($0.grouping)) }) {
          call("\(list.count) aggregates by \(name), \(list.first?.description ?? "none")") {
            let table = try store.allQuotes.aggregate(list, by: grouping)
            for row in 0..<table.rowCount {
              for column in table.columns { _ = column.text(at: row) }
            }
            for aggregation in all + [.count] { _ = (table.doubles(aggregation), table.integers(aggregation)) }
            _ = (table.tickers.runs.count, table.tickers.last, table.periods.count)
          }
        }
      }
      for attribute in Attribute.allCases {
        call("\(attribute)") { _ = try store.allQuotes.aggregate(attribute) }
      }
    }
  }

  private static func writes(_ call: inout Calls) {
    let patiences: [Duration] = [.zero, .seconds(-1), .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1)]
    for text in NastyTexts.strings + longOnes {
      call("source \(text.prefix(80))") {
        let store = try store()
        try store.upsert([DailyQuoteSummary(ticker: .fedEx, date: .earliest, close: 1)], source: text)
        _ = try store.importRecords().description
      }
    }
    for patience in patiences {
      call("patience \(patience)") {
        let store = try store()
        try store.upsert([:], patience: patience)
        try store.delete(where: .all([]), patience: patience)
        try store.compact(patience: patience)
        _ = store.summary
      }
    }
    for day in NastyValues.days {
      for double in NastyValues.doubles {
        call("\(double) on \(day)") {
          let store = try QuoteStore(at: "store", in: InMemoryFiles())
          let quote = DailyQuoteSummary(ticker: .fedEx, date: day, open: double, volume: .max, exDividend: double)
          try store.upsert([quote, quote])
          try store.delete([.fedEx, "NONE"], where: .range(.exDividend, 0.0...))
        }
      }
    }
    for integer in NastyValues.integers {
      call("volume \(integer)") {
        let store = try QuoteStore(at: "store", in: InMemoryFiles())
        var columns = QuoteColumns(days: Array(NastyValues.days.reversed()))
        columns[.volume] = Array(repeating: integer, count: columns.rowCount)
        columns[.adjustedVolume] = columns.days.indices.map { Double(integer) * Double($0) / 2 }
        try store.upsert([.fedEx: columns, "EMPTY": QuoteColumns(), "BARE": QuoteColumns(attributes: [])])
        _ = try store.allQuotes.aggregate(.volume).sum
        _ = try store.verify()
      }
    }
    for tickers in [[], ["NONE"], [.fedEx, .fedEx]] as [[TickerSymbol]] {
      for predicate in [.all([]), .any([]), .range(.high, Double.infinity...)] as [Predicate] {
        call("delete \(tickers.count) where \(predicate)") {
          let store = try store()
          try store.delete(tickers, where: predicate)
          try store.delete(where: predicate)
          _ = try store.tickerSummaries(of: tickers)
          try store.delete(tickers)
          try store.deleteAll()
        }
      }
    }
    let pairs: [(TickerSymbol, TickerSymbol)] = [
      (.fedEx, "NASTY"), ("NONE", .fedEx), (.fedEx, "NEW"), ("NASTY", "N"),
    ]
    for names in pairs {
      call("rename, merge and adjust \(names)") {
        let (store, other) = (try store(), try nastyStore())
        try? store.rename(names.0, to: names.1)
        for mode in UpsertMode.allCases { try store.merge(other, tickers: [names.0, names.1, names.0], mode: mode) }
        _ = try? store.merge(store)
        _ = try? store.adjust([names.0, names.1])
        try store.adjust([names.0, names.1], replacing: true)
        _ = try store.verify()
      }
    }
    for double in NastyValues.doubles {
      call("update to \(double)") {
        let store = try store()
        try store.update(where: .all([])) { $0.high = double }
        try store.write { transaction in
          try transaction.update([.fedEx, "NONE"], where: .isMissing(.low)) { $0.low = double }
          do { try transaction.update(where: .all([])) { $0 = DailyQuoteSummary(ticker: "B", date: $0.date) } } catch {}
        }
      }
    }
    let values: [Any] =
      [
        [:] as [String: Any], [Any](), 0, Double.nan, Double.infinity, Int64.min, UInt64.max, true, "\0\"\\",
        "2005-10-14",
        Optional<Int>.none as Any, TradingDay.latest, (0..<1000).reduce(1 as Any) { inner, _ in [inner] },
        { 1 } as () -> Int,
      ] + NastyTexts.strings
    for value in values {
      for key in ["dataset", "column_names", "data", "dataset_code", "cell", "quandl_error"] {
        call("document with \(key) \("\(value)".prefix(40))") {
          var body: [String: Any] = ["column_names": ["Date", "Close"], "dataset_code": "FDX"]
          body["data"] = [["2005-10-14", key == "cell" ? value : 1] as [Any]]
          body[key] = value
          var document: [String: Any] = ["dataset": body]
          if key == "dataset" || key == "quandl_error" { document[key] = value }
          do { try store().upsert(parsing: document) } catch { _ = "\(error)" }
        }
      }
    }
    for (first, last) in NastyValues.days.flatMap({ day in NastyValues.days.map { (day, $0) } }) where first <= last {
      call("delete \(first) to \(last)") { try store().delete(.fedEx, dates: first...last) }
    }
  }

  private static func importRecords(_ call: inout Calls) {
    let directory = TemporaryDirectory()
    let file = directory.path + "/file"
    func imported(_ path: String, _ options: ImportOptions) throws {
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      do { _ = try store.importFiles([path], options: options) } catch { _ = "\(error)" }
    }
    for path in NastyTexts.paths + [directory.path] + longOnes where path != "/proc/self/mem" {
      for format in [nil, .csv, .json, .ndjson] as [QuoteFormat?] {
        call("import \(path.prefix(80)) as \(format?.rawValue ?? "-")") {
          try imported(path, ImportOptions(format: format, ticker: .fedEx))
        }
      }
    }
    let nul: [UInt8] = [0]
    let headers = [
      "", "date,close\n", "ticker,date,high,volume\n", "{\"dataset\":", "{\"date\":", "\u{FEFF}Date;Close\n",
    ]
    let cells = (NastyTexts.strings + longOnes.prefix(2)).map { Array($0.utf8) }
    // In debug, each header has others of the cells, a third of them.
    for (number, header) in headers.enumerated() {
      let cells =
        TestSettings.isDebug ? cells.enumerated().filter { $0.offset % 3 == number % 3 }.map(\.element) : cells
      for cell in cells + [nul, [0xFF], [0x1F, 0x8B], [0x50, 0x4B, 3, 4], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]] {
        for ending in [nul, Array(",2005-10-14,1,".utf8), Array("\n\"".utf8)] {
          call("import \(header.prefix(20)), \(String(decoding: cell.prefix(60), as: UTF8.self))") {
            let stream = unsafe fopen(file, "wb")
            for bytes in [Array(header.utf8), cell, ending, cell] { unsafe fwrite(bytes, 1, bytes.count, stream) }
            unsafe fclose(stream)
            try imported(file, ImportOptions(ticker: .fedEx, skipsBadRows: ending.count > 2, threads: 1))
          }
        }
      }
    }
    let text = Array("date,close\n2005-10-14,1\n".utf8)
    let stream = unsafe fopen(file, "wb")
    unsafe fwrite(text, 1, text.count, stream)
    unsafe fclose(stream)
    for count in NastyTexts.counts {
      call("import on \(count) threads") { try imported(file, ImportOptions(ticker: .fedEx, threads: count)) }
    }
    for source in NastyTexts.strings + longOnes {
      call("import from \(source.prefix(80))") { try imported(file, ImportOptions(ticker: .fedEx, source: source)) }
    }
  }

  private static func formatters(_ call: inout Calls) {
    struct Refusal: Error {}
    let columns: [[QuoteFormatter.Column]] = [
      [], [.ticker], [.date, .date], QuoteFormatter.Column.all, Array(repeating: .attribute(.volume), count: 200),
    ]
    for format in OutputFormat.allCases {
      for columns in columns {
        for refuses in [false, true] {
          call("\(format) of \(columns.count) columns, refused: \(refuses)") {
            let store = try nastyStore()
            let formatter = QuoteFormatter(format, columns: columns, styled: refuses) { _ in
              if refuses { throw Refusal() }
            }
            try? formatter.append(QuoteBatch())
            try? formatter.append(store.allQuotes.fetchColumns())
            try? formatter.append(store.allQuotes.selecting([]).fetchColumns())
            try? formatter.finish()
            // It is of no use now, but not a trap.
            try? formatter.append(store.allQuotes.fetchColumns())
            try formatter.finish()
          }
        }
      }
    }
    for attributes in [AttributeSet.all, [], AttributeSet([.volume, .adjustedClose])] {
      for rows in [QuoteColumns(attributes: attributes), QuoteColumns(days: NastyValues.days, attributes: attributes)] {
        call("dataset of \(rows.rowCount) rows, \(attributes.names.count) attributes") {
          try DatasetFormatter.write(rows) { _ in }
          try DatasetFormatter.write(rows) { _ in throw Refusal() }
        }
      }
    }
  }

  private static func stores(_ call: inout Calls) {
    let directory = TemporaryDirectory()
    for path in NastyTexts.paths + longOnes + [directory.path, directory.path + "/a/b/c"] {
      for mustExist in [false, true] {
        call("store at \(path.prefix(80)), must exist: \(mustExist)") {
          do {
            let store = try QuoteStore(at: path, mustExist: mustExist)
            _ = (store.summary, store.tickers, store.generation, try store.refresh())
            _ = try store.verify().damages.description
            _ = try store.encodingSummaries()
            _ = try store.allQuotes.fetch()
          } catch { _ = "\(error)" }
        }
      }
    }
    // Only paths at which nothing can be made are written to.
    let notDirectories = ["", "/dev/null", "/dev/null/store", "/etc/passwd", "/proc/store", "/tmp/quoin\0store"]
    for path in notDirectories + longOnes {
      call("write to \(path.prefix(80))") {
        let store = try QuoteStore(at: path)
        do { try store.upsert([DailyQuoteSummary(ticker: .fedEx, date: .latest)]) } catch { _ = "\(error)" }
        do { try store.compact() } catch { _ = "\(error)" }
      }
    }
  }
}
