@testable import Quoin

/// A disk in memory that spoils some promises of a store on it, for tests that have to notice.
struct CarelessFiles: FileSystem {
  private final class FreeLock: HeldLock {}

  let disk: InMemoryFiles
  /// Which files' removal is only said to be done.
  var keeps: @Sendable (String) -> Bool = { _ in false }
  /// Whether a lock has any number of holders.
  var admitsAll = false
  /// Whether a manifest always has the checksum of its bytes.
  var mendsManifest = false

  var now: CommitTime { disk.now }

  func createDirectory(_ path: String) throws(FileSystemError) { try disk.createDirectory(path) }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile { try disk.createFile(path) }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    let file = try disk.map(path)
    guard mendsManifest, path.hasSuffix(StoreFiles.manifest), file.view.count > 8 else { return file }
    var bytes = file.view.prefix(file.view.count - 8).array
    bytes.append(littleEndian: Checksum(of: bytes).value)
    return mappedCopy(bytes)
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) { try disk.rename(path, to: newPath) }

  func remove(_ path: String) throws(FileSystemError) {
    if !keeps(path) { try disk.remove(path) }
  }

  func names(in directory: String) throws(FileSystemError) -> [String] { try disk.names(in: directory) }

  func syncDirectory(_ path: String) throws(FileSystemError) { try disk.syncDirectory(path) }

  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    try disk.lock(path, holder: holder) ?? (admitsAll ? FreeLock() : nil)
  }
}
