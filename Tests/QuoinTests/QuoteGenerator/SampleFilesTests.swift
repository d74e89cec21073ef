import Testing

@testable import Quoin
@testable import QuoteGenerator

/// The files in data/ are what the generator gives. `QUOIN_WRITE_DATA=1 swift test --filter SampleFiles` writes them
/// anew.
@Suite(.serialized) struct SampleFilesTests {
  @Test(arguments: SampleFile.all)
  func the_committed_file_is_what_the_generator_gives(_ file: SampleFile) throws {
    if SampleFile.isToBeWritten { try file.write() }
    guard let committed = file.committedText else {
      print("data/\(file.name) is absent: not compared")
      return
    }
    #expect(committed == file.text, "data/\(file.name) differs; QUOIN_WRITE_DATA=1 writes it anew")
  }

  @Test func the_last_row_of_fedex_is_the_real_one() {
    let quotes = QuoteGenerator.fedExSample()
    let real = DailyQuoteSummary(
      ticker: "FDX", date: "2005-10-14", open: 86.9, high: 87.7, low: 85.96, close: 87.6, volume: 1_373_400,
      exDividend: 0, splitRatio: 1, adjustedOpen: 80.950577512303, adjustedHigh: 81.695807224729,
      adjustedLow: 80.074932600202, adjustedClose: 81.602653510676, adjustedVolume: 1_373_400)
    #expect(quotes.quote(at: quotes.rowCount - 1, of: "FDX") == real)
    #expect(quotes.days == ExchangeCalendar.days(from: "2001-01-05", through: "2005-10-14"))
    #expect(Set(quotes[.splitRatio]) == [1] && Set(quotes[.exDividend]) == [0, 0.05, 0.07, 0.08])
  }

  /// The question that the README asks.
  @Test func the_fedex_question_has_a_few_dozen_answers() {
    let quotes = QuoteGenerator.fedExSample()
    let answers = quotes.days.indices.filter {
      let (high, low, adjusted) = (quotes[.high][$0], quotes[.low][$0], quotes[.adjustedHigh][$0])
      return high > 80 && high < 83 && low > 78 && low < 82 && adjusted > 75 && adjusted < 85
    }
    #expect(answers.count == 33)
  }

  @Test func the_wiki_sample_has_dividends_splits_and_a_price_of_six_digits() {
    let sample = QuoteGenerator.wikiSample()
    #expect(sample.map(\.ticker) == sample.map(\.ticker).sorted() && sample.allSatisfy { $0.quotes.rowCount == 504 })
    #expect(sample.flatMap { $0.quotes[.splitRatio] }.contains(2))
    #expect(sample.flatMap { $0.quotes[.close] }.contains { $0 > 100_000 })
  }
}
