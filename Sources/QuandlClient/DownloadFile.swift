import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What takes a download.
protocol DownloadTarget {
  /// Discards the written bytes.
  func empty() throws(QuandlClientError)
  func write(_ bytes: RawSpan) throws(QuandlClientError)
}

/// A file that a download is written to. It gets its name when it is complete; otherwise it is removed.
final class DownloadFile: DownloadTarget {
  private let descriptor: Int32
  /// The path of the unfinished file; nil if it has none.
  private var temporaryPath: String?

  /// A file that will appear at `path`.
  init(for path: String) throws(QuandlClientError) {
    (descriptor, temporaryPath) = try Self.make(path)
  }

  /// A file without a name, in the environment's TMPDIR, else in /var/tmp. However the process ends, no file is left behind.
  /// `path` leads to it as long as this object exists.
  init() throws(QuandlClientError) {
    let folder = ProcessEnvironment["TMPDIR"] ?? "/var/tmp"
    let path: String?
    (descriptor, path) = try Self.make(folder.hasSuffix("/") ? folder + "quoin" : folder + "/quoin")
    if let path { try? SystemFiles().remove(path) }
  }

  deinit {
    close(descriptor)
    if let temporaryPath { try? SystemFiles().remove(temporaryPath) }
  }

  private static func make(_ path: String) throws(QuandlClientError) -> (Int32, String?) {
    do throws(FileSystemError) { return try SystemFiles().createTemporaryFile(beside: path) } catch {
      throw Self.error("make a file beside '\(path)'", error.code)
    }
  }

  /// A path at which the file can be read from its beginning.
  var path: String { "/dev/fd/\(descriptor)" }

  func empty() throws(QuandlClientError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, Int32(SEEK_SET)) == 0 else {
      throw Self.error("empty the download")
    }
  }

  /// Goes back to the beginning, because on some systems reading at `path` starts at the file's position.
  func rewind() throws(QuandlClientError) {
    guard lseek(descriptor, 0, Int32(SEEK_SET)) == 0 else { throw Self.error("read the download") }
  }

  func write(_ bytes: RawSpan) throws(QuandlClientError) {
    do throws(FileSystemError) { try SystemFiles().write(bytes, to: descriptor, path) } catch {
      throw Self.error("write the download", error.code)
    }
  }

  /// Syncs the file and moves it to its path, on a thread that may block: to sync a large file takes seconds.
  func finish(as path: String) async throws(QuandlClientError) {
    guard let temporaryPath else { return }
    let descriptor = descriptor
    try await onBlockingThread(of: .writers, whenCancelled: QuandlClientError.cancelled) {
      _ throws(QuandlClientError) in
      guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0 else { throw Self.error("make '\(path)'") }
      do throws(FileSystemError) { try SystemFiles().rename(temporaryPath, to: path) } catch {
        throw Self.error("make '\(path)'", error.code)
      }
    }
    self.temporaryPath = nil
  }

  private static func error(_ action: String, _ code: Int32 = errno) -> QuandlClientError {
    QuandlClientError(.file, "cannot \(action): \(systemMessage(code))")
  }
}
