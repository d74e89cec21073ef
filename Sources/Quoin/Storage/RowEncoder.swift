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
    let days = columns.dayValues.array(range).map { Int64($0.daysSince1970) }
    _ = append(days, areDays: true, to: &rows)
    // A derived attribute comes after the one that it is derived from.
    var doubles: [AttributeName: BlockSource<Double>] = [:]
    var integers: [AttributeName: BlockSource<Int64>] = [:]
    for name in AttributeName.allCases {
      let source = name.derivationSource
      switch columns[column: name] {
      case .doubles(let values):
        let values = canonical(values.array(range))
        doubles[name] = append(values, source: source.flatMap { doubles[$0] }, to: &rows)
      case .integers(let values):
        let values = values.array(range)
        integers[name] = append(values, source: source.flatMap { integers[$0] }, to: &rows)
      }
    }
    return rows
  }

  private func append<Value: BlockValue>(
    _ values: [Value], areDays: Bool = false, source: BlockSource<Value>? = nil, to rows: inout EncodedRows
  ) -> BlockSource<Value> {
    let image = encoder.encode(values, areDays: areDays, source: source)
    rows.sections.append(EncodedSection(image))
    return BlockSource(values: values, bytes: image.bytes)
  }

  private func canonical(_ values: [Double]) -> [Double] {
    let missingCount = values.reduce(0) { $0 &+ ($1.isNaN ? 1 : 0) }
    return missingCount == 0 ? values : values.map(\.canonical)
  }
}
