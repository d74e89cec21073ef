import Quoin

/// What a store holds at each generation, which the generation's number alone determines: so a reader knows what it has to
/// see, to the last row, and rows of two generations in one answer can't pass.
///
/// A row carries the generation that wrote it in every column.
enum Chronicle {
  static let tickers: [TickerSymbol] = ["T0", "T1", "T2", "T3"]
  private static let dayCount = 55

  private enum Step {
    case write(Range<Int>)
    case delete(Range<Int>)
    case deleteTicker(Int)
    case compact
  }

  /// What the commit of a generation does: each of them changes something.
  private static func step(_ generation: UInt64) -> Step {
    switch generation % 8 {
    case 0: .write(0..<48)
    case 1: .write(48..<52)
    case 2: .write(52..<54)
    case 3: .compact
    case 4: .write(20..<30)
    case 5: .delete(40..<50)
    case 6: .write(54..<55)
    default: .deleteTicker(0)
    }
  }

  private static func day(_ index: Int) -> TradingDay { TradingDay(daysSince1970: 12_000 + index) ?? .latest }

  /// Makes the commit of a generation.
  static func commit(_ generation: UInt64, to store: QuoteStore) throws {
    switch step(generation) {
    case .write(let days):
      var columns = QuoteColumns()
      for index in days { columns.append(row(day(index), generation)) }
      try store.upsert(Dictionary(uniqueKeysWithValues: tickers.map { ($0, columns) }))
    case .delete(let days):
      try store.delete(where: Predicate(parsing: "date >= \(day(days.lowerBound)) and date < \(day(days.upperBound))"))
    case .deleteTicker(let index): try store.delete(tickers[index])
    case .compact: try store.compact()
    }
  }

  static func row(_ day: TradingDay, _ mark: UInt64, of ticker: TickerSymbol = tickers[0]) -> DailyQuoteSummary {
    let (price, volume) = (Double(mark), Int64(mark))
    return DailyQuoteSummary(
      ticker: ticker, date: day, open: price, high: price, low: price, close: price, volume: volume, exDividend: price,
      splitRatio: price, adjustedOpen: price, adjustedHigh: price, adjustedLow: price, adjustedClose: price,
      adjustedVolume: price)
  }

  /// The rows of one generation, in the order of the store.
  struct Content: Equatable {
    var tickers: [TickerSymbol] = []
    var days: [TradingDay] = []
    var marks: [UInt64] = []
  }

  static func content(at generation: UInt64) -> Content {
    var marks = Array(repeating: [UInt64?](repeating: nil, count: dayCount), count: tickers.count)
    // Eight steps write or delete every row that there is; the ones before them are forgotten.
    for generation in (generation > 16 ? generation - 16 : 1)..<(generation + 1) {
      switch step(generation) {
      case .write(let days): for ticker in tickers.indices { for day in days { marks[ticker][day] = generation } }
      case .delete(let days): for ticker in tickers.indices { for day in days { marks[ticker][day] = nil } }
      case .deleteTicker(let ticker): for day in 0..<dayCount { marks[ticker][day] = nil }
      case .compact: break
      }
    }
    var content = Content()
    for ticker in tickers.indices {
      for (index, mark) in marks[ticker].enumerated() {
        guard let mark else { continue }
        content.tickers.append(tickers[ticker])
        content.days.append(day(index))
        content.marks.append(mark)
      }
    }
    return content
  }
}
