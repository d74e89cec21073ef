import Testing

@testable import Quoin

/// Numbers as people write them. The numbers are those of a log of other people's files.
@Suite struct NumberFormTests {
  private static let read: [FormCase] = [
    FormCase(
      "29 dollars", "Date,Close/Last,Volume,Open,High,Low\n11/17/2023,$52.31,4092211,$52.77,$52.90,$51.985\n",
      rows: ["FDX 2023-11-17 52.77 52.9 51.985 52.31 4092211"]),
    FormCase(
      "31 thousands and M",
      "\"Date\",\"Price\",\"Vol.\"\n\"01/19/2024\",\"1,342.88\",\"12.35M\"\n\"01/18/2024\",\"1,341.93\",\"1.02B\"\n\"01/17/2024\",\"38.68\",\"410.5K\"\n\"01/16/2024\",\"38.10\",\"-\"\n",
      rows: [
        "FDX 2024-01-16 - - - 38.1 -", "FDX 2024-01-17 - - - 38.68 410500", "FDX 2024-01-18 - - - 1341.93 1020000000",
        "FDX 2024-01-19 - - - 1342.88 12350000",
      ]),
    FormCase(
      "33 Indian groups", "\"Date\",\"close\",\"VOLUME\"\n\"19-Jan-2024\",\"1,413.30\",\"24,96,214\"\n",
      rows: ["FDX 2024-01-19 - - - 1413.3 2496214"]),
    FormCase(
      "34 German", "Datum;Hoch;Tief;Schlusskurs;Stuecke\n2024-01-19;1.250,00;1.200,10;1.244,00;12.345\n",
      rows: ["FDX 2024-01-19 - 1250 1200.1 1244 12345"]),
    FormCase(
      "Swiss", "Datum;Hoch;Tief;Schluss\n2024-01-19;1'250.00;1'200.10;1'244\n",
      rows: ["FDX 2024-01-19 - 1250 1200.1 1244 -"]),
    FormCase(
      "French", "Date;Haut;Bas;Clôture\n2024-01-19;1\u{202F}250,00;1\u{A0}200,10;1 244,5\n",
      rows: ["FDX 2024-01-19 - 1250 1200.1 1244.5 -"]),
    FormCase(
      "37 a currency behind", "date,close\n2024-01-19,42.05 USD\n2024-01-22,€43.1\n2024-01-23,CHF 44\n",
      rows: ["FDX 2024-01-19 - - - 42.05 -", "FDX 2024-01-22 - - - 43.1 -", "FDX 2024-01-23 - - - 44 -"]),
    FormCase(
      "38 a decimal comma between tabs", "date\thigh\tclose\n2024-01-19\t1,5\t1,25\n",
      rows: ["FDX 2024-01-19 - 1.5 - 1.25 -"]),
    FormCase(
      "38 in quotation marks", "date,high,close\n2024-01-19,\"1,5\",\"1,25\"\n", rows: ["FDX 2024-01-19 - 1.5 - 1.25 -"]
    ),
    FormCase(
      "39 eighths", "Date,Open,Close,Volume\n1990-01-19,23 5/8,24,100\n1990-01-22,23 1/2,-23 1/16,100\n",
      rows: ["FDX 1990-01-19 23.625 - - 24 100", "FDX 1990-01-22 23.5 - - -23.0625 100"]),
    FormCase(
      "40 missing",
      "date,open,high,low,close,volume\n2024-01-19,.,#N/A,--,n.a.,1\n2024-01-22,<NA>,NaT,\\N,nil,2\n2024-01-23,?,null,None,1,3\n",
      rows: ["FDX 2024-01-19 - - - - 1", "FDX 2024-01-22 - - - - 2", "FDX 2024-01-23 - - - 1 3"]),
    FormCase(
      "24 missing by code", "date,close,volume\n2024-01-19,1.4,-1\n2024-01-22,1.5,-99\n",
      { $0.missingWords = ["-1", "-99"] }, rows: ["FDX 2024-01-19 - - - 1.4 -", "FDX 2024-01-22 - - - 1.5 -"]),
    FormCase(
      "41 ratios",
      "date,close,Stock Splits\n2024-01-18,10,\n2024-01-19,1,10:1\n2024-01-22,1,3-for-2\n2024-01-23,1,1/8\n2024-01-24,1,0\n",
      rows: [
        "FDX 2024-01-18 - - - 10 -", "FDX 2024-01-19 - - - 1 - s=10", "FDX 2024-01-22 - - - 1 - s=1.5",
        "FDX 2024-01-23 - - - 1 - s=0.125", "FDX 2024-01-24 - - - 1 - s=1",
      ]),
    FormCase(
      "48 a German volume", "Date;Open;Close;Volume\n2024-01-18;998,5;995,5;12.000\n2024-01-19;999,5;996,5;125.000\n",
      rows: ["FDX 2024-01-18 998.5 - - 995.5 12000", "FDX 2024-01-19 999.5 - - 996.5 125000"]),
    FormCase(
      "an English volume", "Date;Open;Close;Volume\n2024-01-18;998.5;995.5;12,000\n",
      rows: ["FDX 2024-01-18 998.5 - - 995.5 12000"]),
    FormCase(
      "who doesn't group", "Date;Close;Volume\n2024-01-18;1,125;1204433\n", rows: ["FDX 2024-01-18 - - - 1.125 1204433"]
    ),
    FormCase(
      "47 decided", "Date;Open;Close;Volume\n2024-01-18;1,234;1,244;1,000\n", { $0.decimalMark = "." },
      rows: ["FDX 2024-01-18 1234 - - 1244 1000"]),
    FormCase(
      "47 decided the other way", "Date;Open;Close\n2024-01-18;1,234;1,244\n", { $0.decimalMark = "," },
      rows: ["FDX 2024-01-18 1.234 - - 1.244 -"]),
    FormCase(
      "thousands decided", "Date;Open;Close\n2024-01-18;1.234;1.244\n", { $0.groupingMark = "." },
      rows: ["FDX 2024-01-18 1234 - - 1244 -"]),
    FormCase(
      "crores", "date,close,volume\n2024-01-19,1.5,1.2 cr\n2024-01-22,1.5,3 lakh\n",
      rows: ["FDX 2024-01-19 - - - 1.5 12000000", "FDX 2024-01-22 - - - 1.5 300000"]),
    FormCase(
      "Excel's text", "date,close\n=\"2024-01-19\",=\"1.5\"\n\"=\"\"2024-01-22\"\"\",2\n",
      rows: ["FDX 2024-01-19 - - - 1.5 -", "FDX 2024-01-22 - - - 2 -"]),
    FormCase(
      "44 exponents", "date,close,volume\n2024-01-19,+1,1.23457E+11\n", rows: ["FDX 2024-01-19 - - - 1 123457000000"]),
    FormCase(
      "17 fractions of shares",
      "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n"
        + "AAA.US,D,20240118,000000,41.07,42.66,40.52,41.93,1204433,0\n"
        + "AAA.US,D,20240119,000000,42.05,43.21,41.75,42.88,1350211.25,0\n",
      rows: [
        "AAA 2024-01-18 41.07 42.66 40.52 41.93 1204433", "AAA 2024-01-19 42.05 43.21 41.75 42.88 1350211.25",
      ]),
    FormCase(
      "20 whole ones with a point", "date,close,volume\n2024-01-19,1.5,1350211.0\n",
      rows: ["FDX 2024-01-19 - - - 1.5 1350211"]),
    FormCase(
      "21 fractions of coins", "Date,Close,Volume\n2024-01-01,9397.55,7174.29903\n2024-01-02,9400,98811715.138055\n",
      rows: ["FDX 2024-01-01 - - - 9397.55 7174.29903", "FDX 2024-01-02 - - - 9400 98811715.138055"]),
    FormCase(
      "23 lots of 100", "ts_code,trade_date,close,vol\n000001.SZ,20240118,9.36,1161932.98\n000001.SZ,20240119,9.4,12\n",
      rows: ["000001.SZ 2024-01-18 - - - 9.36 1161932.98", "000001.SZ 2024-01-19 - - - 9.4 12"]),
    FormCase(
      "fractions as Germans write them", "Datum;Schluss;Volumen\n18.01.2024;9,36;1.161.932,98\n19.01.2024;9,4;0,5\n",
      rows: ["FDX 2024-01-18 - - - 9.36 1161932.98", "FDX 2024-01-19 - - - 9.4 0.5"]),
    FormCase(
      "the smallest and the largest",
      "date,close,volume\n2024-01-18,1.5,5e-324\n2024-01-19,1.5,1e308\n2024-01-22,1.5,0.1\n",
      rows: ["FDX 2024-01-18 - - - 1.5 5e-324", "FDX 2024-01-19 - - - 1.5 1e+308", "FDX 2024-01-22 - - - 1.5 0.1"]),
    FormCase(
      "no number below 1", "date,close,volume\n2024-01-18,1.5,-0.0\n2024-01-19,1.5,0.5\n2024-01-22,1.5,nan\n",
      rows: ["FDX 2024-01-18 - - - 1.5 0", "FDX 2024-01-19 - - - 1.5 0.5", "FDX 2024-01-22 - - - 1.5 -"]),
    FormCase(
      "the largest whole ones",
      "date,close,volume\n2024-01-18,1.5,9223372036854775807\n2024-01-19,1.5,9007199254740993\n",
      rows: ["FDX 2024-01-18 - - - 1.5 9223372036854775807", "FDX 2024-01-19 - - - 1.5 9007199254740993"]),
    FormCase(
      "fractions in lines of JSON",
      #"{"ticker":"BTC","date":"2024-01-01","close":1,"volume":0.25}"# + "\n"
        + #"{"ticker":"BTC","date":"2024-01-02","close":1,"volume":"7.5"}"# + "\n",
      name: "BTC.ndjson", rows: ["BTC 2024-01-01 - - - 1 0.25", "BTC 2024-01-02 - - - 1 7.5"]),
    FormCase(
      "21 Binance", #"[[1704067200000, "9311.58", "9422.10", "9208.77", "9397.55", "7174.299", 1704153599999]]"#,
      name: "BTC.json", rows: ["BTC 2024-01-01 9311.58 9422.1 9208.77 9397.55 7174.299"]),
    FormCase(
      "19 rounded", "date,close,volume\n2024-01-19,1.5,1350211.25\n2024-01-22,1.5,2.5\n", { $0.roundsVolumes = true },
      rows: ["FDX 2024-01-19 - - - 1.5 1350211", "FDX 2024-01-22 - - - 1.5 2"]),
    FormCase(
      "three decimals between commas", "date,close\n2024-01-19,148.123\n2024-01-22,148.500\n",
      rows: ["FDX 2024-01-19 - - - 148.123 -", "FDX 2024-01-22 - - - 148.5 -"]),
  ]

