// What a question will read of a file is announced to the disk all at once, before the first byte of it is waited for.
// Otherwise each first touch of a page would wait for the disk alone, and the kernel would read megabytes around it.
// Directories and blocks that were read before, through the same mapping, are not announced again: a repeated question makes
// no system call.

extension ColumnFile {
  /// Announces what opening a file reads: the header and the block table, or most of it if the file has more than `runCount`
  /// runs, or columns that this version doesn't know.
  static func announceFront(of file: MappedFile, blockCount: Int, runCount: Int) {
    let count = ColumnFileHeader.byteCount + (blockCount * 2 + 7) / 8 * 8 + runCount * FileRun.byteCount
    file.announce(0..<min(count, file.view.count))
  }

  /// Announces the directories of these sections: in the fewest ranges if they come in the order of the file.
  func announceDirectories(of sections: some Sequence<ColumnSection>) {
    var announcement = Announcement()
    for section in sections where !isDirectoryChecked(section) {
      if let column = header.column(section) { announcement.add(column.directory.range, of: file) }
    }
    announcement.end(of: file)
  }

  /// Announces blocks of a section, whose numbers rise. `directory` is that section's.
  func announce(_ section: ColumnSection, blocks: some Sequence<Int>, _ directory: SectionDirectory) {
    guard let start = header.column(section)?.blocks.offset else { return }
    var announcement = Announcement()
    for block in blocks {
      announcement.add(
        (start + directory.blockOffset(block))..<(start + directory.blockOffset(block + 1)), of: file)
    }
    announcement.end(of: file)
  }
}

/// Ranges of one file on their way to the disk, in rising order. Those that lie close together go as one.
struct Announcement {
  /// To read so many bytes for nothing takes a disk no longer than another request.
  private static let gapMax = 65_536
  private var pending = 0..<0

  mutating func add(_ range: Range<Int>, of file: MappedFile) {
    if range.lowerBound < pending.lowerBound || range.lowerBound > pending.upperBound + Self.gapMax || pending.isEmpty {
      end(of: file)
      pending = range
    } else {
      pending = pending.lowerBound..<max(pending.upperBound, range.upperBound)
    }
  }

  /// Announces the last range.
  mutating func end(of file: MappedFile) {
    if !pending.isEmpty { file.announce(pending) }
    pending = 0..<0
  }
}
