import Foundation
import Quoin
import Testing

/// A server over a store that others write, remove and replace.
struct StoreChangeTests {
  private let folder: TestFolder
  private let server: ServerProcess

  init() throws {
    folder = try TestFolder()
    server = try ServerProcess(folder)
  }

  private func lastDays() throws -> [String] {
    let lines = try server.get("/api/v1/scan?tickers=KO&order=desc&limit=2&columns=date&format=csv").text
    return lines.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func a_commit_of_another_process_is_shown_by_the_next_answer() throws {
    let before = try server.get("/api/v1/tickers")
    let tag = try #require(before.headers["etag"])
    #expect(try lastDays().first == "2018-03-27")
    let quote = DailyQuoteSummary(ticker: "KO", date: "2018-03-28", close: 44)
    let store = try QuoteStore(at: folder.store)
    try store.upsert([quote])
    let generation = store.generation
    #expect(try lastDays() == ["2018-03-28", "2018-03-27"])
    let after = try server.get("/api/v1/tickers", ["if-none-match: \(tag)"])
    #expect(after.status == 200 && after.headers["etag"] != tag)
    #expect(try server.get("/metrics").text.contains("quoin_store_generation \(generation)\n"))
  }

  @Test func an_answer_under_way_stays_with_its_generation() throws {
    let expected = try server.get("/api/v1/scan").body
    let wire = try server.connect()
    wire.send(server.head("GET /api/v1/scan"))
    let start = wire.read(upTo: 1000)
    try QuoteStore(at: folder.store).delete("KO")
    try QuoteStore(at: folder.store).compact()
    let rest = wire.rest(from: start)
    #expect(rest?.body == expected)
  }

  @Test func a_store_that_is_gone_is_told_and_one_that_is_back_is_shown() throws {
    let moved = folder.path + "/moved"
    try FileManager.default.moveItem(atPath: folder.store, toPath: moved)
    for path in ["/healthz", "/api/v1/tickers", "/api/v3/datasets/WIKI/FDX/data"] {
      let answer = try server.get(path)
      #expect(answer.status == 503 && answer.headers["retry-after"] == "1", "\(path)")
      #expect(answer.text.contains("QEXx01") && !answer.text.contains(folder.path))
    }
    #expect(server.logLine { $0.contains("there is no store at") } != nil)
    // Another store in its place, whose generation is no newer.
    try QuoteStore(at: folder.store).upsert([DailyQuoteSummary(ticker: "NEW", date: "2020-01-02", close: 1)])
    #expect(try server.get("/api/v1/tickers?format=csv").text.contains("\nNEW,1,2020-01-02,2020-01-02,"))
    try FileManager.default.removeItem(atPath: folder.store)
    try FileManager.default.moveItem(atPath: moved, toPath: folder.store)
    #expect(try server.get("/api/v1/tickers?format=csv").text.contains("\nFDX,1200,"))
  }

  @Test func a_damaged_manifest_is_told_and_a_sound_one_is_shown() throws {
    let manifest = URL(fileURLWithPath: folder.store + "/MANIFEST")
    let sound = try Data(contentsOf: manifest)
    // Put in its place as the store does it: who has the old one mapped keeps it.
    try Data(sound.dropLast(3)).write(to: manifest, options: .atomic)
    #expect(try server.get("/api/v1/tickers").status == 503)
    #expect(server.logLine { $0.contains("is damaged") } != nil)
    try sound.write(to: manifest, options: .atomic)
    #expect(try server.get("/api/v1/tickers").status == 200)
  }
}
