/// A fetched object, as Core Data hands them out: one allocation each.
final class FetchedQuote {
  let ticker: String
  let date: Double
  let open, high, low, close: Double
  let volume: Int64
  let exDividend, splitRatio, adjustedOpen, adjustedHigh, adjustedLow, adjustedClose, adjustedVolume: Double

  init(_ row: Row) {
    ticker = row.text(0)
    date = row.double(1)
    (open, high, low, close) = (row.double(2), row.double(3), row.double(4), row.double(5))
    volume = row.integer(6)
    (exDividend, splitRatio) = (row.double(7), row.double(8))
    (adjustedOpen, adjustedHigh) = (row.double(9), row.double(10))
    (adjustedLow, adjustedClose) = (row.double(11), row.double(12))
    adjustedVolume = row.double(13)
  }

  /// The four ranges of Q1 and Q2.
  var isInFourRanges: Bool {
    high >= 80 && high <= 83 && low >= 78 && low <= 82 && adjustedHigh >= 75 && adjustedHigh <= 85
      && adjustedLow >= 70 && adjustedLow <= 80
  }

  /// The numbers that all engines have to agree on.
  static func answer(_ quotes: [FetchedQuote]) -> [String] {
    let doubles = { (value: (FetchedQuote) -> Double) in Table.Column.doubles(quotes.map(value)) }
    let integers = { (value: (FetchedQuote) -> Int64) in Table.Column.integers(quotes.map(value)) }
    let columns = [
      doubles(\.open), doubles(\.high), doubles(\.low), doubles(\.close), integers(\.volume), doubles(\.exDividend),
      doubles(\.splitRatio), doubles(\.adjustedOpen), doubles(\.adjustedHigh), doubles(\.adjustedLow),
      doubles(\.adjustedClose), doubles(\.adjustedVolume),
    ]
    return ["\(quotes.count)", Table.Column.texts(quotes.map(\.ticker)).sum, doubles(\.date).daySum]
      + columns.map(\.sum)
  }
}
