import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is written next to its path and moves there when it is complete.
///
/// An incomplete file is removed when the object goes and when a signal ends the process.
package final class UnfinishedFile {
  package let descriptor: Int32
  private let path: String
  private let temporaryPath: String
  private var isFinished = false

  package init(_ path: String) throws(OutputError) {
    // A symbolic link stays, and the file that it points to is written.
    self.path = System.realPath(path) ?? path
    try Self.requireOutsideStores(self.path, called: path)
    temporaryPath = "\(self.path).\(getpid()).tmp"
    // Before there is a file, so that no signal comes between.
    System.removeOnSignal(temporaryPath)
    do throws(SystemError) {
      descriptor = try System.open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      System.removeOnSignal(nil)
      throw OutputError("'\(path)'", error.code)
    }
    if let mode = System.mode(of: self.path) { fchmod(descriptor, mode & 0o777) }
  }

  /// Throws if a new file or directory at `path` would lie in a store, or in a directory of one.
  package static func requireOutsideStores(_ path: String, called name: String? = nil) throws(OutputError) {
    var folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    folder = (System.realPath(folder.isEmpty && !path.hasPrefix("/") ? "." : "\(folder)/") ?? "")[...]
    while !folder.isEmpty {
      if QuoteStore.isStore(String(folder)) {
        throw OutputError(
          "cannot write '\(name ?? path)': it lies in a store, which has files of its own; name another place")
      }
      folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    }
  }

  deinit {
    close(descriptor)
    if !isFinished { System.remove(temporaryPath) }
    System.removeOnSignal(nil)
  }

  /// Moves the file to its path.
  package func finish() throws(OutputError) {
    do throws(SystemError) {
      try System.rename(temporaryPath, to: path)
    } catch {
      throw OutputError("'\(path)'", error.code)
    }
    isFinished = true
    System.removeOnSignal(nil)
  }
}
