import Synchronization

/// Announces to the disk which blocks a stage of a scan will read, some way ahead of it, a window of candidates at a time and
/// in the order of the files. So a scan of the market reads its sections at the pace of the disk, and a question about one
/// ticker waits for the disk once in each stage.
///
/// Only blocks that weren't read before are announced. It never fails: a damage is left to the stage itself.
final class ReadAhead: Sendable {
  /// A section that the stage reads, with the one that its blocks may be computed from.
  struct Part: Sendable {
    let section: ColumnSection
    /// The condition that is tested, whose verdict says which blocks are read; nil if that doesn't depend on a condition.
    var condition: Int?
    /// Whether blocks are read too whose rows all match, by the statistics.
    var readsWholeBlocks = false

    var sections: [ColumnSection] { [section] + (section.derivationSource.map { [$0] } ?? []) }
  }

  /// Candidates that are announced together; the first ones are fewer, in case only the first rows are wanted.
  private static let (firstWindowSize, windowSize) = (64, 256)
  /// How far ahead of the stage at most. Before that, it is as far as the stage has come.
  private static let aheadMax = 2048

  private let plan: ScanPlan
  private let candidates: [Candidate]
  /// The stage's number of the first candidate.
  private let first: Int
  private let parts: [Part]
  private let announcedCount = Atomic(0)
  private let isAnnouncing = Mutex(())

  /// - Parameter first: the number of the first candidate.
  init(_ plan: ScanPlan, _ candidates: [Candidate], from first: Int = 0, _ parts: [Part]) {
    self.plan = plan
    self.candidates = parts.isEmpty ? [] : candidates
    self.first = first
    self.parts = parts
  }

  /// Tells that the stage has come to candidate `index`. Any thread may call it.
  ///
  /// A thread waits while another announces what it will read itself: without being announced, that would be read page by
  /// page.
  func reach(_ index: Int) {
    let index = index - first
    let end = min(candidates.count, index + min(max(index, Self.firstWindowSize), Self.aheadMax))
    while announcedCount.load(ordering: .acquiring) < end {
      isAnnouncing.withLock { _ in
        let start = announcedCount.load(ordering: .relaxed)
        guard start < end else { return }
        let next = min(start + (start == 0 ? Self.firstWindowSize : Self.windowSize), candidates.count)
        announce(start..<next)
        announcedCount.store(next, ordering: .releasing)
      }
    }
  }

  private func announce(_ window: Range<Int>) {
    let blocks = unreadBlocks(of: candidates[window])
    guard !blocks.isEmpty else { return }
    // Directories of later files, too: they say where the blocks are, and will be there when these are announced.
    let later = stride(from: window.upperBound, to: min(window.upperBound + Self.aheadMax, candidates.count), by: 64)
    announceDirectories(ofFilesAt: window.map { candidates[$0].fileIndex } + later.map { candidates[$0].fileIndex })
    for part in blocks.sorted().chunked({ $0.file == $1.file && $0.section == $1.section }) { announce(part) }
  }

  /// The blocks of some candidates that the stage will read, and that weren't read before.
  private func unreadBlocks(of candidates: ArraySlice<Candidate>) -> [BlockPlace] {
    var blocks: [BlockPlace] = []
    var rest = candidates
    while let first = rest.first {
      let group = rest.prefix { $0.fileIndex == first.fileIndex }
      rest = rest.dropFirst(group.count)
      let (index, file) = (Int(first.fileIndex), plan.file(Int(first.fileIndex)))
      let judged = plan.verdicts[index]
      for part in parts {
        let verdicts = part.condition.flatMap { judged?.conditions[$0] }
        let firstBlock = judged?.firstBlock ?? 0
        // If a block was read, so was the one that it is computed from.
        for candidate in group where part.readsWholeBlocks || candidate.verdict != .all {
          let block = Int(candidate.block)
          if file.isChecked(block, part.section) { continue }
          if let verdicts, verdicts[block - firstBlock] != .some { continue }
          for section in part.sections where !file.isChecked(block, section) {
            blocks.append(BlockPlace(file: index, section: section.index, block: block))
          }
        }
      }
    }
    return blocks
  }

  private func announceDirectories(ofFilesAt indices: [Int32]) {
    let sections = Set(parts.flatMap(\.sections)).sorted { $0.index < $1.index }
    for (place, index) in indices.enumerated() where place == 0 || index != indices[place - 1] {
      plan.file(Int(index)).announceDirectories(of: sections)
    }
  }

