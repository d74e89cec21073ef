import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Random tables, written in every combination of signs, orders, names, words, line ends and encodings: each is read back exactly, or refused
/// because it can be read in several ways.
@Suite struct RandomFormTests {
  @Test func a_table_in_any_form_is_read_exactly_or_refused() throws {
    let count = TestSettings.count("QUOIN_FORMS", debug: 500, release: 2000)
    var random = TestSettings.dice("RandomFormTests")
    var (readCount, refusals) = (0, [String: Int]())
    for number in 0..<count {
      let table = RandomTable(&random)
      let form = RandomForm(&random)
      let place = "table \(number): \(form)"
      let bytes = form.bytes(of: table)
      let explanation = explained(bytes)
      do {
        let found = try rows(of: bytes)
        #expect(found == table.rows, "\(place)")
        readCount += 1
        try checkWords(explanation, bytes, table.rows, place)
      } catch let error as ImportError {
        #expect(explanation.error == error, "\(place)")
        let kind = try #require(Self.ambiguity(error), "\(place): \(error)")
        refusals[kind, default: 0] += 1
      }
    }
    print(
      "promise 22: \(count) random tables in random forms, \(readCount) read, \(count - readCount) refused, 0 wrong")
    #expect(readCount * 2 > count, "\(refusals)")
  }

  /// Bytes that are cut off, doubled, exchanged and replaced are read or refused, and never end the process.
  @Test func damaged_tables_end_no_process() {
    var random = TestSettings.dice("RandomFormTests, damaged")
    for _ in 0..<TestSettings.count("QUOIN_DAMAGED_FORMS", debug: 1000, release: 4000) {
      let table = RandomTable(&random)
      var bytes = RandomForm(&random).bytes(of: table)
      for _ in 0...random.below(6) where !bytes.isEmpty {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes.removeLast(bytes.count - place)
        case 1: bytes.insert(contentsOf: bytes[place...].prefix(random.below(40)), at: random.below(bytes.count))
        case 2: bytes[place] = random.element(of: Array("\"',;.|\t\n\r =#$-/: 09PZ\u{0}".utf8))
        default: bytes[place] = UInt8(random.below(256))
        }
      }
      _ = try? rows(of: bytes)
    }
  }

  /// What can be read in several ways; nil for another error.
  private static func ambiguity(_ error: ImportError) -> String? {
    switch error {
    case .ambiguousDates: "days"
    case .ambiguousNumbers: "numbers"
    case .rejected(let rows) where rows.first.allSatisfy({ $0.reason.contains("can be read as") }): "later numbers"
    default: nil
    }
  }

  private func explained(_ bytes: [UInt8]) -> ImportExplanation {
    QuoteImporter(options: ImportOptions(ticker: "FDX")).explain(bytes: bytes, name: "a test")
  }

  /// The explanation shows the cells that are stored, and options that say the same in words read the same rows.
  private func checkWords(
    _ explanation: ImportExplanation, _ bytes: [UInt8], _ rows: [DailyQuoteSummary], _ place: String
  ) throws {
    #expect(explanation.error == nil && explanation.rowCount == rows.count, "\(place)")
    var sink = MemorySink()
    for row in rows { sink.quotes["FDX", default: [:]][row.date] = row }
    explanation.expectCells(of: sink, place)
    let options = try explanation.pinned(ImportOptions(ticker: "FDX"))
    #expect(try self.rows(of: bytes, options) == rows, "\(place), with \(explanation.findings.compactMap(\.setting))")
  }

  private func rows(
    of bytes: [UInt8], _ options: ImportOptions = ImportOptions(ticker: "FDX")
  ) throws -> [DailyQuoteSummary] {
    var sink = MemorySink()
    let importer = QuoteImporter(options: options)
    _ = try importer.importBytes(bytes, name: "a test", into: &sink)
    return sink.rows("FDX")
  }
}

/// Some rows of a ticker, with rising days.
private struct RandomTable {
  let rows: [DailyQuoteSummary]
  /// The prices as they are written, with a point.
  let prices: [[String]]

  init(_ random: inout SeededRandom) {
    let (first, step) = (random.int(3_000...19_000), random.int(1...40))
    var (rows, prices): ([DailyQuoteSummary], [[String]]) = ([], [])
    let (decimals, top) = (random.int(0...3), random.element(of: [9, 400, 5_000, 200_000]))
    var day = first
    for _ in 0..<random.int(1...15) {
      day += random.int(1...step)
      let cells = (0..<4).map { _ in
        let digits = random.int(1...top)
        let fraction = decimals == 0 ? "" : "." + (0..<decimals).map { _ in "\(random.int(0...9))" }.joined()
        return random.int(0...11) == 0 ? "" : "\(digits)\(fraction)"
      }
      let volume = Int64(random.int(0...random.element(of: [900, 5_000_000])))
      prices.append(cells + ["\(volume)"])
      rows.append(
        DailyQuoteSummary(
          ticker: "FDX", date: TradingDay(daysSince1970: day)!, open: Double(cells[0]), high: Double(cells[1]),
          low: Double(cells[2]), close: Double(cells[3]), volume: volume))
    }
    (self.rows, self.prices) = (rows, prices)
  }
}

