/// A sign as books and word processors print it, which people paste, and as it is typed.
struct PrintedSign {
  let printed: String
  let typed: String

  static let all = [
    ("\u{2265}", ">="), ("\u{2264}", "<="), ("\u{2260}", "!="), ("\u{2212}", "-"), ("\u{2013}", "-"), ("\u{d7}", "*"),
    ("\u{f7}", "/"),
  ].map { PrintedSign(printed: $0.0, typed: $0.1) }

  /// Spaces that don't break lines, that are narrow or wide, and the mark at the beginning of a text.
  static let spaces = ["\u{a0}", "\u{2009}", "\u{202f}", "\u{3000}", "\u{feff}"]
}

/// A quotation mark, and those that end what it begins.
struct Quote {
  let opening: String
  let closing: [String]

  static let all =
    [Quote(opening: "'", closing: ["'"]), Quote(opening: "\"", closing: ["\""])]
    + [["\u{2018}", "\u{2019}"], ["\u{201c}", "\u{201d}"]].flatMap { marks in
      marks.map { Quote(opening: $0, closing: marks) }
    }
}
