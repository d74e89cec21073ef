import Quoin
import Testing

@testable import QuandlClient

/// What `quoin-fetch` says of what came.
@Suite struct FetchReportTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func fetch(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.built("quoin-fetch"), arguments, environment: ["QUOIN_STORE": folder.path + "/store"])
  }

  @Test func a_history_that_comes_anew_is_told_with_its_reason() async throws {
    let count = Shared(3)
    try await ScriptedServer { request, _ in
      TestService(RenewalTests.quotes(count: count.value, split: 2)).answer(request)
    }.run { server in
      #expect(try fetch(["AAA", "--api-base", server.base]).status == 0)
      count.withLock { $0 = 5 }
      let second = try fetch(["AAA", "--api-base", server.base])
      #expect(
        second.out == "Fetched 5 rows of AAA from \(server.base) into '\(folder.path)/store': 2 new, 3 changed "
          + "(3 adj_closes); all days anew, because of a split of 2 for 1 on 2024-01-05.\n", "\(second)")
    }
  }

  @Test func of_a_table_the_tickers_that_come_anew_are_listed() async throws {
    let count = Shared(3)
    try await ScriptedServer { request, _ in
      TestService(RenewalTests.quotes(count: count.value, split: 2)).answer(request)
    }.run { server in
      #expect(try fetch(["--all", "--api-base", server.base]).status == 0)
      count.withLock { $0 = 5 }
      let second = try fetch(["--all", "--api-base", server.base])
      #expect(
        second.out == """
          Fetched 5 rows of 1 ticker from \(server.base) into '\(folder.path)/store': 2 new, 3 changed (3 adj_closes).
          All days of 1 ticker came anew:
            AAA: a split of 2 for 1 on 2024-01-05

          """, "\(second)")
    }
  }

  @Test func columns_that_are_not_taken_are_told_as_by_an_import() async throws {
    let answer =
      #"{"dataset_data":{"column_names":["Date","Close","Settled"],"data":[["2024-01-02",1,2],["2024-01-03",0,3]]}}"#
    try await ScriptedServer { _, _ in .ok(answer) }.run { server in
      let result = try fetch(["AAA", "--api-base", server.base])
      #expect(
        result.out.split(separator: "\n").dropFirst() == [
          "Fetched, but suspicious: 1 row with a price of 0.", "Ignored columns: Settled.",
          "the answer: no column is taken for the volume, and 'Settled' (counts such as 2, 3) isn't known.",
        ], "\(result)")
    }
  }

  @Test(arguments: [
    "<!DOCTYPE html><html><body>Welcome to the hotel</body></html>", "\n <HTML><head></head></HTML>",
    "<?xml version=\"1.0\"?><!DOCTYPE html><html/>", "<!-- --><html></html>",
  ])
  func a_web_page_is_named_as_one(_ page: String) async throws {
    try await ScriptedServer { _, _ in .ok(page) }.run { server in
      for arguments in [["AAA"], ["--all"]] {
        let result = try fetch(arguments + ["--api-base", server.base])
        #expect(result.status == 2 && result.err.contains("the answer is a web page, not quotes"), "\(result)")
      }
    }
  }
}
