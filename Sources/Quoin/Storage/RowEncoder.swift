/// The blocks of some rows, one for each section.
struct EncodedRows: Sendable {
  var sections: [EncodedSection] = []
}

/// The block of one section, and its entry in the directory.
struct EncodedSection: Sendable {
  let bytes: [UInt8]
  let entry: BlockEntry

  init<Value: BlockValue>(_ image: BlockImage<Value>) {
    bytes = image.bytes
    entry = BlockEntry(image)
  }
}

/// Encodes rows. It has working memory, so each thread needs one of its own.
struct RowEncoder {
  private let encoder: BlockEncoder

  init(_ choice: EncodingChoice) { encoder = BlockEncoder(choice: choice) }

  /// Encodes the rows `range`, at most a block's, of a ticker's columns. A pure function.
  func encode(_ columns: QuoteColumns, rows range: Range<Int>) -> EncodedRows {
    var rows = EncodedRows()
    rows.sections.reserveCapacity(ColumnSection.count)
    let days = columns.dayValues.withSpan { days in range.map { Int64(days[$0].daysSince1970) } }
    _ = append(ColumnBuffer(days), days.indices, areDays: true, to: &rows)
    // A derived attribute comes after the one that it is derived from.
    var doubles: [AttributeName: BlockSource<Double>] = [:]
    var integers: [AttributeName: BlockSource<Int64>] = [:]
    for name in AttributeName.allCases {
      let source = name.derivationSource
      switch columns[column: name] {
      case .doubles(let values):
        let (values, part) = canonical(values, range)
        doubles[name] = append(values, part, source: source.flatMap { doubles[$0] }, to: &rows)
      case .integers(let values):
        integers[name] = append(values, range, source: source.flatMap { integers[$0] }, to: &rows)
      }
    }
    return rows
  }

  private func append<Value: BlockValue>(
    _ values: ColumnBuffer<Value>, _ part: Range<Int>, areDays: Bool = false, source: BlockSource<Value>? = nil,
    to rows: inout EncodedRows
  ) -> BlockSource<Value> {
    let image = encoder.encode(values, rows: part, areDays: areDays, source: source)
    rows.sections.append(EncodedSection(image))
    return BlockSource(values: values, rows: part, bytes: image.bytes)
  }

  /// Some rows of a column, in place if none of them is missing; otherwise a copy with the missing values in canonical form.
  private func canonical(_ values: ColumnBuffer<Double>, _ rows: Range<Int>) -> (ColumnBuffer<Double>, Range<Int>) {
    let missingCount = values.withSpan { values in rows.reduce(0) { $0 &+ (values[$1].isNaN ? 1 : 0) } }
    return missingCount == 0 ? (values, rows) : (ColumnBuffer(values.array(rows).map(\.canonical)), 0..<rows.count)
  }
}