/// A way to write a table.
private struct RandomForm: CustomStringConvertible {
  let delimiter: String
  let decimal: String
  let thousands: String
  let day: String
  let names: [String]
  let missing: String
  let lineEnd: String
  let encoding: String
  let quotesAll: Bool
  let isNewestFirst: Bool

  init(_ dice: inout SeededRandom) {
    var random = dice
    defer { dice = random }
    func one(_ choices: [String]) -> String { random.element(of: choices) }
    delimiter = one([",", ",", ";", "\t", "|"])
    decimal = one([".", ".", ","])
    thousands = one(["", "", decimal == "." ? "," : ".", "'", " ", "\u{A0}", "\u{202F}"])
    day = one([
      "y-m-d", "y/m/d", "y.m.d", "ymd", "d.m.y", "m/d/y", "d-b-y", "b d, y", "d.m.s", "m/d/s", "s-m-d", "s/m/d",
      "y-m-d 00:00:00",
    ])
    names = random.element(of: [
      ["Date", "Open", "High", "Low", "Close", "Volume"],
      ["date", "Open Price", "High Price", "Low Price", "Close/Last", "Vol."],
      ["Datum", "Erster", "Hoch", "Tief", "Schlusskurs", "Stuecke"],
      ["<DATE>", "<OPEN>", "<HIGH>", "<LOW>", "<CLOSE>", "<VOL>"],
      ["", "Open", "High", "Low", "Price", "Volume"],
      ["TradDt", "OpnPric", "HghPric", "LwPric", "ClsPric", "TtlTradgVol"],
    ])
    missing = one(["", "", "-", "--", "null", "NaN", "#N/A", "\\N"])
    lineEnd = one(["\n", "\n", "\r\n", "\r"])
    encoding = one(["utf-8", "utf-8", "utf-8 with a mark", "utf-16", "utf-16, big end first"])
    // Where commas part cells, whoever has decimal commas quotes numbers.
    quotesAll = random.chance(0.5) || delimiter == "," && decimal == ","
    isNewestFirst = random.chance(0.5)
  }

  var description: String {
    "'\(delimiter)' '\(decimal)' '\(thousands)' \(day) \(names[0]) '\(missing)' \(encoding)\(quotesAll ? " quoted" : "")"
  }

  func bytes(of table: RandomTable) -> [UInt8] {
    var lines = zip(table.rows, table.prices).map { row, prices in
      ([text(row.date)] + prices.map(number)).map(cell).joined(separator: delimiter)
    }
    if isNewestFirst { lines.reverse() }
    let whole = ([names.map(cell).joined(separator: delimiter)] + lines).joined(separator: lineEnd) + lineEnd
    switch encoding {
    case "utf-8": return Array(whole.utf8)
    case "utf-8 with a mark": return Array("\u{FEFF}\(whole)".utf8)
    default: return Self.utf16("\u{FEFF}\(whole)", isBigEndian: encoding == "utf-16, big end first")
    }
  }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for unit in text.utf16 {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      bytes += isBigEndian ? [high, low] : [low, high]
    }
    return bytes
  }

  private func cell(_ text: String) -> String {
    quotesAll || text.contains(delimiter) || text.contains("\"") ? "\"\(text)\"" : text
  }

  private func number(_ text: String) -> String {
    if text.isEmpty { return missing }
    let parts = text.split(separator: ".")
    var whole = String(parts[0])
    if !thousands.isEmpty, whole.count > 3 {
      var groups: [String] = []
      while whole.count > 3 {
        groups.insert(String(whole.suffix(3)), at: 0)
        whole.removeLast(3)
      }
      whole = ([whole] + groups).joined(separator: thousands)
    }
    return parts.count == 2 ? "\(whole)\(decimal)\(parts[1])" : whole
  }

  private func text(_ date: TradingDay) -> String {
    let (year, month, day) = (date.components.year, date.components.month, date.components.day)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var result = ""
    for letter in self.day {
      switch letter {
      case "y": result += "\(year)"
      case "s": result += two(year % 100)
      case "m": result += two(month)
      case "d": result += two(day)
      case "b": result += names[month - 1]
      default: result.append(letter)
      }
    }
    return result
  }
}

extension SeededRandom {
  fileprivate mutating func int(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
}
