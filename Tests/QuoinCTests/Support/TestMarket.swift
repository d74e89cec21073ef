import CQuoin
import Foundation
import Quoin
import Testing

/// Suites of the C interface run one after another, because they count what is alive in the process.
@Suite(.serialized) struct CInterface {}

/// A folder with a store, which goes away with the value.
final class TestMarket: Sendable {
  let path: String
  let store: QuoteStore

  init(_ rows: [TickerSymbol: QuoteColumns]) throws {
    path = FileManager.default.temporaryDirectory.path + "/quoin-c-\(UUID().uuidString)"
    store = try QuoteStore(at: path)
    try store.upsertUnchecked(rows)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Small, with values at which programs break; without those that no quote has if they are to be stored elsewhere.
  static func nasty(isStorable: Bool = false) throws -> TestMarket {
    var doubles: [Double] = [
      0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude, 0.1,
      (0.1).nextUp, 1e-7, 0x1p53 + 2, -1e22, .nan, -.nan, .signalingNaN, Double(nan: 0x123, signaling: false), 80.95,
    ]
    var integers: [Int64] = [0, 1, -1, .max, .min, .min + 1, 1 << 53 + 1, 65_536, -(1 << 53), 1_373_400]
    if isStorable {
      doubles.removeAll(where: \.isInfinite)
      integers.removeAll { $0 < 0 && $0 != .min }
    }
    let volumes = isStorable ? doubles.filter { !($0 < 0) } : doubles
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for (index, ticker) in (["A", "BRK.A", "^GSPC", "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"] as [TickerSymbol]).enumerated()
    {
      let days = (0..<(40 + index * 700)).map { TradingDay(daysSince1970: $0 * 3 - 60_000 * index)! }
      func cycle<Value>(_ values: [Value], _ step: Int) -> [Value] {
        days.indices.map { values[($0 * step + index) % values.count] }
      }
      let columns = Attribute.allCases.filter { $0 != .volume && $0 != .low }.enumerated().map {
        (
          $0.element,
          $0.offset == 1
            ? days.indices.map { Double($0) }
            : cycle($0.element == .adjustedVolume ? volumes : doubles, $0.offset * 2 + 1)
        )
      }
      rows[ticker] = try QuoteColumns(
        days: days, doubles: Dictionary(uniqueKeysWithValues: columns), integers: [.volume: cycle(integers, 3)])
    }
    return try TestMarket(rows)
  }

  /// More rows than a batch has, with closes and volumes; some are missing in the second batch alone.
  static func large() throws -> TestMarket {
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for index in 0..<14 {
      let days = (0..<5000).map { TradingDay(daysSince1970: 5000 + $0)! }
      let closes = (0..<5000).map { row in
        index == 13 && row > 2000 && row % 7 == 3 ? .nan : Double((row * 31 + index * 977) % 10_007) / 100 + 20
      }
      let volumes = (0..<5000).map { row in index == 13 && row == 4990 ? Int64.min : Int64(row * 100 + index) }
      rows[try TickerSymbol("T\(index + 10)")] = try QuoteColumns(
        days: days, doubles: [.close: closes], integers: [.volume: volumes])
    }
    return try TestMarket(rows)
  }
}

extension QuoteBatch {
  /// The cells that a stream of these columns should have.
  func cells(_ columns: [QuoteFormatter.Column]) -> [[Cell]] {
    columns.map { column in
      switch column {
      case .ticker: tickers.map { .text("\($0)") }
      case .date: self.columns.days.map { .day($0.daysSince1970) }
      case .attribute(.volume): self.columns.integers(.volume).map { .integer(orMissing: $0) }
      case .attribute(let name): self.columns.doubles(name).map { .double($0) }
      case .computed(let name): (computed(name) ?? []).map { .double($0) }
      }
    }
  }
}
