import Synchronization

/// The blocks of some rows, one for each section.
struct EncodedRows: Sendable {
  let rowCount: Int
  var sections: [EncodedSection] = []
}

/// The block of one section and what the directory says of it.
struct EncodedSection: Sendable {
  let bytes: [UInt8]
  let entry: BlockEntry

  init<Value: BlockValue>(_ image: BlockImage<Value>) {
    bytes = image.bytes
    entry = BlockEntry(image)
  }
}

/// Encodes rows, on any thread. Each thread takes an encoder that is idle, for an encoder has working memory.
final class RowEncoder: Sendable {
  private let choice: EncodingChoice
  private let idle = Mutex<[IdleEncoder]>([])

  // Sound to send: whoever has taken it out of the list is the only one to use it.
  private struct IdleEncoder: @unchecked Sendable {
    let encoder: BlockEncoder
  }

  init(_ choice: EncodingChoice) { self.choice = choice }

  /// Encodes the rows `range`, at most a block's, of a ticker's columns. A pure function.
  func encode(_ columns: QuoteColumns, rows range: Range<Int>) -> EncodedRows {
    let taken = idle.withLock { $0.popLast() } ?? IdleEncoder(encoder: BlockEncoder(choice: choice))
    defer { idle.withLock { $0.append(taken) } }
    return Self.encode(columns, rows: range, taken.encoder)
  }

  private static func encode(_ columns: QuoteColumns, rows range: Range<Int>, _ encoder: BlockEncoder) -> EncodedRows {
    var rows = EncodedRows(rowCount: range.count)
    rows.sections.reserveCapacity(ColumnSection.count)
    let days = columns.dayValues.array(range).map { Int64($0.daysSince1970) }
    _ = append(days, areDays: true, encoder, to: &rows)
    // A derived attribute comes after the one that it is derived from.
    var doubles: [AttributeName: BlockSource<Double>] = [:]
    var integers: [AttributeName: BlockSource<Int64>] = [:]
    for name in AttributeName.allCases {
      let source = name.derivationSource
      switch columns[column: name] {
      case .doubles(let values):
        let values = canonical(values.array(range))
        doubles[name] = append(values, source: source.flatMap { doubles[$0] }, encoder, to: &rows)
      case .integers(let values):
        let values = values.array(range)
        integers[name] = append(values, source: source.flatMap { integers[$0] }, encoder, to: &rows)
      }
    }
    return rows
  }

  private static func append<Value: BlockValue>(
    _ values: [Value], areDays: Bool = false, source: BlockSource<Value>? = nil, _ encoder: BlockEncoder,
    to rows: inout EncodedRows
  ) -> BlockSource<Value> {
    let image = unsafe values.withUnsafeBufferPointer {
      unsafe encoder.encode($0, areDays: areDays, source: source)
    }
    rows.sections.append(EncodedSection(image))
    return BlockSource(values: values[...], bytes: image.bytes)
  }

  private static func canonical(_ values: [Double]) -> [Double] {
    let missingCount = values.reduce(0) { $0 &+ ($1.isNaN ? 1 : 0) }
    return missingCount == 0 ? values : values.map(\.canonical)
  }
}
