extension ColumnFile {
  /// Reads every byte of the file that has a meaning and calls `note` with each damage: wrong checksums, wrong structure of
  /// a block, and statistics that differ from those of the values.
  func verify(_ scratch: BlockScratch, _ note: (StoreError) -> Void) {
    do { try forEachImport { _ in } } catch { note(error) }
    for section in ColumnSection.all where has(section) {
      do {
        let directory = try directory(section)
        for index in 0..<blockCount {
          do { try verify(index, section, directory, scratch) } catch { note(error) }
        }
      } catch { note(error) }
    }
    for column in header.unknownColumns { verify(column, note) }
    for statistics in header.statistics {
      do {
        if let ratio = BlockRatio.all.first(where: { $0.name == statistics.name }) {
          try verify(ratio, statistics.extent, scratch)
        } else {
          try withPart(statistics.extent, statistics.noun) { _ throws(Damage) in }
        }
      } catch { note(error) }
    }
  }

  /// Compares the extremes of a ratio with those of the values. Of blocks that come from older files nothing is known.
  private func verify(_ ratio: BlockRatio, _ extent: Extent, _ scratch: BlockScratch) throws(StoreError) {
    for (index, extremes) in try extremes(of: ratio).enumerated() where extremes != .unknown {
      var columns: [Attribute: RatioColumn] = [:]
      for name in [ratio.over, ratio.under] where columns[name] == nil {
        var column = Column(of: name)
        // What keeps a block from being read has been noted.
        do { try append(name, ofBlock: index, to: &column, scratch) } catch { continue }
        columns[name] = RatioColumn(column.doubles)
      }
      guard columns[ratio.over] != nil, columns[ratio.under] != nil else { continue }
      guard ratio.extremes({ columns[$0] }) == extremes else {
        throw .damaged(
          path: path, offset: extent.offset + index * ratio.byteCount,
          reason: "the extremes of \(ratio.name) in block \(index) are not those of its values")
      }
    }
  }

  /// Checks the checksums of a column that this version doesn't know, as far as its directory can be read.
  private func verify(_ column: StoredColumn, _ note: (StoreError) -> Void) {
    do {
      let blocks = try withPart(column.directory, "the directory of \(column.name)") { bytes throws(Damage) in
        try extents(of: column, in: bytes)
      }
      for (index, block) in blocks.enumerated() {
        do { try withPart(block, "block \(index) (\(column.name))") { _ throws(Damage) in } } catch { note(error) }
      }
    } catch { note(error) }
  }

  /// Where the blocks of a column that this version doesn't know are; none if its directory has another form.
  private func extents(of column: StoredColumn, in bytes: ByteView) throws(Damage) -> [Extent] {
    let hasSums = column.kind != ColumnSection.date.kind
    guard bytes.count == SectionDirectory.byteCount(blockCount: blockCount, hasSums: hasSums) else { return [] }
    let directory = SectionDirectory(bytes, blockCount: blockCount, hasSums: hasSums)
    try directory.check(sectionByteCount: column.blocks.byteCount)
    return (0..<blockCount).map { index in
      Extent(
        offset: column.blocks.offset + directory.blockOffset(index),
        byteCount: directory.blockOffset(index + 1) - directory.blockOffset(index),
        checksum: directory.checksum(index).value)
    }
  }

  private func verify(
    _ index: Int, _ section: ColumnSection, _ directory: SectionDirectory, _ scratch: BlockScratch
  ) throws(StoreError) {
    switch section {
    case .date: try verify(Int64.self, index, section, directory, scratch)
    case .attribute(let name):
      if holdsDoubles(name) {
        try verify(Double.self, index, section, directory, scratch)
      } else {
        try verify(Int64.self, index, section, directory, scratch)
      }
    }
  }

  private func verify<Value: BlockValue>(
    _ type: Value.Type, _ index: Int, _ section: ColumnSection, _ directory: SectionDirectory, _ scratch: BlockScratch
  ) throws(StoreError) {
    try read(index, section) { block throws(Damage) in
      let (statistics, isRising) = try block.measured(type, scratch)
      guard statistics.minimum.bits == directory.minimum(index),
        statistics.maximum.bits == directory.maximum(index),
        statistics.missingCount == directory.missingCount(index),
        !directory.hasSums || statistics.sum == directory.sum(index)
      else { throw Damage(offset: 0, "the statistics of \(name(ofBlock: index, section)) are not those of its values") }
      if section == .date, !isRising {
        throw Damage(offset: 0, "the days of block \(index) don't rise")
      }
    }
  }

  /// Stored bytes of some blocks, in all sections.
  func byteCount(ofBlocks blocks: Range<Int>) throws(StoreError) -> Int {
    var count = 0
    announceDirectories(of: ColumnSection.all)
    for section in ColumnSection.all where has(section) {
      let directory = try directory(section)
      count += directory.blockOffset(blocks.upperBound) - directory.blockOffset(blocks.lowerBound)
    }
    return count
  }
}
