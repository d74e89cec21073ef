/// The first bytes of a column file: what its columns are, and where everything else is.
struct ColumnFileHeader: Equatable, Sendable {
  static let magic = Array("QUOINCOL".utf8)
  private static let fixedByteCount = 88
  /// From that of a file without columns to more than any version is likely to need.
  static let possibleByteCounts = (fixedByteCount + 8)...(1 << 20)

  let version: UInt32
  var fileID: UInt64
  var blockCount: Int
  var runCount: Int
  var blockTable: Extent
  var recordTable: Extent
  /// The columns in the order of the file. This version writes them in the order of `ColumnSection.all`.
  var columns: [StoredColumn]
  var statistics: [StoredStatistics] = []
  /// The places of the known columns, by section; nil for a column that the file lacks.
  private(set) var places: [Int?]

  /// The header of a file that has all columns, in the order of `ColumnSection.all`, and all ratios.
  init(
    fileID: UInt64, blockCount: Int, runCount: Int, blockTable: Extent, recordTable: Extent, columns: [StoredColumn],
    statistics: [StoredStatistics]
  ) {
    precondition(columns.count == ColumnSection.count && statistics.count == BlockRatio.all.count)
    version = StoreFormat.columnFileVersion
    self.fileID = fileID
    (self.blockCount, self.runCount) = (blockCount, runCount)
    (self.blockTable, self.recordTable) = (blockTable, recordTable)
    (self.columns, self.statistics) = (columns, statistics)
    places = Array(columns.indices)
  }

  /// The bytes of a header that this version writes.
  static let byteCount = byteCount(columnCount: ColumnSection.count, statisticsCount: BlockRatio.all.count)

  private static func byteCount(columnCount: Int, statisticsCount: Int) -> Int {
    fixedByteCount + columnCount * StoredColumn.byteCount + statisticsCount * StoredStatistics.byteCount + 8
  }

  /// The header's bytes, its checksum last.
  var bytes: [UInt8] {
    var bytes = checkedBytes
    bytes.append(littleEndian: checksum)
    return bytes
  }

  var byteCount: Int { Self.byteCount(columnCount: columns.count, statisticsCount: statistics.count) }
  var checksum: UInt64 { Checksum(of: checkedBytes).value }

  private var checkedBytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: version)
    let counts = [byteCount, blockCount, runCount, columns.count, statistics.count]
    bytes.append(littleEndian: UInt32(counts[0]))
    bytes.append(littleEndian: fileID)
    for count in counts[1...] { bytes.append(littleEndian: UInt32(count)) }
    blockTable.append(to: &bytes)
    recordTable.append(to: &bytes)
    for column in columns { column.append(to: &bytes) }
    for statistic in statistics { statistic.append(to: &bytes) }
    return bytes
  }

  /// The column of a section; nil when the file lacks it.
  func column(_ section: ColumnSection) -> StoredColumn? { places[section.index].map { columns[$0] } }

  /// Whether the column of volumes is float64, because some have a fraction.
  var hasFractions: Bool { column(.volume)?.kind == ColumnSection.volume.fractionKind }

  /// Where the extremes of a ratio are; nil in a file that has none.
  func statistics(of ratio: BlockRatio) -> StoredStatistics? { statistics.first { $0.name == ratio.name } }

  /// The columns that this version doesn't know.
  var unknownColumns: [StoredColumn] {
    let known = Set(places.compactMap(\.self))
    return columns.indices.filter { !known.contains($0) }.map { columns[$0] }
  }
}

extension ColumnFileHeader {
  /// Reads and checks the header of a file of these bytes.
  init(_ file: ByteView, path: String) throws(StoreError) {
    try StoreFormat.check(
      file, checkedByteCount: Self.byteCount(of: file), magic: Self.magic, upTo: StoreFormat.columnFileVersion,
      path: path
    )
    self = try StoreFormat.reading(path) { () throws(Damage) in try Self(checked: file) }
  }

