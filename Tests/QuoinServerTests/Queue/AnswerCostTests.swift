import QuandlService
import Testing

@testable import QuoinServer

/// What a question is taken for before anything is read.
struct AnswerCostTests {
  private static let market = StoreSize(rowCount: 15_400_000, tickerCount: 3199)

  private static func cost(_ path: String, _ body: String = "") throws -> AnswerCost {
    let target = RequestTarget(path)
    let route: ServerRoute = try #require(ServerRoutes.all.route(of: target.path))
    let request = ServiceRequest(
      body.isEmpty ? .get : .post, path: target.path.text, query: target.query, body: Array(body.utf8))
    return AnswerCost(of: request, by: route, market, megabytes: 1024)
  }

  @Test(arguments: [
    "/api/v3/datasets/WIKI/KO", "/api/v1/count?tickers=KO", "/api/v1/count?where=close+%3E+80", "/", "/ticker/KO",
    "/api/v1/scan?tickers=KO,FDX&columns=mean(close,20),std(close,20)", "/api/v1/tickers", "/api/v1/scan?limit=1000",
    "/api/v3/datatables/WIKI/PRICES?ticker=KO", "/ticker/KO?where=rank(close+by+day)<3",
  ])
  func this_is_short(_ path: String) throws { #expect(try Self.cost(path).isShort) }

  @Test(arguments: [
    "/api/v1/count?where=rank(change(close,5) by day)<=10", "/api/v1/count?where=wmean(close,5000)>0", "/check",
    "/api/v1/scan", "/api/v3/databases/WIKI/data", "/questions?where=rank(close++by++day)<3",
    "/api/v1/count?where=\(String(repeating: "mean(close,5)+", count: 300))1>0",
  ])
  func this_is_long(_ path: String) throws { #expect(try !Self.cost(path).isShort) }

  @Test func a_posted_question_costs_what_the_same_in_the_address_does() throws {
    #expect(try !Self.cost("/api/v1/count", #"{"where": "rank(close by day) < 3"}"#).isShort)
    #expect(try Self.cost("/api/v1/count", #"{"where": "mean(close, 5) < 3", "tickers": "KO,FDX"}"#).isShort)
  }

  @Test func ranks_by_day_hold_memory_for_each_row_and_never_more_than_one_may() throws {
    let one = try Self.cost("/api/v1/count?where=rank(close by day)<3").byteCount
    #expect((200 << 20...256 << 20).contains(one))
    let ranks = (0..<16).map { "rank(prev(close,\($0)) BY day)" }.joined(separator: ",")
    #expect(try Self.cost("/api/v1/scan?columns=\(ranks)").byteCount == 1 << 30)
    #expect(try Self.cost("/api/v1/count?where=close>3").byteCount == AnswerCost.leastByteCount)
  }
}
