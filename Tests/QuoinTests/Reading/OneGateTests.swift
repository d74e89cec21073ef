import Testing

@testable import Quoin

/// The rules for columns, numbers and days are the same for rows of CSV, of JSON and of NDJSON.
@Suite struct OneGateTests {
  /// Rows in each form that texts have: a table of names and cells.
  struct Table: CustomTestStringConvertible {
    let name: String
    let columns: [String]
    let rows: [[String]]
    var change: @Sendable (inout ImportOptions) -> Void = { _ in }
    /// Rows, or words of the error.
    let outcome: FormCase.Outcome

    var testDescription: String { name }

    /// The same table as three files.
    var forms: [FormCase] {
      let objects = rows.map { row in
        "{" + zip(columns, row).map { "\"\($0)\": \(Self.value($1))" }.joined(separator: ", ") + "}"
      }
      let lines = ([columns] + rows).map { $0.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") }
      let lists = columns.indices.map { column in
        "\"\(columns[column])\": [\(rows.map { Self.value($0[column]) }.joined(separator: ", "))]"
      }
      return [
        ("FDX.csv", lines.joined(separator: "\n")), ("FDX.json", "[\(objects.joined(separator: ",\n"))]"),
        ("FDX.ndjson", objects.joined(separator: "\n")), ("FDX.json", "{\(lists.joined(separator: ", "))}"),
      ].map { FormCase("\(name), \($0)", $1 + "\n", name: $0, change, outcome) }
    }

    /// Numbers as programs write them, unless they have three digits behind the point: these are texts, as people write them.
    private static func value(_ cell: String) -> String {
      if cell.isEmpty { return "null" }
      let isNumber = Double(cell) != nil && cell.drop { $0 != "." }.count != 4
      return isNumber ? cell : "\"\(cell)\""
    }
  }

  private static func times(_ cells: [String]) -> [[String]] { cells.enumerated().map { [$1, "\($0 + 1).5"] } }