  /// How many bytes the header of a file has, as it says.
  private static func byteCount(of file: ByteView) -> Int {
    file.count < 16 ? file.count : Int(file.integer(at: 12, as: UInt32.self))
  }

  private init(checked file: ByteView) throws(Damage) {
    let byteCount = Self.byteCount(of: file)
    guard Self.possibleByteCounts.contains(byteCount), byteCount <= file.count else {
      throw Damage(offset: 12, "a header of \(byteCount) bytes")
    }
    var whole = ByteReader(file)
    let bytes = try whole.view(byteCount)
    guard Checksum(of: bytes.prefix(byteCount - 8)).value == bytes.integer(at: byteCount - 8) else {
      throw Damage(offset: 0, "the header's checksum differs")
    }
    version = file.integer(at: Self.magic.count)
    var reader = ByteReader(bytes, at: 16)
    fileID = try reader.read()
    blockCount = Int(try reader.read(UInt32.self))
    runCount = Int(try reader.read(UInt32.self))
    let (columnCount, statisticsCount) = (Int(try reader.read(UInt32.self)), Int(try reader.read(UInt32.self)))
    guard byteCount == Self.byteCount(columnCount: columnCount, statisticsCount: statisticsCount) else {
      throw Damage(offset: 32, "\(columnCount) columns and \(statisticsCount) statistics don't fit the header")
    }
    blockTable = try Extent(&reader, in: file.count)
    recordTable = try Extent(&reader, in: file.count)
    columns = []
    for _ in 0..<columnCount { columns.append(try StoredColumn(&reader, in: file.count)) }
    for _ in 0..<statisticsCount { statistics.append(try StoredStatistics(&reader, in: file.count)) }
    places = try Self.places(of: columns, version: version)
    try checkSizes()
  }

  /// The places of the known columns.
  private static func places(of columns: [StoredColumn], version: UInt32) throws(Damage) -> [Int?] {
    var places = [Int?](repeating: nil, count: ColumnSection.count)
    for (place, column) in columns.enumerated() {
      let offset = fixedByteCount + place * StoredColumn.byteCount
      guard let section = ColumnSection.all.first(where: { $0.description == column.name }) else { continue }
      guard places[section.index] == nil else { throw Damage(offset: offset, "a second column \(column.name)") }
      let kinds = [section.kind] + (version >= StoreFormat.fractionVersion ? [section.fractionKind] : [])
      guard kinds.contains(column.kind) else { throw Damage(offset: offset, "\(column.name) of kind \(column.kind)") }
      let source = column.source.map { columns.indices.contains($0) ? columns[$0].name : "" }
      guard source == nil || source == section.derivationSource?.description else {
        throw Damage(offset: offset, "\(column.name) is not derived from column \(column.source ?? 0)")
      }
      places[section.index] = place
    }
    guard places[ColumnSection.date.index] != nil else {
      throw Damage(offset: fixedByteCount, "there is no column of days")
    }
    return places
  }

  private func checkSizes() throws(Damage) {
    guard blockCount <= Limits.blocksPerFile, runCount <= blockCount,
      ColumnSection.all.allSatisfy({ section in
        column(section).map {
          $0.directory.byteCount == SectionDirectory.byteCount(blockCount: blockCount, hasSums: section.hasSums)
        } ?? true
      }),
      BlockRatio.all.allSatisfy({ ratio in
        statistics(of: ratio).map { $0.extent.byteCount == ratio.byteCount * blockCount } ?? true
      }),
      blockTable.byteCount == (blockCount * 2 + 7) / 8 * 8 + runCount * FileRun.byteCount
    else { throw Damage(offset: 24, "the parts don't have the sizes that \(blockCount) blocks need") }
    guard columns.allSatisfy({ $0.directory.offset % 8 == 0 && $0.blocks.offset % 8 == 0 }) else {
      throw Damage(offset: Self.fixedByteCount, "a part doesn't begin at a multiple of 8 bytes")
    }
  }
}
