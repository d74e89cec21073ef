import Testing

@testable import Quoin

/// A writer tries every encoding on every block, so one that looks for what a block doesn't have slows down each import. That
/// happened: runs were looked for in prices, and an import took 2.6 times as long.
struct EncodingTimeTests {
  @Test(arguments: [BlockEncoding.constant, .runs, .daySet])
  func an_encoding_that_prices_never_have_takes_no_time(_ encoding: BlockEncoding) {
    var random = SplitMix(state: 42)
    let prices = (0..<1000).map { _ in (Double.random(in: 10..<20, using: &random) * 100).rounded() / 100 }
    let measured = prices.map { $0 * 1.234567 }
    var others = EncodingChoice()
    others.encodings.remove(encoding)
    let encoders = (all: BlockEncoder(), others: BlockEncoder(choice: others))
    var shortest = (all: Duration.seconds(100), others: Duration.seconds(100))
    for _ in 0..<50 {
      shortest.others = min(shortest.others, time(encoders.others, prices, measured))
      shortest.all = min(shortest.all, time(encoders.all, prices, measured))
    }
    #expect(shortest.all < shortest.others * 1.5, "\(shortest)")
  }

  private func time(_ encoder: BlockEncoder, _ columns: [Double]...) -> Duration {
    ContinuousClock().measure {
      for column in columns { _ = unsafe column.withUnsafeBufferPointer { unsafe encoder.encode($0) } }
    }
  }
}
