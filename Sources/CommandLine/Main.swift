import Quoin
import QuoteGenerator

@main struct Scratch {
  static func main() throws {
    let arguments = CommandLine.arguments
    let store = try QuoteStore(at: arguments[2])
    let clock = ContinuousClock()
    if arguments[1] == "generate" {
      let generator = try QuoteGenerator(tickerCount: Int(arguments[3])!, rowCount: Int(arguments[4])!, seed: 1)
      let time = try clock.measure {
        _ = try store.upsertEach(generator.tickers.count) { (generator.tickers[$0], generator.quotes(at: $0)) }
      }
      print(store.summary, time)
    } else {
      for _ in 0..<5 {
        print("Q2", try clock.measure { print(try store.allQuotes.where(.high, in: 80...83).where(.low, in: 78...82).where(.adjustedHigh, in: 75...85).where(.adjustedLow, in: 70...80).fetchColumns().rowCount) })
        print("Q3", try clock.measure { print(try store.allQuotes.where(.close, above: 80, below: 81).count()) })
        print("Q4", try clock.measure { print(try store.allQuotes.where(.close, above: 0.0001).count()) })
        print("Q5", try clock.measure { print(try store.allQuotes.where(.volume, above: 3_000_000).where(.close, below: 5).fetchColumns().rowCount) })
        print("Q9", try clock.measure { print(try store.allQuotes.where(.exDividend, above: 0).fetchColumns().rowCount) })
      }
      print(try store.allQuotes.where(.close, above: 80, below: 81).explain())
      print(try store.allQuotes.where(.volume, above: 3_000_000).where(.close, below: 5).explain())
    }
  }
}
