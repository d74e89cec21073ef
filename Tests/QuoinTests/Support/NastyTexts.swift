/// The texts and counts at which programs break: one table for the tests of the library and of the command line.
enum NastyTexts {
  /// As arguments of a program can be: without NUL, and valid UTF-8. As a path, none is that of a file, which a program that the system's
  /// administrator runs would write over.
  static let words = [
    "", " ", "-", "--", "\n", "\t\r\n", "'", "\"", "\\", "`", "%n%s%d", "$(exit 1)", "../../nowhere/passwd", "A/B", "/",
    ".",
    "..", "CON", "brk.a", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456", "ÄÖ", "e\u{301}", "\u{202E}XDF", "\u{FEFF}FDX", "🦉🦉",
    "\u{10FFFF}",
    "nan", "inf", "-inf", "1e400", "-1e400", "0x1p-1074", "1e-400", "00", "-0", "+1", "1_0", "1,2", "９",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551616", "2005-13-01", "0000-01-01", "9999-12-31", "10000-01-01", "2005-02-29", "-2005-01-01",
    "high", "high >", "high > > 1", "high > 80 and", "(", ")", "((((", "not", "not not", "high in (2, 1)",
    "high between 1 and 0", "high > nan", "volume = 1e30", "date > 9999-12-31", "mean(", "count,count", "sum(date)",
  ]

  /// Six tickers, as six sources spell them.
  static let sixTickers = ["BRK_A", "BRK-A", "BRK.A", "^GSPC", "CL=F", "EURUSD=X"]

  /// Tickers that look like something else: options, hidden files, markup, formulas, encodings, queries.
  static let tickers = [
    "-", "--", "-A", "--ALL", "...", ".A", "_A", "A.", "A.CSV", "`", "`LS`", "$(LS)", "%41", "%", "?", "#", "A?B=C&D",
    "&AMP;",
    "<B>", "|", "A|B", "*A*", "[A](B)", "~", "=1+1", "+A", "@A", "!", "{}", "[]", ":", ";", "1E5", "NAN", "NULL",
    "2005-10-14",
    "TICKER", "HIGH>80", "CON", "BRK_A.US", "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345", "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~",
  ]

  /// No tickers.
  static let noTickers = [
    "", " ", ".", "..", "A B", " A", "A ", "A,B", "A/B", "/", "../A", "A\\B", "\"A\"", "'", "A'B", "\t", "A\n",
    "A\r\nB", "\u{1b}[1m",
    "A\u{0}", "\u{7f}", "\u{80}", "Ä", "Ａ", "A\u{301}", "\u{FEFF}FDX", "\u{202E}XDF", "🦉",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456",
    "\u{0}", "−A",
  ]

  /// As a program's own strings can be, too.
  static let strings =
    words + ["\0", "FDX\0", "\0/etc", String(decoding: [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80], as: UTF8.self)]

  /// As much inside each other as a predicate's text has room for.
  static let deep = ["(", "not ", "not (", "high>1 or low>1 and "].map { text in
    String(repeating: text, count: 65_000 / text.utf8.count) + "high>1"
  }

  /// Ten megabytes each.
  static let long = ["A", "(", "high>1 and ", "🦉", "../", "9"].map { text in
    String(repeating: text, count: (10 << 20) / text.utf8.count)
  }

  static let counts = [
    Int.min, .min + 1, -(1 << 32), -1024, -1, 0, 1, 2, 3, 7, 1023, 1024, 1025, 8192, 1 << 31 - 1, 1 << 31, 1 << 32,
    .max - 1, .max,
  ]

  /// Paths at which there is something else than a file or a store: none of them is to be written.
  static let paths = [
    "", "/", "/dev/null", "/dev/null/store", "/etc/passwd", "/etc/passwd/store", "/proc/self/mem", "/nowhere/at/all",
    "//", "/./..", "/tmp/\u{10FFFF}\u{202E}", "/tmp/quoin\0store", "~", "/proc/self/fd/999",
  ]
}
