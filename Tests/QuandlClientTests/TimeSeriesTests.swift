import Quoin
import Testing

@testable import QuandlClient

@Suite struct TimeSeriesTests {
  @Test func every_part_of_a_question_is_on_the_wire_under_quandls_names() async throws {
    let query = TimeSeriesQuery(
      limit: 5, columnIndex: 11, from: "2005-01-03", to: "2005-12-30", order: .descending, collapse: .monthly,
      transform: .relativeDifferenceFromLatest)
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { server in
      _ = try await server.client().data("wiki/brk.b", query)
      _ = try await server.client().data("FDX")
      #expect(
        server.requests.map(\.target) == [
          "/api/v3/datasets/WIKI/BRK.B/data?order=desc&start_date=2005-01-03&end_date=2005-12-30&collapse=monthly"
            + "&transform=rdiff_from&limit=5&column_index=11",
          "/api/v3/datasets/WIKI/FDX/data",
        ])
      #expect(server.requests.allSatisfy { $0.header("accept") == "application/json" && $0.method == "GET" })
    }
  }

  @Test func names_of_collapse_and_transform_are_quandls() {
    #expect(
      TimeSeriesQuery.Collapse.allCases.map(\.rawValue) == [
        "none", "daily", "weekly", "monthly", "quarterly", "annual",
      ])
    #expect(
      TimeSeriesQuery.Transform.allCases.map(\.rawValue) == [
        "none", "diff", "rdiff", "rdiff_from", "cumul", "normalize",
      ])
  }

  @Test func an_answer_is_days_and_columns() async throws {
    let text = """
      {"dataset_data":{"limit":2,"transform":"diff","column_index":null,"column_names":["Date","Close","Volume"],
       "start_date":"2005-10-13","end_date":"2005-10-14","frequency":"daily",
       "data":[["2005-10-14",0.1,-20694101.0],["2005-10-13",null,1e3]],"collapse":"daily","order":"desc"}}
      """
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let series = try await server.client().data("WIKI/FDX")
      #expect(series.columnNames == ["Close", "Volume"] && series.days == ["2005-10-14", "2005-10-13"])
      #expect(
        series.columns == [[0.1, nil], [-20_694_101, 1000]] && series.column(named: "Volume") == series.columns[1])
      #expect(series.column(named: "Open") == nil && series.limit == 2 && series.columnIndex == nil)
      #expect(series.transform == .difference && series.collapse == .daily && series.order == .descending)
      #expect(series.startDate == "2005-10-13" && series.endDate == "2005-10-14" && series.frequency == "daily")
    }
  }

  @Test func a_column_that_there_is_not_has_no_name_and_no_rows() async throws {
    let text = """
      {"dataset_data":{"limit":null,"transform":null,"column_index":99,"column_names":["Date",null],
       "start_date":"2005-10-13","end_date":"2005-10-14","frequency":"daily","data":[],"collapse":null,"order":null}}
      """
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let series = try await server.client().data("WIKI/FDX", TimeSeriesQuery(columnIndex: 99))
      #expect(series.columnNames == [nil] && series.rowCount == 0 && series.columnIndex == 99 && series.order == nil)
    }
  }

  @Test func metadata_is_what_the_service_says_of_a_dataset() async throws {
    let text = """
      {"dataset":{"id":9775827,"dataset_code":"FDX","database_code":"WIKI","name":"FedEx","description":"quotes",
       "refreshed_at":"2018-03-27T21:46:11.000Z","newest_available_date":"2018-03-27",
       "oldest_available_date":"1978-04-12","column_names":["Date","Open"],"frequency":"daily","type":"Time Series",
       "premium":false,"database_id":4922}}
      """
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let metadata = try await server.client().metadata("WIKI/FDX")
      #expect(metadata.datasetCode == "FDX" && metadata.databaseCode == "WIKI" && metadata.id == 9_775_827)
      #expect(metadata.newestAvailableDate == "2018-03-27" && metadata.oldestAvailableDate == "1978-04-12")
      #expect(metadata.columnNames == ["Date", "Open"] && metadata.isPremium == false && metadata.name == "FedEx")
      #expect(server.requests[0].target == "/api/v3/datasets/WIKI/FDX/metadata")
    }
  }

  @Test func a_list_is_read_to_its_last_page_and_never_in_a_circle() async throws {
    @Sendable func page(_ code: String, next: String) -> Reply {
      .ok(#"{"datasets":[{"dataset_code":"\#(code)","database_code":"WIKI"}],"meta":{"next_page":\#(next)}}"#)
    }
    let pages = ["1": page("A", next: "2"), "2": page("B", next: "null")]
    try await ScriptedServer { request, _ in pages[request.value("page") ?? ""] ?? .close }.run { server in
      let datasets = try await server.client().datasets(of: "WIKI")
      #expect(datasets.map(\.datasetCode) == ["A", "B"])
      #expect(server.requests[0].value("database_code") == "WIKI")
    }
    try await ScriptedServer { _, _ in page("A", next: "2") }.run { server in
      let error = try await clientError { try await server.client().datasets(of: "WIKI") }
      #expect(error.kind == .malformed && server.requests.count == 2)
    }
  }

  @Test(arguments: [
    ("FDX", "WIKI/FDX"), ("wiki/fdx", "WIKI/FDX"), ("brk.a", "WIKI/BRK.A"), ("EOD/BRK-A", "EOD/BRK-A"),
    ("CHRIS/CME_CL1", "CHRIS/CME_CL1"), ("^gspc", "WIKI/^GSPC"), ("X/a?b#c&%41", "X/A?B#C&%41"),
  ])
  func a_code_is_kept_as_it_is_spelled_but_in_upper_case(_ text: String, _ expected: String) throws {
    #expect(try DatasetCode(text).description == expected)
  }

  @Test func a_code_is_encoded_in_an_address() async throws {
    try await ScriptedServer { _, _ in .error(404, "QECx02", "none") }.run { server in
      let client = try server.client()
      for code in ["^GSPC", "CL=F", "A?B#C&D", "%41", "`", "BRK.A", "A;B:C@D|E"] {
        _ = try await clientError { try await client.data(DatasetCode(code)) }
        _ = try await clientError { try await client.metadata(DatasetCode(code)) }
      }
      _ = try await clientError { try await client.pages(DatatableQuery("X/P#1")).first { _ in true } }
      #expect(
        server.requests.map(\.target).filter { !$0.hasSuffix("/metadata") } == [
          "%5EGSPC/data", "CL%3DF/data", "A%3FB%23C%26D/data", "%2541/data", "%60/data", "BRK.A/data",
          "A%3BB%3AC%40D%7CE/data",
        ].map { "/api/v3/datasets/WIKI/" + $0 } + ["/api/v3/datatables/X/P%231"])
    }
  }

  @Test(arguments: [
    "", "/", "WIKI/", "/FDX", "A/B/C", "WIKI/F X", "../x/y", "../X", "WIKI/..", "WIKI/.", "A,B", "A\\B", "\"A\"", "ü",
    String(repeating: "A", count: 65),
  ])
  func what_is_no_code_is_refused(_ text: String) {
    #expect(throws: DatasetCodeError.self) { try DatasetCode(text) }
  }
}
