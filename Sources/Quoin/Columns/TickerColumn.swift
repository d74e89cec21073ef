/// The tickers of rows: a list of symbols, and for each row the place of its symbol in that list. Arrow calls it a dictionary.
///
/// The symbols of a query's result are the store's own list of tickers, which isn't copied; so there may be symbols that no row
/// has.
public struct TickerColumn: RandomAccessCollection, Sendable {
  /// The symbols that rows may have, each once; those of a query's result ascend.
  public private(set) var symbols: [TickerSymbol]
  package private(set) var places: ColumnBuffer<Int32>

  /// No rows.
  public init() { (symbols, places) = ([], []) }

  /// Rows of these tickers, in this order. Complexity: O(rows).
  public init(_ tickers: some Sequence<TickerSymbol>) {
    self.init()
    var known: [TickerSymbol: Int32] = [:]
    for ticker in tickers {
      let place = known[ticker] ?? Int32(symbols.count)
      if known.updateValue(place, forKey: ticker) == nil { symbols.append(ticker) }
      places.append(place)
    }
  }

  /// Rows of one ticker.
  init(repeating ticker: TickerSymbol, count: Int) {
    self.init(symbols: [ticker], places: ColumnBuffer(repeating: 0, count: count))
  }

  init(symbols: [TickerSymbol], places: ColumnBuffer<Int32>) { (self.symbols, self.places) = (symbols, places) }

  /// The tickers of some rows, in this order.
  func gathered(_ rows: [Int]) -> TickerColumn { TickerColumn(symbols: symbols, places: places.gathered(rows)) }

  /// For each row, the place of its ticker in `symbols`. Complexity: O(rows) when it is first asked for, then O(1).
  public var symbolIndices: [Int32] { places.array }

  /// 0, the first row.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { places.count }

  /// The ticker of row `row`. Traps if there is no such row, as an array does. Complexity: O(1).
  public subscript(row: Int) -> TickerSymbol { symbols[Int(places[row])] }

  /// The tickers of neighboring rows with the number of these rows, in order. Complexity: O(rows).
  public var runs: [(ticker: TickerSymbol, count: Int)] {
    var runs: [(ticker: TickerSymbol, count: Int)] = []
    places.withSpan { places in
      var start = 0
      while start < places.count {
        let place = places[start]
        var end = start + 1
        while end < places.count, places[end] == place { end += 1 }
        runs.append((symbols[Int(place)], end - start))
        start = end
      }
    }
    return runs
  }

  /// The neighboring rows of the same ticker, in order.
  var runRanges: [Range<Int>] {
    var start = 0
    return runs.map { _, count in
      defer { start += count }
      return start..<(start + count)
    }
  }
}

extension TickerColumn: Equatable {
  /// Whether both have the same tickers in the same order.
  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

extension TickerColumn: ExpressibleByArrayLiteral {
  /// Rows of these tickers.
  public init(arrayLiteral tickers: TickerSymbol...) { self.init(tickers) }
}
