import Quoin

extension BackupReport {
  /// What a copy has taken: `1 new file of 17.4 kB, 2 files of 83.0 kB in all`.
  package var text: String {
    "\(copiedFileCount.of("new file")) of \(copiedByteCount.asBytes), \(fileCount.of("file")) of \(byteCount.asBytes) in all"
  }
}