  @Test(arguments: read) func a_columns_numbers_decide_how_they_are_read(_ form: FormCase) { form.check() }

  private static let refused: [FormCase] = [
    FormCase(
      "47 two readings", "Date;Open;Close;Volume\n2024-01-18;1,234;1,244;1,000\n2024-01-19;998;995;9,000\n",
      refused: "column Open, has numbers such as 1,234, which can be 1234 or 1.234"),
    FormCase("two readings with points", "Date;Close\n2024-01-18;1.234\n", refused: "which can be 1.234 or 1234"),
    FormCase(
      "32 two readings in quotation marks", "Date,Open,Close\n2024-01-18,998,995\n2024-01-19,\"1,001\",\"1,003\"\n",
      refused: "numbers such as 1,001, which can be 1001 or 1.001"),
    FormCase("39 32nds", "Date,Open,Close\n2024-01-19,112'165,112'180\n", refused: "112'165"),
    FormCase("17 negative fractions", "date,close,volume\n2024-01-19,1.5,-0.5\n", refused: "a volume below zero"),
    FormCase("another kind further down", "Date;Close\n2024-01-18;1,5\n2024-01-19;1.5\n", refused: "not a number"),
    FormCase("words", "date,close\n2024-01-18,1.5\n2024-01-19,halted\n", refused: "'halted': not a number"),
    FormCase("percent", "date,close\n2024-01-18,5%\n", refused: "'5%': not a number"),
    FormCase("43 too large", "date,close\n2024-01-18,1e309\n", refused: "too large"),
    FormCase("wrong groups", "date,close\n2024-01-18,1.5\n2024-01-19,\"1,23.4\"\n", refused: "'1,23.4': not a number"),
    FormCase("two signs", "date;close\n2024-01-18;1.234.56\n", refused: "not a number"),
  ]

