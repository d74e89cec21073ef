import Foundation
import Quoin
import Testing

@testable import QuandlService

@Suite struct GenerationTests {
  private static func quote(_ close: Double) -> DailyQuoteSummary {
    DailyQuoteSummary(ticker: "T", date: "2018-01-02", close: close)
  }

  @Test func an_answer_says_which_generation_it_shows() throws {
    let service = try TestService([Self.quote(1)])
    #expect(service.get("datasets/WIKI/T/data").generation == 1)
    try service.store.upsert([Self.quote(2)])
    #expect(service.get("datasets/WIKI/T/data").generation == 2)
    #expect(service.get("datasets/WIKI/T.csv?column_index=4").text == "Date,Close\n2018-01-02,2.0\n")
  }

  @Test func a_body_goes_on_showing_what_it_began_with() throws {
    let service = try TestService.market(10, rowCount: 20_000)
    let whole = service.get("databases/WIKI/data").bytes
    var body = service.service.answer(to: ServiceRequest("databases/WIKI/data")).body
    var bytes = try #require(try body.next())
    try service.store.delete(service.store.tickers)
    try service.store.compact()
    while let piece = try body.next() { bytes += piece }
    #expect(bytes.elementsEqual(whole))
    #expect(service.get("databases/WIKI/data").bytes != whole)
  }

  @Test func an_import_shows_in_refreshed_at() throws {
    let service = try TestService([Self.quote(1)])
    let first = service.get("datasets/WIKI/T/metadata").object("dataset")["refreshed_at"] as? String
    let period = try #require(try service.store.importRecords(of: "T").last)
    #expect(first == period.importedAt.description)
    try service.store.upsert([DailyQuoteSummary(ticker: "U", date: "2018-01-02", close: 1)])
    #expect(service.get("datasets/WIKI/U/metadata").object("dataset")["refreshed_at"] is String)
  }

  @Test func damage_is_an_answer_and_a_reason_for_the_log() throws {
    let service = try TestService.market(10, rowCount: 20_000)
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: service.path).first { $0.hasSuffix(".columns") })
    let url = URL(fileURLWithPath: service.path + "/" + file)
    var bytes = try Data(contentsOf: url)
    for index in stride(from: bytes.count / 2, to: bytes.count, by: 64) { bytes[index] ^= 0xFF }
    try bytes.write(to: url, options: .atomic)
    let damaged = QuandlService(store: try QuoteStore(at: service.path))
    let answers = service.store.tickers.map {
      ReadAnswer(damaged.answer(to: ServiceRequest("datasets/WIKI/\($0)/data")))
    }
    for answer in answers where answer.status != 200 {
      #expect(answer.status == 500 && answer.errorCode == "QEMx01" && answer.failure is StoreError)
      #expect(!answer.text.contains(service.path))
    }
    #expect(answers.contains { $0.status == 500 })
    let file2 = ReadAnswer(damaged.answer(to: ServiceRequest("databases/WIKI/data")))
    #expect(file2.error != nil || file2.status == 500)
  }
}
