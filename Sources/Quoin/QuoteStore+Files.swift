#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension QuoteStore {
  /// One of the files of the store in a directory, as it is, for who copies the store: the list of shards, a manifest or a column file, of
  /// a shard too. A column file never changes, and a manifest is replaced as a whole.
  ///
  /// - Parameter name: its path from the directory on, with one slash at most.
  /// - Returns: nil if there is none, or if no store has a file of this name.
  /// - Throws: `StoreError` if it can't be read.
  package static func file(_ name: String, in directory: String) throws(StoreError) -> StoredFile? {
    let words = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let last = words.last, words.count <= 2,
      words.count == 1 && last == StoreFiles.shards || StoreFiles.isPublished(last)
    else { return nil }
    let (path, fileSystem) = (directory + "/" + name, SystemFiles())
    // Another store may lie in the directory, which isn't given away with this one.
    if words.count == 2 {
      guard let list = try ShardList.read(in: directory, fileSystem), (list.names + list.before).contains(words[0])
      else { return nil }
    }
    let file: MappedFile
    do throws(FileSystemError) { file = try fileSystem.map(path) } catch {
      if error.isNoSuchFile || error.code == ENOTDIR { return nil }
      throw StoreError(reading: error)
    }
    let checksum = StoreFiles.isColumnFile(last) ? try ColumnFile(path, file).record.headerChecksum : nil
    return StoredFile(file: file, checksum: checksum ?? Checksum(of: file.view.array).value)
  }
}

/// A file of a store that is copied elsewhere.
package struct StoredFile: Sendable {
  private let file: MappedFile
  /// By which two files with the same name differ.
  package let checksum: UInt64

  init(file: MappedFile, checksum: UInt64) { (self.file, self.checksum) = (file, checksum) }

  init(of file: ColumnFile) { self.init(file: file.file, checksum: file.record.headerChecksum) }

  package init(of bytes: [UInt8]) { self.init(file: MappedFile(copying: bytes), checksum: Checksum(of: bytes).value) }

  package var byteCount: Int { file.view.count }

  /// Some of its bytes, which must be inside. Complexity: O(bytes)
  package func read(_ range: Range<Int>) -> [UInt8] {
    defer { withExtendedLifetime(file) {} }
    return file.view.slice(range).array
  }
}
