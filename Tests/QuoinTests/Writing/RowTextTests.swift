import Testing

@testable import Quoin

@Suite struct RowTextTests {
  private static let columns: [CellColumn] = [
    .days(["2005-10-14", "2005-10-17"]), .doubles([86.9, .nan]), .integers([1_373_400, .min]),
    .tickers(["FDX", "BRK_A"]),
    .absent, .doubles([.infinity, -.infinity]), .integers([1 << 53, 1 << 53 + 1]),
  ]
  private static let isText = [true, false, false, true, false, false, false]

  private func text(_ form: RowText.Form, _ body: (RowText) -> Void) -> String {
    let text = RowText(form, isText: Self.isText)
    body(text)
    text.finish()
    var bytes: [UInt8] = []
    while let chunk = text.takeChunk() { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func json_has_null_for_what_is_no_number_and_floats_for_volumes() {
    #expect(
      text(.json) { $0.append(Self.columns, rows: 0..<2) }
        == #"["2005-10-14",86.9,1373400.0,"FDX",null,null,9007199254740992.0],"#
        + #"["2005-10-17",null,null,"BRK_A",null,null,9007199254740993]"#)
  }

  @Test func csv_has_nothing_for_a_missing_cell() {
    #expect(
      text(.csv) { $0.append(Self.columns, rows: 0..<2, isReversed: true) } == """
        2005-10-17,,,BRK_A,,-inf,9007199254740993
        2005-10-14,86.9,1373400.0,FDX,,inf,9007199254740992.0

        """)
  }

  @Test func commas_stand_between_rows_of_several_calls() {
    let text = text(.json) { text in
      text.append("<")
      text.append(Self.columns, rows: 1..<1)
      for row in [0, 1] { text.append(Self.columns, rows: row..<(row + 1)) }
      text.append(">")
    }
    #expect(text.hasPrefix(#"<["2005-10-14""#) && text.contains(#"],["2005-10-17""#) && text.hasSuffix("]>"))
  }

  @Test func chunks_are_full_but_for_the_last() {
    let text = RowText(.csv, isText: [false])
    text.append([.integers(ColumnBuffer(repeating: 1_234_567, count: 100_000))], rows: 0..<100_000)
    text.finish()
    var sizes: [Int] = []
    while let chunk = text.takeChunk() { sizes.append(chunk.count) }
    #expect(sizes.reduce(0, +) == 1_000_000 && sizes.count == 16)
    #expect(sizes.dropLast().allSatisfy { (60_000...65_536).contains($0) })
  }
}
