/// The blocks of some rows, one for each section.
struct EncodedRows: Sendable {
  var sections: [EncodedSection] = []

  /// Appends the next section's block, and returns its bytes.
  @discardableResult
  mutating func append<Value: BlockValue>(_ image: BlockImage<Value>) -> [UInt8] {
    sections.append(EncodedSection(image))
    return image.bytes
  }
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
    rows.append(encoder.encode(ColumnBuffer(days), rows: days.indices, areDays: true))
    // By raw value. A derived attribute comes after the one that it is derived from.
    var doubles = [BlockSource<Double>?](repeating: nil, count: AttributeName.allCases.count)
    var integers = [BlockSource<Int64>?](repeating: nil, count: AttributeName.allCases.count)
    for name in AttributeName.allCases {
      let (index, source) = (Int(name.rawValue), name.derivationSource.map { Int($0.rawValue) })
      switch columns[column: name] {
      case .doubles(let values):
        let (values, part) = canonical(values, range)
        let bytes = rows.append(encoder.encode(values, rows: part, source: source.flatMap { doubles[$0] }))
        if name.isDerivationSource { doubles[index] = BlockSource(values: values, rows: part, bytes: bytes) }
      case .integers(let values):
        let bytes = rows.append(encoder.encode(values, rows: range, source: source.flatMap { integers[$0] }))
        if name.isDerivationSource { integers[index] = BlockSource(values: values, rows: range, bytes: bytes) }
      }
    }
    return rows
  }

  /// Some rows of a column, in place if none of them is missing; otherwise a copy with the missing values in canonical form.
  private func canonical(_ values: ColumnBuffer<Double>, _ rows: Range<Int>) -> (ColumnBuffer<Double>, Range<Int>) {
    let missingCount = values.withSpan { values in rows.reduce(0) { $0 &+ (values[$1].isNaN ? 1 : 0) } }
    return missingCount == 0 ? (values, rows) : (ColumnBuffer(values.array(rows).map(\.canonical)), 0..<rows.count)
  }
}
