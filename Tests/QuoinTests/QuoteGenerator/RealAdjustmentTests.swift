import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The adjustment of the generator, and that of stored quotes, on real ones; `QUOIN_REAL_QUOTES` names the folder of WIKI-AAPL.csv and WIKI-MSFT.csv.
@Suite struct RealAdjustmentTests {
  static let folder: String? = unsafe getenv("QUOIN_REAL_QUOTES").map { unsafe String(cString: $0) }

  @Test(.enabled(if: folder != nil, "QUOIN_REAL_QUOTES is not set"), arguments: ["WIKI-AAPL.csv", "WIKI-MSFT.csv"])
  func the_recursion_gives_every_real_adjusted_cell(_ name: String) throws {
    let text = try #require(readText("\(Self.folder ?? "")/\(name)"))
    let rows = text.split(separator: "\n").dropFirst().reversed().map { $0.split(separator: ",") }
    var raw = RawQuotes(days: try rows.map { try #require(TradingDay($0[0])) })
    var expected: [[Double]] = []
    for (index, row) in rows.enumerated() {
      let values = try row.dropFirst().map { try #require(Double($0)) }
      (raw.open[index], raw.high[index], raw.low[index], raw.close[index]) = (
        values[0], values[1], values[2], values[3]
      )
      (raw.volume[index], raw.exDividend[index], raw.splitRatio[index]) = (Int64(values[4]), values[5], values[6])
      expected.append(Array(values[7...]))
    }
    let generated = raw.adjusted()
    let stored = generated.having(AttributeSet.all.subtracting(.adjusted)).adjusted()
    let names = [Attribute.adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose, .adjustedVolume]
    for (place, name) in names.enumerated() {
      #expect(generated.doubles(name) == expected.map { $0[place] })
      #expect(stored.doubles(name) == expected.map { $0[place] })
    }
  }
}
