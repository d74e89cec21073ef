/// A batch in the making: memory for its rows, which several threads write, each of them other rows.
///
/// Sound to share: one thread writes a row, and all threads are done before `batch()` hands out the columns.
struct BatchOutput: @unchecked Sendable {
  let attributes: [Attribute]
  let days: ColumnMemory<TradingDay>
  private let symbols: [TickerSymbol]
  /// The place of each row's ticker among the symbols.
  private let tickers: ColumnMemory<Int32>
  /// By raw value; nil for an attribute that is not wanted.
  private let columns: [ColumnOutput?]
  /// The columns that are computed, and their names.
  let computed: [ColumnMemory<Double>]
  private let computedNames: [String]

  /// - Parameters:
  ///   - symbols: the tickers that rows may have.
  ///   - computed: the names of computed columns.
  ///   - hasFractions: whether volumes are float64s.
  init(
    rowCount: Int, attributes: AttributeSet, symbols: [TickerSymbol], computed: [String] = [], hasFractions: Bool
  ) {
    computedNames = computed
    self.computed = computed.map { _ in ColumnMemory(capacity: rowCount, count: rowCount) }
    self.symbols = symbols
    self.attributes = attributes.names
    tickers = ColumnMemory(capacity: rowCount, count: rowCount)
    days = ColumnMemory(capacity: rowCount, count: rowCount)
    columns = Attribute.allCases.map { attributes.contains($0) ? ColumnOutput(of: $0, rowCount, hasFractions) : nil }
  }

  /// Bytes that a row takes: its ticker's place, its day, and a value of each column.
  static func rowByteCount(_ attributes: AttributeSet, computedCount: Int) -> Int {
    MemoryLayout<Int32>.size + MemoryLayout<TradingDay>.size
      + MemoryLayout<Double>.size * (attributes.names.count + computedCount)
  }

  /// The column of an attribute; nil when it is not wanted.
  subscript(name: Attribute) -> ColumnOutput? { columns[Int(name.rawValue)] }

  /// The values of an attribute that is wanted, as float64s.
  func doubles(_ name: Attribute) -> ColumnMemory<Double> {
    switch self[name] {
    case .doubles(let memory): memory
    case .integers(let memory): ColumnMemory(mapping: memory) { $0.isMissing ? .missing : Double($0) }
    case nil: preconditionFailure("\(name) is not wanted")
    }
  }

  /// Sets the ticker of some rows to the symbol at `place`.
  func setTicker(at place: Int32, _ rows: Range<Int>) { tickers.update(rows, repeating: place) }

  /// Reverses the order of some rows' days and values.
  func reverse(_ rows: Range<Int>) {
    days.reverse(rows)
    for memory in computed { memory.reverse(rows) }
    for name in attributes {
      switch self[name] {
      case .doubles(let memory): memory.reverse(rows)
      case .integers(let memory): memory.reverse(rows)
      case nil: break
      }
    }
  }

  /// The batch, once every row is written.
  consuming func batch() -> QuoteBatch {
    var batch = QuoteBatch(attributes: AttributeSet(attributes))
    batch.tickers = TickerColumn(symbols: symbols, places: ColumnBuffer(tickers))
    batch.columns.dayValues = ColumnBuffer(days)
    batch.computed = zip(computedNames, computed).map { ComputedColumn(name: $0, values: ColumnBuffer($1)) }
    for name in attributes {
      switch self[name] {
      case .doubles(let memory): batch.columns[column: name] = .doubles(ColumnBuffer(memory))
      case .integers(let memory): batch.columns[column: name] = .integers(ColumnBuffer(memory))
      case nil: break
      }
    }
    return batch
  }
}

/// The memory of one attribute's column in the making.
enum ColumnOutput {
  case doubles(ColumnMemory<Double>)
  case integers(ColumnMemory<Int64>)

  init(of name: Attribute, _ rowCount: Int, _ hasFractions: Bool) {
    self =
      name.isInteger && !hasFractions
      ? .integers(ColumnMemory(capacity: rowCount, count: rowCount))
      : .doubles(ColumnMemory(capacity: rowCount, count: rowCount))
  }

  var count: Int {
    switch self {
    case .doubles(let memory): memory.count
    case .integers(let memory): memory.count
    }
  }
}
