/// What was measured of an attribute.
struct MeasuredAttribute<Value: AggregableValue> {
  let name: AttributeName
  var total: MeasureColumn<Value>
  /// Those of the file whose blocks come now.
  private var directory: SectionDirectory?
  private var reader: SectionReader?

  init(_ name: AttributeName, _ measures: Measures) {
    self.name = name
    total = MeasureColumn(measures)
  }

  /// Makes a reader of the file whose blocks come next.
  mutating func enter(_ file: ColumnFile) throws(StoreError) {
    directory = try file.directory(.attribute(name))
    reader = try SectionReader(file, .attribute(name))
  }

  /// Takes what the statistics say of the attribute's block `index`; false when they don't say it.
  @inline(__always)
  mutating func add(_ index: Int, _ rowCount: Int, _ isContinued: Bool) -> Bool {
    guard let directory else { return false }
    return total.append(directory, index, rowCount: rowCount, isContinued: isContinued)
  }

  /// Measures the attribute's block `index` and goes on with the last group, or not.
  mutating func add(
    _ index: Int, _ stretches: Stretches, _ selection: BlockSelection, _ isContinued: Bool,
    _ part: inout MeasurePart<Value>, _ scratch: BlockScratch
  ) throws(StoreError) {
    guard let reader else { preconditionFailure("block \(index) of no file") }
    let block = try reader.block(index)
    do throws(Damage) {
      try part.measure(total.measures, block, stretches, selection, scratch)
    } catch { throw reader.error(error, inBlock: index) }
    total.append(part, isContinued: isContinued)
  }
}
