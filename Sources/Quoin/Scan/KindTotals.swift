/// The totals of all wanted attributes of one kind, float64 or int64. The loops over attributes are here, once for both
/// kinds.
struct KindTotals<Value: AggregableValue>: Sendable {
  private(set) var attributes: [GroupTotals<Value>] = []

  mutating func append(_ name: Attribute, _ measures: Measures) {
    attributes.append(GroupTotals(name, measures))
  }

  mutating func reserveCapacity(_ count: Int) {
    for index in attributes.indices { attributes[index].reserveCapacity(count) }
  }

  /// Appends the groups of later blocks. When `isContinued`, the first of them is merged into the last group here.
  mutating func append(_ next: KindTotals, isContinued: Bool) {
    for index in attributes.indices { attributes[index].append(next.attributes[index], isContinued: isContinued) }
  }

  /// Appends a group without values.
  mutating func appendNothing() {
    for index in attributes.indices { attributes[index].appendNothing() }
  }

  /// Appends the totals of a block's segments. If the whole block is one segment, they come from the statistics where possible.
  mutating func append(
    _ block: Int, _ segments: Segments, _ rows: BlockRows, isContinued: Bool, from sources: inout KindSources<Value>
  ) throws(StoreError) {
    let isByStatistics = rows.isWhole && segments.count == 1
    for index in attributes.indices {
      if isByStatistics, let directory = sources.directory(index),
        attributes[index].append(directory, block, rowCount: rows.rowCount, isContinued: isContinued)
      {
        continue
      }
      try sources.measure(attributes[index].measures, of: index, block, rows)
      attributes[index].append(sources.totals, isContinued: isContinued)
    }
  }

  /// The column of an aggregation; nil if its attribute is of the other kind.
  func column(_ aggregation: Aggregation) -> GroupColumn? {
    attributes.first { $0.name == aggregation.attribute }?.column(aggregation.function)
  }
}

/// The sections of one file that have the wanted attributes of one kind, and memory to measure their blocks in. Each thread
/// has its own.
struct KindSources<Value: AggregableValue> {
  private var sections: [SectionReader] = []
  /// What was measured last.
  let totals: SegmentTotals<Value>

  init(_ segments: Segments, _ scratch: BlockScratch) { totals = SegmentTotals(segments, scratch) }

  /// Switches to the sections of the file whose blocks come next.
  mutating func enter(_ file: ColumnFile, _ attributes: [GroupTotals<Value>]) throws(StoreError) {
    sections.removeAll(keepingCapacity: true)
    for attribute in attributes { sections.append(try SectionReader(file, .attribute(attribute.name))) }
  }

  /// The statistics of attribute `index`; nil if they are of int64s, and the values are float64s.
  func directory(_ index: Int) -> SectionDirectory? { isOfIntegers(index) ? nil : sections[index].directory }

  private func isOfIntegers(_ index: Int) -> Bool { Value.self == Double.self && sections[index].holdsIntegers }

  /// Measures a block of attribute `index`.
  func measure(
    _ measures: Measures, of index: Int, _ block: Int, _ rows: BlockRows
  ) throws(StoreError) {
    let encoded = try sections[index].block(block)
    do throws(Damage) {
      try totals.measure(measures, encoded, rows, isOfIntegers: isOfIntegers(index))
    } catch { throw sections[index].error(error, inBlock: block) }
  }
}
