import Foundation
import Quoin
import Testing

@testable import QuandlService

/// XML as Quandl's documentation showed it.
@Suite struct XMLTests {
  private static let service = try! TestService([
    DailyQuoteSummary(
      ticker: "FB", date: "2014-01-02", open: 54.83, high: 55.22, low: 54.19, close: 54.71, volume: 43_195_500,
      exDividend: 0, splitRatio: 1, adjustedOpen: 54.83, adjustedHigh: 55.22, adjustedLow: 54.19, adjustedClose: 54.71,
      adjustedVolume: 43_195_500),
    DailyQuoteSummary(ticker: "FB", date: "2014-01-03", close: .infinity),
    DailyQuoteSummary(ticker: "A&B", date: "2014-01-03", close: 1),
  ]).unlinked

  private static let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quandl-response>"

  @Test func a_dataset_is_as_quandl_sent_it() {
    let answer = Self.service.get("datasets/WIKI/FB/data.xml?column_index=4&order=asc")
    #expect(answer.headers["content-type"] == "application/xml; charset=utf-8")
    #expect(
      answer.text == Self.start + "<dataset-data><limit nil=\"true\"/><transform nil=\"true\"/>"
        + "<column-index type=\"integer\">4</column-index><column-names type=\"array\">"
        + "<column-name>Date</column-name><column-name>Close</column-name></column-names>"
        + "<start-date type=\"date\">2014-01-02</start-date><end-date type=\"date\">2014-01-03</end-date>"
        + "<frequency>daily</frequency><data type=\"array\"><datum type=\"array\">"
        + "<datum type=\"date\">2014-01-02</datum><datum type=\"float\">54.71</datum></datum><datum type=\"array\">"
        + "<datum type=\"date\">2014-01-03</datum><datum nil=\"true\"/></datum></data>"
        + "<collapse nil=\"true\"/><order>asc</order></dataset-data></quandl-response>\n")
  }

  @Test func a_table_is_as_quandl_sent_it() {
    let answer = Self.service.get(
      "datatables/WIKI/PRICES.xml?ticker=FB&qopts.columns=ticker,date,close,volume&qopts.per_page=1")
    let cursor = Self.service.get("datatables/WIKI/PRICES?ticker=FB&qopts.per_page=1").cursor ?? ""
    #expect(
      answer.text == Self.start + "<datatable><data type=\"array\"><datum type=\"array\"><datum>FB</datum>"
        + "<datum type=\"date\">2014-01-02</datum><datum type=\"float\">54.71</datum>"
        + "<datum type=\"float\">43195500.0</datum></datum></data><columns type=\"array\">"
        + "<column><name>ticker</name><type>String</type></column><column><name>date</name><type>Date</type></column>"
        + "<column><name>close</name><type>BigDecimal(34,12)</type></column>"
        + "<column><name>volume</name><type>BigDecimal(37,15)</type></column></columns></datatable>"
        + "<meta><next-cursor-id>\(cursor)</next-cursor-id></meta></quandl-response>\n")
  }

  @Test func descriptions_and_lists_have_typed_elements() {
    let text = Self.service.get("datasets/WIKI/FB/metadata.xml").text
    for part in [
      "<quandl-response><dataset><id type=\"integer\">", "<dataset-code>FB</dataset-code>",
      "<newest-available-date type=\"date\">2014-01-03</newest-available-date>",
      "<premium type=\"boolean\">false</premium>",
      "</database-id></dataset></quandl-response>",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(text.firstMatch(of: /<refreshed-at type="dateTime">\d{4}-/) != nil)
    #expect(Self.service.get("datasets.xml").text.contains("<datasets type=\"array\"><dataset><id type=\"integer\">"))
    #expect(Self.service.get("databases/WIKI.xml").text.contains("<database-code>WIKI</database-code>"))
    #expect(Self.service.get("datatables/WIKI/PRICES/metadata.xml").text.contains("<filter>adj_close</filter>"))
  }

  @Test func characters_of_markup_are_escaped() {
    #expect(Self.service.get("datasets/WIKI/A&B/metadata.xml").text.contains("<dataset-code>A&amp;B</dataset-code>"))
    #expect(Self.service.get("datatables/WIKI/PRICES.xml").text.contains("<datum>A&amp;B</datum>"))
  }

  @Test func browsers_and_clients_of_json_get_no_xml() {
    let type = { (accept: String) in Self.service.get("datasets/WIKI/FB", accept: accept).headers["content-type"] ?? ""
    }
    #expect(type("application/xml,application/vnd.quandl+xml;version=2015-03-31").hasPrefix("application/xml"))
    for accept in [
      "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json,application/xml",
    ] {
      #expect(type(accept).hasPrefix("application/json"), "\(accept)")
    }
  }

  @Test func long_answers_come_whole() throws {
    let market = try TestService.market(3, rowCount: 5000).unlinked
    let (xml, csv) = (market.get("datatables/WIKI/PRICES.xml").text, market.get("datatables/WIKI/PRICES.csv"))
    let rows = xml.split(separator: "<datum type=\"array\">").dropFirst().map { row in
      row.prefix { $0 != "]" }.split(separator: "<datum").map { cell in
        cell.hasPrefix(" nil") ? "" : cell.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
      }.joined(separator: ",")
    }
    #expect(rows.count == 5000)
    #expect(rows == csv.lines.dropFirst().map(String.init))
  }
}
