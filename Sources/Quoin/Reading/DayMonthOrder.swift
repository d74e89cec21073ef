/// Decides whether `1/2/2018` is in January or February by the whole file: a number above 12 is no month.
struct DayMonthOrder {
  private(set) var monthFirst = true
  private(set) var dayFirst = true
  /// A day that can be read in two ways.
  private(set) var example: String?

  mutating func note(_ text: TextView) {
    guard let (first, second, _) = DayParser.yearLast(text) else { return }
    if first > 12 { monthFirst = false }
    if second > 12 { dayFirst = false }
    if first != second, example == nil { example = ShownText.sanitized(text) }
  }

  /// How the file's days are to be read.
  func reading(file: String) throws(ImportError) -> DateReading {
    switch (monthFirst, dayFirst, example) {
    case (true, true, let example?): throw .ambiguousDates(file: file, example: example)
    case (true, _, _): .monthFirst
    case (false, true, _): .dayFirst
    case (false, false, _): .automatic
    }
  }
}

extension ImportRun {
  /// How the days of a file are to be read, of which the first has the form `1/2/2018`: it is read to its end for that.
  ///
  /// - Parameter first: the first rows of the file; if there are none, the file is read too.
  func dateReading(
    of header: CSVHeader, _ place: Place, first: TextView, headerLineCount: Int
  ) throws(ImportError) -> DateReading {
    guard case .automatic = header.dates, let column = header.plan.roles.firstIndex(of: .date) else {
      return header.dates
    }
    let line = first.part(0..<first.lineEnd(from: 0))
    if !line.isEmpty, DayParser.yearLast(Self.cell(column, of: line, header.delimiter)) == nil { return .automatic }
    // An archive of many files would be unpacked up to this one for each of them.
    guard place.entry == 0, let path = place.pathToReread else { return .automatic }
    var lines = LineReader(
      try InputFile(path: path), readByteCount: tuning.readByteCount, lineByteCountMax: tuning.lineByteCountMax)
    var order = DayMonthOrder()
    var number = 0
    while let chunk = try nextLines(&lines, linesBefore: number) {
      chunk.withText { text in
        var start = 0
        while start < text.count {
          let end = text.lineEnd(from: start)
          if number >= headerLineCount {
            order.note(Self.cell(column, of: text.part(start..<end), header.delimiter))
          }
          number += 1
          start = end + 1
        }
      }
    }
    return try order.reading(file: file)
  }

  private static func cell(_ column: Int, of line: TextView, _ delimiter: UInt8) -> TextView {
    let cells = CSVCells(delimiter: delimiter)
    var (content, end) = cells.cell(of: line, from: 0)
    for _ in 0..<column {
      guard end < line.count else { return line.part(0..<0) }
      (content, end) = cells.cell(of: line, from: end + 1)
    }
    return line.part(content)
  }
}
