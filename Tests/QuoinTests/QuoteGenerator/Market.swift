import Quoin
import QuoteGenerator

/// A generated market with all its quotes.
struct Market {
  let generator: QuoteGenerator
  let quotes: [QuoteColumns]

  init(tickerCount: Int, rowCount: Int, seed: UInt64) {
    do { generator = try QuoteGenerator(tickerCount: tickerCount, rowCount: rowCount, seed: seed) } catch {
      preconditionFailure("\(error)")
    }
    quotes = generator.tickers.indices.map(generator.quotes)
  }
}

/// FNV-1a over every bit of every cell, volumes last. Adjusted volumes, which the generator makes whole, count as integers.
func checksum(_ quotes: QuoteColumns) -> UInt64 {
  var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  func add(_ bits: UInt64) { sum = (sum ^ bits) &* 0x100_0000_01B3 ^ sum >> 29 }
  for day in quotes.days { add(UInt64(bitPattern: Int64(day.daysSince1970))) }
  for key in TypedAttribute<Double>.all where key != .adjustedVolume {
    for value in quotes[key] { add(value.bitPattern) }
  }
  for value in quotes[TypedAttribute.volume] { add(UInt64(bitPattern: value)) }
  for value in quotes[TypedAttribute.adjustedVolume] { add(UInt64(bitPattern: Int64(exactly: value) ?? .missing)) }
  return sum
}