  private static let tables: [Table] = [
    Table(
      name: "72 midnights of Tokyo", columns: ["date", "close"],
      rows: times(["2024-01-17T15:00:00Z", "2024-01-18T15:00:00Z", "2024-01-21T15:00:00Z"]),
      outcome: .refused("may be midnight in another time zone")),
    Table(
      name: "72 midnights of Tokyo, told", columns: ["date", "close"], rows: times(["2024-01-21T15:00:00Z"]),
      change: { $0.timeZone = .init(identifier: "Asia/Tokyo") }, outcome: .rows(["FDX 2024-01-22 - - - 1.5 -"])),
    Table(
      name: "115 hours", columns: ["date", "close"],
      rows: times(["2024-01-17T09:30:00", "2024-01-17T10:30:00", "2024-01-18T09:30:00"]),
      outcome: .refused("several times a day")),
    Table(
      name: "115 hours made days", columns: ["date", "close"],
      rows: times(["2024-01-17T09:30:00", "2024-01-17T10:30:00", "2024-01-18T09:30:00"]),
      change: { $0.makesDaysOfBars = true },
      outcome: .rows(["FDX 2024-01-17 - - - 2.5 -", "FDX 2024-01-18 - - - 3.5 -"])),
    Table(
      name: "115 hours since 1970", columns: ["t", "o", "h", "l", "c"],
      rows: [["1705588200", "1", "2", "0.5", "1.5"], ["1705591800", "1", "2", "0.5", "1.5"]],
      outcome: .refused("several times a day")),
    Table(
      name: "116 weeks", columns: ["date", "per", "close"], rows: [["2024-01-19", "W", "1.5"]],
      outcome: .refused("column per says 'W'")),
    Table(
      name: "a row without any value", columns: ["date", "open", "close", "volume"],
      rows: [["2024-01-18", "1", "1.5", "10"], ["2024-01-19", "", "", ""], ["2024-01-22", "", "2.5", ""]],
      outcome: .rows(["FDX 2024-01-18 1 - - 1.5 10", "FDX 2024-01-22 - - - 2.5 -"])),
    Table(
      name: "a day with a row without any value", columns: ["date", "close"],
      rows: [["2024-01-18", "1.5"], ["2024-01-18", ""], ["2024-01-19", ""], ["2024-01-19", "2.5"]],
      outcome: .rows(["FDX 2024-01-18 - - - 1.5 -", "FDX 2024-01-19 - - - 2.5 -"])),
    Table(
      name: "american days", columns: ["date", "close"], rows: times(["01/02/2024", "01/03/2024", "01/19/2024"]),
      outcome: .rows([
        "FDX 2024-01-02 - - - 1.5 -", "FDX 2024-01-03 - - - 2.5 -", "FDX 2024-01-19 - - - 3.5 -",
      ])),
    Table(
      name: "132 days of two readings", columns: ["date", "close"], rows: times(["01/02/2024", "02/02/2024"]),
      outcome: .refused("which can be 2024-01-02 or 2024-02-01")),
    Table(
      name: "15 years of two digits", columns: ["date", "close"], rows: times(["24-01-02", "24-01-03"]),
      outcome: .refused("which can be")),
    Table(
      name: "71 a spreadsheet's days", columns: ["date", "close"], rows: times(["45309", "45310"]),
      outcome: .rows(["FDX 2024-01-18 - - - 1.5 -", "FDX 2024-01-19 - - - 2.5 -"])),
    Table(
      name: "34 german numbers", columns: ["date", "close"],
      rows: [["2024-01-18", "1.234,5"], ["2024-01-19", "1.235"]],
      outcome: .rows(["FDX 2024-01-18 - - - 1234.5 -", "FDX 2024-01-19 - - - 1235 -"])),
    Table(
      name: "47 numbers of two readings", columns: ["date", "close"],
      rows: [["2024-01-18", "1,234"], ["2024-01-19", "1,235"]], outcome: .refused("1234 or 1.234")),
    Table(
      name: "47 numbers of two readings, told", columns: ["date", "close"], rows: [["2024-01-18", "1,234"]],
      change: { $0.decimalMark = "," }, outcome: .rows(["FDX 2024-01-18 - - - 1.234 -"])),
    Table(
      name: "24 codes for nothing", columns: ["date", "close", "volume"], rows: [["2024-01-18", "1.5", "-1"]],
      change: { $0.missingWords = ["-1"] }, outcome: .rows(["FDX 2024-01-18 - - - 1.5 -"])),
    Table(
      name: "168 pairs", columns: ["symbol", "date", "close"], rows: [["BTC/USD", "2024-01-18", "1.5"]],
      change: { $0.tickerSigns = ["/": "-"] }, outcome: .rows(["BTC-USD 2024-01-18 - - - 1.5 -"])),
    Table(
      name: "165 securities", columns: ["isin", "date", "close"],
      rows: [["DE1", "2024-01-18", "1.5"], ["DE2", "2024-01-19", "1.5"]],
      outcome: .refused("rows of several securities in column 'isin' (DE1, DE2)")),
    Table(
      name: "1 a close of an unknown name", columns: ["date", "open", "high", "low", "fixing"],
      rows: [["2024-01-18", "1", "2", "0.5", "1.5"]],
      outcome: .refused("no close, and columns that aren't known: 'fixing' (prices such as 1.5)")),
    Table(
      name: "only texts are left out", columns: ["date", "open", "mood"], rows: [["2024-01-18", "1", "fine"]],
      outcome: .rows(["FDX 2024-01-18 1 - - - -"])),
    Table(
      name: "12 of two volumes the one that isn't 0", columns: ["date", "close", "tickvol", "vol"],
      rows: [["2024-01-18", "1.5", "7", "0"]], outcome: .rows(["FDX 2024-01-18 - - - 1.5 7"])),
    Table(
      name: "119 spellings", columns: ["ticker", "date", "close"],
      rows: [["BRKa", "2024-01-18", "1.5"], ["BRKA", "2024-01-19", "1.5"]],
      outcome: .refused("has the tickers 'BRKa' and 'BRKA'")),
  ]

  @Test(arguments: tables) func each_door_has_the_same_rules(_ table: Table) {
    for form in table.forms { form.check() }
  }

  /// Lists and objects hold no prices, wherever they stand.
  @Test func what_is_nested_is_no_price_that_is_left_out() {
    for name in ["FDX.json", "FDX.ndjson"] {
      FormCase(
        "a nested object", "{\"date\": \"2024-01-18\", \"open\": 1, \"meta\": {\"x\": 1}, \"list\": [2]}\n", name: name,
        rows: ["FDX 2024-01-18 1 - - - -"]
      ).check()
    }
  }

  @Test func names_that_come_late_are_known_too() {
    let late = String(repeating: "{\"date\": \"2024-01-18\", \"open\": 1}\n", count: 20_000)
    FormCase(
      "a close in the last line", late + "{\"date\": \"2024-01-19\", \"open\": 1, \"fixing\": 1.5}\n",
      name: "FDX.ndjson",
      refused: "columns that aren't known: 'fixing'"
    ).check()
  }
}