  @Test(arguments: refused) func what_has_two_readings_or_none_is_refused(_ form: FormCase) { form.check() }

  /// What follows the first megabyte is held to what it said.
  @Test func a_later_number_of_another_form_is_named_by_its_line() {
    var text = "Date;Close\n"
    for number in 0..<60_000 { text += "\(TradingDay(daysSince1970: -40_000 + number)!);\(number),5\n" }
    text += "2030-01-01;1.5\n"
    FormCase("far down", text, refused: "line 60002, column Close, '1.5'").check()
  }

  @Test(
    arguments: [
      ("1,234.5", "1234.5", nil), ("1.234,5", nil, "1234.5"), ("1,234", "1234", "1.234"), ("1.234.567", nil, "1234567"),
      ("12,34,567", "1234567", nil), ("1234,5", nil, "1234.5"), ("0.123", "0.123", nil), ("0,123", nil, "0.123"),
      (".5", "0.5", nil),
      ("1 234", "1234", "1234"), ("1'234.5", "1234.5", nil), ("-1,5", nil, "-1.5"), ("(1.5)", nil, nil),
      ("1,,5", nil, nil),
      ("12.5k", "12500", nil), ("1e5", "100000", "100000"), ("", nil, nil), ("-", nil, nil), ("1.2.3", nil, nil),
      ("١٢", nil, nil),
    ] as [(String, String?, String?)])
  func a_number_has_a_reading_for_each_mark(_ text: String, _ point: String?, _ comma: String?) {
    let parts = NumberParts(text.utf8)
    let found = [NumberStyle.Mark.point, .comma].map { mark in
      parts?.plain(mark, grouping: nil).map { String(decoding: $0.plain, as: UTF8.self) }
    }
    #expect(found == [point, comma], "\(text)")
  }
}
