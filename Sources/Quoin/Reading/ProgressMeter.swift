/// Reports progress, at most ten times a second.
struct ProgressMeter {
  let report: ((ImportProgress) -> Void)?
  /// The files read before this one, and all.
  var finishedFileCount = 0
  var fileCount = 1
  private var last = ContinuousClock.now
  /// The last text's file, the bytes of it that were read, and all.
  private var text = (file: "", byteCount: 0, totalByteCount: Int?.none)

  init(report: ((ImportProgress) -> Void)?) { self.report = report }

  mutating func update(_ file: String, _ byteCount: Int, _ totalByteCount: Int?, _ rowCount: Int) {
    text = (file, byteCount, totalByteCount)
    guard let report, last.duration(to: .now) >= .milliseconds(100) else { return }
    last = .now
    report(progress(rowCount))
  }

  func finish(_ rowCount: Int) { report?(progress(rowCount, isComplete: true)) }

  private func progress(_ rowCount: Int, isComplete: Bool = false) -> ImportProgress {
    ImportProgress(
      file: text.file, byteCount: text.byteCount, totalByteCount: text.totalByteCount, rowCount: rowCount,
      finishedFileCount: finishedFileCount, fileCount: fileCount, isComplete: isComplete)
  }
}
