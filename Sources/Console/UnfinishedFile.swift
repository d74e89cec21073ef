#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is being written beside the path it is meant for, and takes its place when it is whole.
///
/// Otherwise it is removed: when the object goes, and when a signal ends the process.
package final class UnfinishedFile {
  package let descriptor: Int32
  private let path: String
  private let temporaryPath: String
  private var isFinished = false

  package init(_ path: String) throws(OutputError) {
    // What a symbolic link points to is written, and the link stays.
    self.path = Self.resolved(path)
    temporaryPath = "\(self.path).\(getpid()).tmp"
    descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputError("'\(path)'", errno) }
    var status = stat()
    if unsafe stat(self.path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    unsafe removedOnSignal = unsafe strdup(temporaryPath)
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = signal(number, removeAndDie) }
  }

  deinit {
    close(descriptor)
    if !isFinished { _ = unsafe unlink(temporaryPath) }
    forget()
  }

  /// Puts the file in its place.
  package func finish() throws(OutputError) {
    guard unsafe rename(temporaryPath, path) == 0 else { throw OutputError("'\(path)'", errno) }
    isFinished = true
    forget()
  }

  private func forget() {
    let path = unsafe removedOnSignal
    unsafe removedOnSignal = nil
    unsafe free(path)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

// Sound: set before the handler is, and read by it alone.
/// The file to remove when a signal ends the process. One command writes one file at a time, on one thread.
nonisolated(unsafe) private var removedOnSignal: UnsafeMutablePointer<CChar>?

/// A signal handler: it calls only what may be called in one.
private func removeAndDie(_ number: Int32) {
  if let path = unsafe removedOnSignal { _ = unsafe unlink(path) }
  _ = signal(number, SIG_DFL)
  _ = raise(number)
}
