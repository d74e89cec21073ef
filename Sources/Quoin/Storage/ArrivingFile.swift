/// A column file that comes piece by piece. It gets its name when it is whole, checked and synced; until then the next writer takes
/// it for a leftover.
///
/// Sound: one task at a time has it, that which brings the file.
package final class ArrivingFile: @unchecked Sendable {
  private let record: FileRecord
  /// Where it comes from, for errors.
  private let source: String
  private let directory: String
  private let fileSystem: any FileSystem
  private var file: any WritableFile
  private var byteCount = 0

  init(
    _ record: FileRecord, from source: String, in directory: String, _ fileSystem: any FileSystem
  ) throws(StoreError) {
    (self.record, self.source, self.directory, self.fileSystem) = (record, source, directory, fileSystem)
    do { file = try Self.make(record, in: directory, fileSystem) } catch { throw .inputOutput(error) }
  }

  /// Removes what has come.
  func abandon() { try? fileSystem.remove(path) }

  private var path: String { Self.path(record, in: directory) }

  private static func path(_ record: FileRecord, in directory: String) -> String {
    directory + "/" + StoreFiles.arriving(record.id)
  }

  private static func make(
    _ record: FileRecord, in directory: String, _ fileSystem: any FileSystem
  ) throws(FileSystemError) -> any WritableFile {
    try? fileSystem.remove(path(record, in: directory))
    return try fileSystem.createFile(path(record, in: directory))
  }

  /// Forgets what has come.
  package func restart() throws(StoreError) {
    byteCount = 0
    do { file = try Self.make(record, in: directory, fileSystem) } catch { throw .inputOutput(error) }
  }

  /// Takes the bytes after those that have come.
  ///
  /// - Throws: `StoreError`: `damaged` for more than the file has, which must not fill the disk.
  package func write(_ bytes: RawSpan) throws(StoreError) {
    byteCount += bytes.byteCount
    if byteCount > record.byteCount {
      throw .damaged(path: source, offset: record.byteCount, reason: "the file ends before this byte")
    }
    do { try file.write(bytes) } catch { throw .inputOutput(error) }
  }

  /// Checks what has come, and gives it its name.
  ///
  /// - Throws: `StoreError`: `damaged` if it is another file.
  func finish() throws(StoreError) {
    do throws(FileSystemError) { try file.sync() } catch { throw .inputOutput(error) }
    let mapped: MappedFile
    do throws(FileSystemError) { mapped = try fileSystem.map(path) } catch { throw StoreError(reading: error) }
    try record.check(mapped, source)
    do throws(FileSystemError) {
      try fileSystem.rename(path, to: directory + "/" + record.name)
    } catch { throw .inputOutput(error) }
  }
}
