/// What was measured of an attribute.
struct MeasuredAttribute<Value: AggregableValue> {
  let name: AttributeName
  var total: MeasureColumn<Value>
  /// That of the file whose blocks come now.
  private var directory: SectionDirectory?

  init(_ name: AttributeName, _ measures: Measures) {
    self.name = name
    total = MeasureColumn(measures)
  }

  /// Looks up the directory of a file whose blocks come next.
  mutating func enter(_ file: ColumnFile) throws(StoreError) { directory = try file.directory(section) }

  private var section: ColumnSection { .attribute(name) }

  /// Takes what the statistics say of the attribute's block `index`; false when they don't say it.
  @inline(__always)
  mutating func add(_ index: Int, _ rowCount: Int, _ isContinued: Bool) -> Bool {
    guard let directory else { return false }
    return total.append(directory, index, rowCount: rowCount, isContinued: isContinued)
  }

  /// Measures the attribute's block `index` and goes on with the last group, or not.
  mutating func add(
    _ index: Int, of file: ColumnFile, _ stretches: Stretches, _ selection: BlockSelection, _ isContinued: Bool,
    _ part: inout MeasurePart<Value>, _ scratch: BlockScratch
  ) throws(StoreError) {
    let directory = if let directory { directory } else { try file.directory(section) }
    let block = try file.block(index, section, directory)
    try StoreFormat.reading(file.path, at: file.offset(index, section, directory)) { () throws(Damage) in
      try part.measure(total.measures, block, stretches, selection, scratch)
    }
    total.append(part, isContinued: isContinued)
  }
}
