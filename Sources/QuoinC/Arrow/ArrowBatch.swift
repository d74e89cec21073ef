import CQuoin
import Quoin

/// Rows that become one record batch.
struct ArrowBatch {
  let columns: [ArrowColumn]
  /// The rows of the columns, from a multiple of 64 on.
  let rows: Range<Int>

  /// Writes the batch as an array of records.
  ///
  /// Sound: the caller has room for it.
  func export(to array: UnsafeMutablePointer<ArrowArray>) {
    let node = unsafe ArrowArray.node(partCount: columns.count, buffers: [nil])
    for (index, column) in columns.enumerated() { unsafe (node.parts + index).pointee = column.array(rows) }
    unsafe array.initialize(
      to: ArrowArray(length: rows.count, nullCount: 0, bufferCount: 1, childCount: columns.count, node))
  }
}

/// The values of a column.
enum ArrowColumn {
  case numbers(Column)
  case days(ColumnBuffer<TradingDay>)
  /// Days that may be missing.
  case optionalDays([TradingDay?])
  /// Texts, all of which are in the batch.
  case strings(ArrowTexts)
  /// Tickers as places in a dictionary of their symbols.
  case tickers(TickerColumn, TickerTexts)
  /// Tickers as texts.
  case texts(TickerColumn, TickerTexts)

  /// - Parameter texts: those of the column's symbols.
  static func tickers(_ tickers: TickerColumn, asText isText: Bool, _ texts: TickerTexts) -> ArrowColumn {
    isText ? .texts(tickers, texts) : .tickers(tickers, texts)
  }

  /// Some rows as an array, whose memory is that of the column.
  ///
  /// Sound: the array's node keeps what its buffers belong to, and the rows are the column's.
  fileprivate func array(_ rows: Range<Int>) -> ArrowArray {
    switch self {
    case .numbers(let column):
      let validity = column.validity(rows)
      switch column {
      case .doubles(let values): return unsafe Self.array(rows, values.lent, stride: 8, validity)
      case .integers(let values): return unsafe Self.array(rows, values.lent, stride: 8, validity)
      }
    case .days(let days): return unsafe Self.array(rows, days.lent, stride: 4, nil)
    case .optionalDays(let days):
      let known = Column.integers(ColumnBuffer(days.map { $0.map { Int64($0.daysSince1970) } ?? .missing }))
      let values = ColumnBuffer(days.map { $0 ?? .earliest })
      return unsafe Self.array(rows, values.lent, stride: 4, known.validity(rows))
    case .strings(let texts): return unsafe Self.array(texts.texts, texts.validity)
    case .tickers(let tickers, let texts):
      let dictionary = unsafe Self.array(texts)
      return unsafe Self.array(rows, tickers.places.lent, stride: 4, nil, dictionary)
    case .texts(let tickers, let texts): return unsafe Self.array(TickerTexts(tickers, rows, texts))
    }
  }

  private typealias Lent = (address: UnsafeRawPointer, owner: any AnyObject & Sendable)

  /// Values of a fixed size.
  private static func array(
    _ rows: Range<Int>, _ values: Lent, stride: Int, _ validity: (bits: ColumnBuffer<UInt8>, missingCount: Int)?,
    _ dictionary: ArrowArray? = nil
  ) -> ArrowArray {
    let bits = unsafe validity?.bits.lent
    let node = unsafe ArrowArray.node(
      partCount: dictionary == nil ? 0 : 1, buffers: [bits?.address, values.address + rows.lowerBound * stride],
      keeping: [bits?.owner, values.owner].compactMap(\.self))
    if let dictionary = unsafe dictionary { unsafe node.parts.pointee = dictionary }
    return unsafe ArrowArray(
      length: rows.count, nullCount: validity?.missingCount ?? 0, bufferCount: 2, hasDictionary: dictionary != nil, node
    )
  }

  private static func array(
    _ texts: TickerTexts, _ validity: (bits: ColumnBuffer<UInt8>, missingCount: Int)? = nil
  ) -> ArrowArray {
    let (bits, offsets, bytes) = unsafe (validity?.bits.lent, texts.offsets.lent, texts.bytes.lent)
    let node = unsafe ArrowArray.node(
      buffers: [bits?.address, offsets.address, bytes.address],
      keeping: [bits?.owner, offsets.owner, bytes.owner].compactMap(\.self))
    return unsafe ArrowArray(
      length: texts.offsets.count - 1, nullCount: validity?.missingCount ?? 0, bufferCount: 3, node)
  }
}

/// Texts that may be missing.
struct ArrowTexts {
  fileprivate let texts: TickerTexts
  fileprivate let validity: (bits: ColumnBuffer<UInt8>, missingCount: Int)?

  init(_ texts: [String?]) {
    self.texts = TickerTexts(texts.map { $0?.utf8 ?? "".utf8 })
    let known = Column.integers(ColumnBuffer(texts.map { $0 == nil ? .missing : 0 }))
    validity = known.validity(0..<texts.count)
  }
}
