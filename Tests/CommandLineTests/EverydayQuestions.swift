import Foundation

/// The quotes of `data/wiki-sample.csv`, of which every ticker has the same days.
struct SampleQuotes {
  let tickers: [String]
  let days: [String]
  private let columns: [String: [String: [Double]]]

  init() throws {
    let text = try String(contentsOfFile: Workspace.data("wiki-sample.csv"), encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.split(separator: ",").map { String($0) } }
    var columns: [String: [String: [Double]]] = [:]
    for line in lines.dropFirst() {
      for (name, cell) in zip(lines[0], line).dropFirst(2) {
        columns[line[0], default: [:]][name, default: []].append(Double(cell) ?? .nan)
      }
    }
    self.columns = columns
    tickers = columns.keys.sorted()
    days = lines.dropFirst().filter { $0[0] == "KO" }.map { $0[1] }
  }

  subscript(ticker: String) -> Ticker { Ticker(name: ticker, days: days, columns: columns[ticker]!) }

  /// A row of text for each quote that has one, ticker by ticker.
  func rows(_ row: (Ticker, Int) -> [String]?) -> [[String]] {
    tickers.flatMap { name in days.indices.compactMap { row(self[name], $0) } }
  }

  /// How many quotes meet a condition.
  func count(_ holds: (Ticker, Int) -> Bool) -> [[String]] {
    [["\(rows { holds($0, $1) ? [] : nil }.count)"]]
  }

  /// The values of a day, ticker by ticker.
  func day(_ row: Int, _ value: (Ticker, Int) -> Double) -> [Double] { tickers.map { value(self[$0], row) } }

  struct Ticker {
    let name: String
    let days: [String]
    let columns: [String: [Double]]

    var open: [Double] { columns["open"]! }
    var high: [Double] { columns["high"]! }
    var low: [Double] { columns["low"]! }
    var close: [Double] { columns["close"]! }
    var volume: [Double] { columns["volume"]! }
    var dividend: [Double] { columns["ex-dividend"]! }

    func change(_ row: Int, _ rows: Int = 1) -> Double { row < rows ? .nan : close[row] / close[row - rows] - 1 }
    var changes: [Double] { days.indices.map { change($0) } }
    func year(_ row: Int) -> Int { Int(days[row].prefix(4))! }
    func month(_ row: Int) -> Int { Int(days[row].dropFirst(5).prefix(2))! }
    /// Days since 1970.
    func number(_ row: Int) -> Int { SampleQuotes.number(days[row]) }
    /// The first row of the same year.
    func yearStart(_ row: Int) -> Int { days.indices.first { year($0) == year(row) }! }
  }

  static func number(_ day: String) -> Int {
    let parts = day.split(separator: "-").map { Int($0)! }
    let (year, month) = parts[1] > 2 ? (parts[0], parts[1] - 3) : (parts[0] - 1, parts[1] + 9)
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2] - 719_469
  }
}

// Windows as they are written down.

/// The last values up to a row; nil if there are fewer, or one is missing.
func window(_ x: [Double], _ row: Int, _ rows: Int) -> ArraySlice<Double>? {
  guard row + 1 >= rows else { return nil }
  let part = x[(row + 1 - rows)...row]
  return part.contains { $0.isNaN } ? nil : part
}

func mean(_ x: some Collection<Double>) -> Double { x.reduce(0, +) / Double(x.count) }

func mean(_ x: [Double], _ row: Int, _ rows: Int) -> Double { window(x, row, rows).map { mean($0) } ?? .nan }

func deviation(_ x: some Collection<Double>, lessOne: Bool = true) -> Double {
  let average = mean(x)
  return (x.reduce(0) { $0 + ($1 - average) * ($1 - average) } / Double(x.count - (lessOne ? 1 : 0))).squareRoot()
}

func products(_ x: some Collection<Double>, _ y: some Collection<Double>) -> Double {
  let (a, b) = (mean(x), mean(y))
  return zip(x, y).reduce(0) { $0 + ($1.0 - a) * ($1.1 - b) }
}

func correlation(_ x: some Collection<Double>, _ y: some Collection<Double>) -> Double {
  products(x, y) / (products(x, x) * products(y, y)).squareRoot()
}

func quantile(_ x: some Collection<Double>, _ share: Double) -> Double {
  let (sorted, place) = (x.sorted(), share * Double(x.count - 1))
  let (low, high) = (sorted[Int(place)], sorted[min(Int(place) + 1, x.count - 1)])
  return low + (high - low) * (place - place.rounded(.down))
}

/// The mean of the first values, and then a part of the way to each later one.
func smoothed(_ x: [Double], _ rows: Int, _ weight: Double) -> [Double] {
  var (average, results) = (Double.nan, [Double]())
  for row in x.indices {
    average = row + 1 == rows ? mean(x[...row]) : row + 1 < rows ? .nan : average + weight * (x[row] - average)
    results.append(average)
  }
  return results
}

/// The rank from 1 on; equal values have their mean.
func rank(_ x: Double, among all: [Double]) -> Double {
  Double(all.count { $0 < x }) + Double(all.count { $0 == x } + 1) / 2
}

extension SampleQuotes.Ticker {
  var rsi: [Double] {
    let moves = [0] + days.indices.dropFirst().map { close[$0] - close[$0 - 1] }
    let rises = smoothed(moves.dropFirst().map { max($0, 0) }, 14, 1 / 14)
    let falls = smoothed(moves.dropFirst().map { max(-$0, 0) }, 14, 1 / 14)
    return [.nan] + zip(rises, falls).map { 100 * $0 / ($0 + $1) }
  }

  /// Both averages begin in the slow one's first row.
  var macd: [Double] {
    let fast = smoothed(Array(close[14...]), 12, 2 / 13)
    let slow = smoothed(close, 26, 2 / 27)
    return days.indices.map { $0 < 25 ? .nan : fast[$0 - 14] - slow[$0] }
  }

  var macdSignal: [Double] {
    Array(repeating: .nan, count: 25) + smoothed(Array(macd[25...]), 9, 0.2)
  }

  var atr: [Double] {
    let ranges = days.indices.dropFirst().map { max(high[$0], close[$0 - 1]) - min(low[$0], close[$0 - 1]) }
    return [.nan] + smoothed(ranges, 14, 1 / 14)
  }

  /// Whether `x` is above `y` and wasn't in the row before.
  static func crosses(_ x: [Double], _ y: [Double], _ row: Int) -> Bool {
    row > 0 && x[row] > y[row] && x[row - 1] <= y[row - 1]
  }
}
