#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file without a name, which goes away with the object: for bytes that are too many for memory. It isn't a store's.
package final class UnnamedFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Parameter directory: where the file takes its room.
  /// - Throws: `FileSystemError` when no file can be made there.
  package init(in directory: String) throws(FileSystemError) {
    let files = SystemFiles()
    (descriptor, path) = try files.createTemporaryFile(beside: directory + "/quoin")
    try files.remove(path)
  }

  deinit { close(descriptor) }

  /// Writes bytes behind those that were written before. Only one thread at a time may write.
  ///
  /// - Throws: `FileSystemError` when the disk is full. A part may have been written then.
  package func append(_ bytes: [UInt8]) throws(FileSystemError) {
    try bytes.withRawSpan { (bytes) throws(FileSystemError) in try writeAll(bytes, to: descriptor, path) }
  }

  /// Reads some of the bytes that were written. Any thread may read.
  package func read(_ range: Range<Int>) throws(FileSystemError) -> [UInt8] {
    let bytes = try readBytes(of: descriptor, path, at: range.lowerBound, range.count)
    guard bytes.count == range.count else { throw FileSystemError(.read, path, code: EIO) }
    return bytes
  }
}
