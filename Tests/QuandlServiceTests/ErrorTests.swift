import Quoin
import Testing

@testable import QuandlService
@testable import QuoteGenerator

@Suite struct ErrorTests {
  /// Some two hundred rows.
  private static let service: TestService = {
    let service = try! TestService.fedEx()
    try! service.store.delete(["FDX"], where: .dates(to: "2004-12-31"))
    return service.unlinked
  }()

  @Test(arguments: [
    ("datasets/WIKI/FDXX/data", 404, "QECx02", "There is no dataset 'WIKI/FDXX'; did you mean WIKI/FDX?"),
    ("datasets/WIKI/MSFT", 404, "QECx02", "There is no dataset 'WIKI/MSFT'."),
    ("datasets/WIKY/FDX", 404, "QECx02", "There is no database 'WIKY'; the one here is WIKI."),
    ("datasets/WIKI/..%2F../data", 400, "QECx01", "There is nothing at '/api/v3/datasets/WIKI/../../data'."),
    ("datasets/WIKI/..", 404, "QECx02", "There is no dataset 'WIKI/..'."),
    ("datasets/WIKI/A%00B/metadata", 404, "QECx02", "There is no dataset 'WIKI/A\0B'."),
    ("databases/XYZ/data", 404, "QECx02", "There is no database 'XYZ'; the one here is WIKI."),
    ("datasets?database_code=XYZ", 404, "QECx02", "There is no database 'XYZ'; the one here is WIKI."),
    ("datatables/WIKI/PRICE", 404, "QECx02", "There is no table 'WIKI/PRICE'; the one here is WIKI/PRICES."),
    (
      "dataset/WIKI/FDX", 400, "QECx01",
      "There is nothing at '/api/v3/dataset/WIKI/FDX'; did you mean /api/v3/datasets/WIKI/FDX?"
    ),
    (
      "datasets/WIKI/FDX/dtaa", 400, "QECx01",
      "There is nothing at '/api/v3/datasets/WIKI/FDX/dtaa'; did you mean /api/v3/datasets/WIKI/FDX/data?"
    ),
    ("", 400, "QECx01", "There is nothing at '/api/v3/'."),
    ("databases.csv", 406, "QESx05", "This doesn't come as CSV: leave '.csv' out."),
    ("datatables/WIKI/PRICES/metadata.csv", 406, "QESx05", "This doesn't come as CSV: leave '.csv' out."),
    (
      "datasets/WIKI/FDX/data?start_date=2000-00-00", 422, "QESx04",
      "start_date can't be '2000-00-00': it is a day of the calendar, such as 2005-10-14."
    ),
    (
      "datasets/WIKI/FDX/data?collapse=montly", 422, "QESx04", "collapse can't be 'montly'; did you mean monthly?"
    ),
    (
      "datasets/WIKI/FDX/data?transform=log", 422, "QESx04",
      "transform can't be 'log': it is one of none, diff, rdiff, rdiff_from, cumul, normalize."
    ),
    ("datasets/WIKI/FDX/data?order=up", 422, "QESx04", "order can't be 'up': it is one of asc, desc."),
    ("datasets/WIKI/FDX/data?rows=-1", 422, "QESx04", "limit can't be '-1': it is a whole number from 0 up."),
    ("datasets/WIKI/FDX/data?column_index=x", 422, "QESx04", "column_index can't be 'x': it is a whole number."),
    (
      "datasets/WIKI/FDX/data?start_dat=2001-01-01", 422, "QESx04",
      "There is no parameter 'start_dat'; did you mean start_date?"
    ),
    ("datasets?page=0", 422, "QESx04", "page can't be '0': it is a whole number from 1 up."),
    ("datatables/WIKI/PRICES?tickr=FDX", 422, "QESx08", "There is no column 'tickr'; did you mean ticker?"),
    ("datatables/WIKI/PRICES?qopts.columns=clos", 422, "QESx08", "There is no column 'clos'; did you mean close?"),
    (
      "datatables/WIKI/PRICES?close.gt=NaN", 422, "QESx04",
      "close.gt can't be 'NaN': it is a number such as 86.9."
    ),
    (
      "datatables/WIKI/PRICES?date.gte=soon", 422, "QESx04",
      "date.gte can't be 'soon': it is a day of the calendar, such as 2005-10-14."
    ),
    (
      "datatables/WIKI/PRICES?qopts.perpage=5", 422, "QESx04",
      "There is no option 'qopts.perpage'; did you mean qopts.per_page?"
    ),
    (
      "datatables/WIKI/PRICES?qopts.per_page=0", 422, "QESx04",
      "qopts.per_page can't be '0': it is a whole number from 1 up."
    ),
    (
      "datatables/WIKI/PRICES?qopts.export=yes", 422, "QESx04",
      "qopts.export can't be 'yes': it is one of true, false."
    ),
    (
      "databases/WIKI/data?download_type=some", 422, "QESx04",
      "download_type can't be 'some': it is one of partial, complete, full."
    ),
  ])
  func a_mistake_is_answered_with_its_code_and_what_would_be_right(
    _ target: String, _ status: Int, _ code: String, _ message: String
  ) {
    let answer = Self.service.get(target)
    #expect(answer.status == status && answer.errorCode == code && answer.errorMessage == message, "\(answer.text)")
    #expect(answer.headers["content-type"] == "application/json; charset=utf-8" && answer.generation == nil)
  }

  @Test func an_unknown_column_names_all_that_there_are() {
    let message = Self.service.get("datatables/WIKI/PRICES?nothing=1").errorMessage
    #expect(message.hasPrefix("There is no column 'nothing'; there are ticker, date, open, "))
  }

