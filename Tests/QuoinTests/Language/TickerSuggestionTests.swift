import Testing

@testable import Quoin

@Suite struct TickerSuggestionTests {
  private static let tickers: [TickerSymbol] = [
    "AAPL", "AAPL.US", "BRK-A", "BRK.A", "BRK.B", "BTC-USD", "CL=F", "FDX", "GM.US", "GMX", "KO.UK", "KO.US", "^GSPC",
  ]

  @Test(arguments: [
    // Another character between the parts.
    ("BRK_A", "did you mean BRK-A or BRK.A?"), ("brk_b", "did you mean BRK.B?"), ("BTC.USD", "did you mean BTC-USD?"),
    // A suffix more or less; a longer name is none.
    ("CL", "did you mean CL=F?"), ("KO", "did you mean KO.UK or KO.US?"), ("FDX.US", "did you mean FDX?"),
    ("GM", "did you mean GM.US?"), ("BRK_A.US", "did you mean BRK-A or BRK.A?"),
    // What is near.
    ("GSPC", "did you mean ^GSPC?"), ("FXD", "did you mean FDX?"), ("BRKA", "did you mean BRK-A?"),
    // A company's name.
    ("FedEx", "did you mean FDX?"), ("gemex", "did you mean GMX?"),
  ])
  func whoever_looks_a_ticker_up_in_vain_is_told_which_one_was_meant(_ name: String, _ question: String) {
    #expect(Suggestion.question(forTicker: name, among: Self.tickers) == question)
  }

  @Test(arguments: ["", "XYZ", "🦉", "........", String(repeating: "A", count: 1 << 20)])
  func nothing_is_suggested_for_what_is_like_no_ticker(_ name: String) {
    #expect(Suggestion.question(forTicker: name, among: Self.tickers) == nil)
    #expect(Suggestion.question(forTicker: name, among: []) == nil)
  }

  @Test func a_question_names_a_few_tickers_at_most() {
    let many = (0..<26).map { TickerSymbol(stringLiteral: "A.\(Character(Unicode.Scalar(UInt8(65 + $0))))") }
    #expect(
      Suggestion.question(forTicker: "A", among: many, prefix: "WIKI/")
        == "did you mean WIKI/A.A, WIKI/A.B, WIKI/A.C, WIKI/A.D or WIKI/A.E?")
  }

  @Test func a_code_of_quandls_finds_the_only_ticker_that_is_alike() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let rows = QuoteColumns.sample(1)
    try store.upsert(["BRK.A": rows, "BRK-B": rows, "BRK.B": rows, "BF.B": rows, "BF_B": rows, "FDX": rows])
    for (code, ticker) in [
      ("BRK_A", "BRK.A"), ("brk-a", "BRK.A"), ("BRK.A", "BRK.A"), ("BF_B", "BF_B"), ("BF.B", "BF.B"), ("fdx", "FDX"),
      ("BRK_B", nil), ("BF-B", nil), ("BRKA", nil), ("", nil), ("..", nil), ("FDX ", nil),
    ] as [(String, TickerSymbol?)] {
      #expect(store.ticker(forCode: code) == ticker, "\(code)")
    }
  }
}