  /// Announces blocks of one section of a file.
  private func announce(_ blocks: ArraySlice<BlockPlace>) {
    guard let first = blocks.first else { return }
    let (file, section) = (plan.file(first.file), ColumnSection.all[first.section])
    guard let directory = try? file.directory(section) else { return }
    file.announce(section, blocks: blocks.lazy.map(\.block), directory)
  }
}

// A question about one ticker takes some 20 microseconds when it is repeated. So it asks these before it makes up a list of
// what to announce.
extension ScanPlan {
  /// Candidates of which it is quick to tell whether they were read.
  private static let fewCandidates = 64

  /// Whether all that testing the conditions reads was read before. False if there are many candidates.
  func hasReadConditions(of candidates: ArraySlice<Candidate>) -> Bool {
    guard candidates.count <= Self.fewCandidates else { return false }
    var rest = candidates
    while let first = rest.first {
      let group = rest.prefix { $0.fileIndex == first.fileIndex }
      rest = rest.dropFirst(group.count)
      guard let judged = verdicts[Int(first.fileIndex)] else { continue }
      for (condition, verdicts) in zip(conditions, judged.conditions) {
        let sections = condition.condition.sections
        for candidate in group where candidate.verdict != .all {
          let block = Int(candidate.block)
          guard verdicts[block - judged.firstBlock] == .some else { continue }
          if !sections.allSatisfy({ judged.file.isChecked(block, $0) }) { return false }
        }
      }
    }
    return true
  }

  /// Whether these blocks of the days and of some attributes were read before. False if there are many blocks.
  func hasRead(_ blocks: ArraySlice<SelectedBlock>, _ attributes: AttributeSet) -> Bool {
    guard blocks.count <= Self.fewCandidates else { return false }
    var rest = blocks
    while let first = rest.first {
      let group = rest.prefix { $0.candidate.fileIndex == first.candidate.fileIndex }
      rest = rest.dropFirst(group.count)
      let file = file(Int(first.candidate.fileIndex))
      func isRead(_ section: ColumnSection) -> Bool {
        group.allSatisfy { file.isChecked(Int($0.candidate.block), section) }
      }
      guard isRead(.date), attributes.allSatisfy({ isRead(.attribute($0)) }) else { return false }
    }
    return true
  }
}

extension ScanPlan {
  /// Announces some sections of blocks, and the sections that these may be computed from, unless they were read before.
  func announce(_ blocks: ArraySlice<Candidate>, _ sections: [ColumnSection]) {
    let sections = sections + sections.compactMap(\.derivationSource)
    for group in Array(blocks).chunked({ $0.fileIndex == $1.fileIndex }) {
      let file = file(Int(group[group.startIndex].fileIndex))
      file.announceDirectories(of: Set(sections).sorted { $0.index < $1.index })
      for section in sections {
        let unread = group.map { Int($0.block) }.filter { !file.isChecked($0, section) }
        guard !unread.isEmpty, let directory = try? file.directory(section) else { continue }
        file.announce(section, blocks: unread, directory)
      }
    }
  }
}

extension Snapshot {
  /// Announces the directories that judging blocks by the statistics reads, and those of further sections.
  func announceDirectories(
    ofFilesWith blocks: [Range<Int>?], of conditions: [PreparedCondition], _ sections: [ColumnSection]
  ) {
    for (file, blocks) in zip(files, blocks) where blocks != nil {
      guard let file = try? file.get() else { continue }
      if sections.isEmpty, conditions.allSatisfy({ $0.condition.sections.allSatisfy(file.isDirectoryChecked) }) {
        continue
      }
      file.announceDirectories(of: conditions.parts.flatMap(\.sections) + sections)
    }
  }
}

/// A block of one section of a file.
private struct BlockPlace: Comparable {
  let file: Int
  let section: Int
  let block: Int

  /// In the order of the files, and of each file's bytes.
  static func < (a: Self, b: Self) -> Bool { (a.file, a.section, a.block) < (b.file, b.section, b.block) }
}

extension QuoteQuery {
  /// What materializing reads: the days and the attributes.
  var outputParts: [ReadAhead.Part] {
    ([.date] + attributes.map(ColumnSection.attribute)).map { ReadAhead.Part(section: $0, readsWholeBlocks: true) }
  }
}

extension [PreparedCondition] {
  /// What testing the conditions reads.
  var parts: [ReadAhead.Part] {
    indices.flatMap { index in
      self[index].condition.sections.map { ReadAhead.Part(section: $0, condition: index) }
    }
  }
}
