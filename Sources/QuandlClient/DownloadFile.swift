import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that a download is written to, which has its name only when it is whole; otherwise it is removed.
final class DownloadFile {
  private let descriptor: Int32
  /// Where it is as long as it isn't finished; nil when it is nowhere.
  private var temporaryPath: String?

  /// A file to be put at `path` later.
  init(for path: String) throws {
    (descriptor, temporaryPath) = try Self.make(path)
  }

  /// A file without a name, in the environment's TMPDIR, else in /var/tmp: however the process ends, nothing is left of
  /// it. As long as this object is there, `path` leads to it.
  init() throws {
    let folder = ProcessEnvironment["TMPDIR"] ?? "/var/tmp"
    let path: String?
    (descriptor, path) = try Self.make(folder.hasSuffix("/") ? folder + "quoin" : folder + "/quoin")
    if let path { try? SystemFiles().remove(path) }
  }

  deinit {
    close(descriptor)
    if let temporaryPath { try? SystemFiles().remove(temporaryPath) }
  }

  private static func make(_ path: String) throws -> (Int32, String?) {
    do throws(FileSystemError) { return try SystemFiles().createTemporaryFile(beside: path) } catch {
      throw Self.error("make a file beside '\(path)'", error.code)
    }
  }

  /// A path at which the file can be read from its beginning.
  var path: String { "/dev/fd/\(descriptor)" }

  /// Throws away what is written.
  func empty() throws {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, Int32(SEEK_SET)) == 0 else {
      throw Self.error("empty the download")
    }
  }

  /// Goes back to the beginning, from where some systems read at `path`.
  func rewind() throws {
    guard lseek(descriptor, 0, Int32(SEEK_SET)) == 0 else { throw Self.error("read the download") }
  }

  func write(_ bytes: RawSpan) throws {
    do throws(FileSystemError) { try SystemFiles().write(bytes, to: descriptor, path) } catch {
      throw Self.error("write the download", error.code)
    }
  }

  /// Puts the file in its place, once it is on the disk.
  func finish(as path: String) throws {
    guard let temporaryPath else { return }
    guard fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0 else { throw Self.error("make '\(path)'") }
    do throws(FileSystemError) { try SystemFiles().rename(temporaryPath, to: path) } catch {
      throw Self.error("make '\(path)'", error.code)
    }
    self.temporaryPath = nil
  }

  private static func error(_ action: String, _ code: Int32 = errno) -> QuandlClientError {
    QuandlClientError(.file, "cannot \(action): \(systemMessage(code))")
  }
}
