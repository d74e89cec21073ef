// The last steps of everything that makes a generation: a commit, and a copy.

extension FileSystem {
  /// Replaces a file, or makes it, by one atomic rename. The directory isn't synced after it.
  func replaceFile(
    _ name: String, by bytes: [UInt8], through temporaryName: String, in directory: String
  ) throws(FileSystemError) {
    let temporary = directory + "/" + temporaryName
    try? remove(temporary)
    try writeFile(temporary, [bytes])
    try syncDirectory(directory)
    try rename(temporary, to: directory + "/" + name)
  }

  /// Makes a generation the store's by one atomic rename. Afterwards it is durable.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  func publish(_ manifest: Manifest, in directory: String) throws(StoreError) {
    let bytes = manifest.bytes
    guard bytes.count <= Limits.manifestByteCount else {
      throw .manifestTooLong(byteCount: bytes.count, byteCountMax: Limits.manifestByteCount)
    }
    let temporary = directory + "/" + StoreFiles.temporaryManifest
    do throws(FileSystemError) {
      try writeFile(temporary, [bytes])
      try syncDirectory(directory)
      try rename(temporary, to: directory + "/" + StoreFiles.manifest)
    } catch { throw .inputOutput(error) }
    do { try syncDirectory(directory) } catch { throw .commitUnknown(error) }
  }

  /// Removes column files and kept manifests that aren't `needed`, and unfinished files. A failure costs only space, and the next
  /// writer tries again.
  func removeFiles(of directory: String, except needed: Set<String>) {
    for name in (try? removableFiles(of: directory, except: needed)) ?? [] { try? remove(directory + "/" + name) }
  }

  func removableFiles(of directory: String, except needed: Set<String>) throws(FileSystemError) -> [String] {
    try names(in: directory).filter {
      !needed.contains($0) && StoreFiles.isOurs($0) && $0 != StoreFiles.manifest && $0 != StoreFiles.lock
    }
  }
}
