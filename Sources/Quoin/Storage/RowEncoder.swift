/// Blocks of one section, one after another.
struct EncodedBlocks: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var entries: [BlockEntry] = []

  /// Inlined, for a call copies the image.
  @inline(__always)
  mutating func append<Value: BlockValue>(_ image: BlockImage<Value>) { append(image.bytes, BlockEntry(image)) }

  /// Appends the block of one value.
  mutating func append<Value: BlockValue>(blockOf value: Value) {
    let words = ConstantCodec.block(of: value).words
    let first = bytes.count
    bytes.append(littleEndian: words.0)
    bytes.append(littleEndian: words.1)
    bytes.append(littleEndian: words.2)
    let checksum = bytes.withView { Checksum(of: $0.slice(first..<first + BlockHeader.byteCount)) }
    entries.append(BlockEntry(BlockStatistics(value), byteCount: BlockHeader.byteCount, checksum))
  }

  mutating func append(_ block: [UInt8], _ entry: BlockEntry) {
    // The block of many rows is alone, and need not be copied.
    if bytes.isEmpty { bytes = block } else { bytes += block }
    entries.append(entry)
  }
}

/// Blocks of all sections, and the extremes of their ratios, as they are stored.
struct EncodedRows: Sendable {
  /// By `ColumnSection.index`.
  var sections = ColumnSection.all.map { _ in EncodedBlocks() }
  /// In the order of `BlockRatio.all`.
  var ratios: [[UInt8]] = BlockRatio.all.map { _ in [] }
}

/// Encodes rows. It has working memory, so each thread needs one of its own.
struct RowEncoder {
  private let encoder: BlockEncoder

  init(_ choice: EncodingChoice) { encoder = BlockEncoder(choice: choice) }

  /// Encodes the rows `range`, at most a block's, of a ticker's columns, and appends a block to each section.
  func encode(_ columns: QuoteColumns, rows range: Range<Int>, to encoded: inout EncodedRows) {
    if range.count == 1, encoder.encodesConstants { return encode(columns, row: range.lowerBound, to: &encoded) }
    let days = columns.dayValues.withSpan { days in range.map { Int64(days[$0].daysSince1970) } }
    let image = encoder.encode(ColumnBuffer(days), rows: days.indices, areDays: true)
    encoded.sections[ColumnSection.date.index].append(image)
    // By raw value. A derived attribute comes after the one that it is derived from.
    var sources = [BlockSource?](repeating: nil, count: Attribute.allCases.count)
    var ratioColumns = [RatioColumn?](repeating: nil, count: Attribute.allCases.count)
    for name in Attribute.allCases {
      let (index, source) = (Int(name.rawValue), name.derivationSource.flatMap { sources[Int($0.rawValue)] })
      let section = ColumnSection.attribute(name).index
      switch columns[column: name] {
      case .doubles(let values):
        let (values, part) = canonical(values, range)
        let image = encoder.encode(values, rows: part, source: source)
        encoded.sections[section].append(image)
        ratioColumns[index] = RatioColumn(values, part, image.statistics)
        if name.isDerivationSource {
          sources[index] = BlockSource(values: .doubles(values), rows: part, bytes: image.bytes)
        }
      case .integers(let values):
        let image = encoder.encode(values, rows: range, source: source)
        encoded.sections[section].append(image)
        if name.isDerivationSource {
          sources[index] = BlockSource(values: .integers(values), rows: range, bytes: image.bytes)
        }
      }
    }
    for (index, ratio) in BlockRatio.all.enumerated() {
      ratio.extremes { ratioColumns[Int($0.rawValue)] }.append(to: &encoded.ratios[index], of: ratio)
    }
  }

  /// Encodes a row, as above. A day's commit is a row of each ticker: 13 blocks of a value, for which plans find nothing but the header.
  private func encode(_ columns: QuoteColumns, row: Int, to encoded: inout EncodedRows) {
    encoded.sections[ColumnSection.date.index].append(blockOf: Int64(columns.dayValues[row].daysSince1970))
    for name in Attribute.allCases {
      let section = ColumnSection.attribute(name).index
      switch columns[column: name] {
      case .doubles(let values): encoded.sections[section].append(blockOf: values[row].canonical)
      case .integers(let values): encoded.sections[section].append(blockOf: values[row])
      }
    }
    for (index, ratio) in BlockRatio.all.enumerated() {
      ratio.extremes(inRow: row, of: columns).append(to: &encoded.ratios[index], of: ratio)
    }
  }

  /// Some rows of a column, in place if none of them is missing; otherwise a copy with the missing values in canonical form.
  private func canonical(_ values: ColumnBuffer<Double>, _ rows: Range<Int>) -> (ColumnBuffer<Double>, Range<Int>) {
    // Sound: there are such rows. This takes 10 instructions for each value, and a loop over a span 16, which were 6 % of an import.
    let missingCount = unsafe values.withUnsafeBufferPointer { values in
      let values = unsafe UnsafeBufferPointer(rebasing: values[rows])
      var count = 0
      for row in values.indices where unsafe values[row].isNaN { count &+= 1 }
      return count
    }
    return missingCount == 0 ? (values, rows) : (ColumnBuffer(values.array(rows).map(\.canonical)), 0..<rows.count)
  }
}