  @Test func other_paths_are_refused() {
    for path in [
      "/", "", "/api/v1/datatables", "/api/v2/datasets", "/api/v3", "api/v3/datasets", "/api/v3/datasets//FDX",
    ] {
      let answer = Self.service.answer(to: ServiceRequest(path: path))
      #expect(answer.status == 400 && answer.errorCode == "QECx01", "\(path)")
    }
  }

  @Test func only_tables_are_posted_to() {
    #expect(Self.service.post("datasets/WIKI/FDX/data", "{}").errorCode == "QECx01")
  }

  @Test func too_many_values_of_filters_are_refused() {
    let numbers = { (count: Int) in (0..<count).map { "\($0)" }.joined(separator: ",") }
    #expect(Self.service.get("datatables/WIKI/PRICES?close=\(numbers(1000))").status == 200)
    let answer = Self.service.get("datatables/WIKI/PRICES?close=\(numbers(600))&open=\(numbers(401))")
    #expect(answer.status == 413 && answer.errorCode == "QELx08")
  }

  /// Random questions, most of them senseless: each is answered, and as it should be.
  @Test func nasty_questions_are_answered() {
    var random = TestSettings.dice("nasty_questions_are_answered")
    let paths = [
      "datasets/WIKI/FDX/data", "datasets/WIKI/FDX.csv", "datasets/WIKI/FDX", "datasets", "databases", "databases/WIKI",
      "databases/WIKI/data", "datatables/WIKI/PRICES", "datatables/WIKI/PRICES.csv",
      "datatables/WIKI/PRICES/export.zip",
      "datatables/WIKI/PRICES/metadata", "datasets/WIKI/FDX/metadata",
    ]
    let names = [
      "limit", "rows", "column_index", "start_date", "end_date", "order", "collapse", "transform", "page", "per_page",
      "query", "database_code", "download_type", "ticker", "ticker[]", "ticker.gt", "date", "date.gte", "date.lt[]",
      "close", "close.lt", "volume", "volume.gte", "adj_volume.lte", "qopts.columns", "qopts.columns[]",
      "qopts.per_page", "qopts.cursor_id", "qopts.export", "", ".gt", "[]", "qopts.", "\0", "date..gt", "é",
    ]
    let values = [
      "", "0", "1", "-1", "5", "1000", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e308",
      "1e999", "-1e999", "1e-999", "NaN", "inf", "-0", "0x10", "+5", " 5", "5 ", "٣", "2005-01-03", "2005-02-30",
      "0001-01-01", "9999-12-31", "0000-00-00", "-001-01-01", "2005-1-3", "2005-01-03T", "FDX", "fdx",
      "../../etc/passwd",
      "\0", "a\0b", "\"", "\\", "\u{1F600}", "\u{301}", "asc", "desc", "weekly", "annual", "rdiff", "rdiff_from",
      "cumul",
      "true", "false", ",", ",,,", "FDX,,AAPL", "close,date", "%00", "{}", "<script>", "djFfMjAwNS0wMS0wM19GRFg",
      String(repeating: "9", count: 400), String(repeating: "x", count: 70_000), String(repeating: "1,", count: 3000),
    ]
    for _ in 0..<1000 {
      let query = (0..<random.below(4)).map { _ in (random.element(of: names), random.element(of: values)) }
      var path = "/api/v3/" + random.element(of: paths)
      if random.chance(0.1) { path += "/" + random.element(of: values) }
      let isPost = random.chance(0.1)
      let body = random.element(of: values)
      check(ServiceRequest(isPost ? .post : .get, path: path, query: query.map { ($0, $1) }, body: Array(body.utf8)))
    }
  }

  @Test func huge_texts_are_answered() {
    let huge = String(repeating: "9/", count: 5_000_000)
    check(ServiceRequest(path: "/api/v3/" + huge))
    check(ServiceRequest(path: "/api/v3/datasets/WIKI/FDX/data", query: [("start_date", huge), (huge, "1")]))
    for name in ["limit", "order", "collapse", "column_index", huge] {
      check(ServiceRequest(path: "/api/v3/datasets/WIKI/FDX/data", query: [(name, huge)]))
    }
    for name in ["ticker", "ticker.gt", "date", "close.lt", "qopts.columns", "qopts.cursor_id", "qopts.per_page", huge]
    {
      check(ServiceRequest(path: "/api/v3/datatables/WIKI/PRICES", query: [(name, huge)]))
    }
    check(ServiceRequest(path: "/api/v3/datasets", query: [("query", huge), ("database_code", huge)]))
    let nested = Array((String(repeating: "[", count: 1_000_000)).utf8)
    check(ServiceRequest(.post, path: "/api/v3/datatables/WIKI/PRICES", body: nested))
    check(ServiceRequest(.post, path: "/api/v3/datatables/WIKI/PRICES", body: Array(huge.utf8)))
  }

  private func check(_ request: ServiceRequest) {
    let answer = Self.service.answer(to: request)
    let name = "\(request.path.prefix(80)) \(request.query.map { ($0.name.prefix(20), $0.value.prefix(20)) })"
    #expect(answer.error == nil && answer.failure == nil, "\(name)")
    #expect([200, 400, 404, 406, 413, 422].contains(answer.status), "\(answer.status) \(name)")
    guard answer.headers["content-type"]?.hasPrefix("application/json") == true else { return }
    #expect(!answer.json().isEmpty, "\(name)")
    if answer.status != 200 {
      #expect(answer.errorCode?.wholeMatch(of: /QE[A-Z]x\d\d/) != nil && answer.bytes.count < 1000, "\(name)")
    }
  }
}
