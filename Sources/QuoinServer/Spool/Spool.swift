import NIOCore
import NIOPosix
import Quoin
import Synchronization

/// Long answers in files without names: whole before their first byte is sent, so that their length is known and a client can
/// ask for a part. Their room is bounded. Those that were made lately are kept, so that a client can go on where it was cut off.
///
/// A slow client holds room, but neither a thread nor a part of the store.
final class Spool: Sendable {
  private struct Kept {
    let answer: SpooledAnswer
    var lastUse: ContinuousClock.Instant
  }

  private let directory: String
  private let byteCountMax: Int
  private let used = Atomic<Int>(0)
  private let kept = Mutex<[AnswerKey: Kept]>([:])

  /// - Parameters:
  ///   - directory: where the files take their room.
  ///   - byteCountMax: the bytes that all files may have together.
  init(in directory: String, byteCountMax: Int) { (self.directory, self.byteCountMax) = (directory, byteCountMax) }

  /// The bytes of all files.
  var byteCount: Int { used.load(ordering: .relaxed) }

  /// An empty file.
  ///
  /// - Throws: `FileSystemError` when no file can be made.
  func makeFile() throws -> SpoolFile { SpoolFile(try UnnamedFile(in: directory), self) }

  /// An answer that was made before; nil if it isn't kept.
  func answer(_ key: AnswerKey) -> SpooledAnswer? {
    kept.withLock { kept in
      kept[key]?.lastUse = .now
      return kept[key]?.answer
    }
  }

  /// Keeps an answer for a while, for as long as there is room.
  func keep(_ answer: SpooledAnswer, _ key: AnswerKey) {
    let replaced = kept.withLock { $0.updateValue(Kept(answer: answer, lastUse: .now), forKey: key) }
    if kept.withLock({ $0.count }) > ServerLimits.keptAnswers { dropOldest() }
    withExtendedLifetime(replaced) {}
    NIOSingletons.posixEventLoopGroup.any().scheduleTask(in: TimeAmount(ServerLimits.keptFor)) { [weak self] in
      self?.dropUnused()
    }
  }

  /// Takes room for more bytes of a file, in place of answers that are kept and not being sent if need be.
  ///
  /// - Parameter byteCount: of the file, with the bytes.
  /// - Returns: false if there is no room.
  fileprivate func take(_ count: Int, byteCount: Int) -> Bool {
    // Long files leave room enough for a short one of each connection.
    let limit = byteCount > ServerLimits.shortAnswerByteCount ? byteCountMax / 2 : byteCountMax
    repeat {
      if used.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
      used.wrappingSubtract(count, ordering: .relaxed)
    } while dropOldest()
    return false
  }

  fileprivate func give(back count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }

  /// Forgets the answer that wasn't asked for longest; false if there is none.
  @discardableResult
  private func dropOldest() -> Bool {
    // What is dropped gives its room back once the lock is free.
    let oldest = kept.withLock { kept in
      kept.min { $0.value.lastUse < $1.value.lastUse }.flatMap { kept.removeValue(forKey: $0.key) }
    }
    return oldest != nil
  }

  private func dropUnused() {
    let end = ContinuousClock.now - ServerLimits.keptFor
    let dropped = kept.withLock { kept in
      let unused = kept.filter { $0.value.lastUse <= end }
      for key in unused.keys { kept[key] = nil }
      return unused
    }
    withExtendedLifetime(dropped) {}
  }
}

/// What an answer is the answer to.
struct AnswerKey: Hashable, Sendable {
  /// The path and the query as the client sent them.
  let target: String
  let tag: String
}

/// The bytes of an answer. One task at a time adds bytes; any number may read them.
final class SpoolFile: Sendable {
  private let file: UnnamedFile
  private let spool: Spool
  private let count = Atomic<Int>(0)

  fileprivate init(_ file: UnnamedFile, _ spool: Spool) { (self.file, self.spool) = (file, spool) }

  deinit { spool.give(back: byteCount) }

  var byteCount: Int { count.load(ordering: .acquiring) }

  /// Adds bytes; false if there is no room for them.
  func append(_ bytes: [UInt8]) -> Bool {
    let byteCount = byteCount + bytes.count
    guard spool.take(bytes.count, byteCount: byteCount) else { return false }
    do { try file.append(bytes) } catch {
      spool.give(back: bytes.count)
      return false
    }
    count.store(byteCount, ordering: .releasing)
    return true
  }

  /// - Throws: `FileSystemError` when the disk fails.
  func read(_ range: Range<Int>) throws -> [UInt8] { try file.read(range) }
}

/// A whole answer in a file.
struct SpooledAnswer: Sendable {
  let headers: [(name: String, value: String)]
  let file: SpoolFile
}
