@testable import Quoin

/// A manifest: what is accepted is written as it was read, and every index in it leads somewhere.
///
/// An input is a manifest without its checksum; the magic number and the version are put right.
enum ManifestTarget {
  private static let head = Array("QUOINMAN".utf8) + [UInt8(StoreFormat.version), 0, 0, 0]

  static func read(_ input: UnsafeRawBufferPointer) throws {
    guard input.count >= head.count else { return }
    var bytes = head
    bytes.reserveCapacity(input.count + 8)
    unsafe bytes += input[head.count...]
    bytes.append(littleEndian: Checksum(of: bytes).value)
    let manifest: Manifest
    do { manifest = try unsafe bytes.withUnsafeBytes { unsafe try Manifest(ByteView($0), path: "MANIFEST") } } catch {
      return
    }
    try use(manifest)
    let again = try unsafe manifest.bytes.withUnsafeBytes { unsafe try Manifest(ByteView($0), path: "MANIFEST") }
    try agree(again == manifest, "a manifest changes when it is written")
  }

  private static func use(_ manifest: Manifest) throws {
    var runCount = 0
    for (index, ticker) in manifest.tickers.enumerated() {
      try agree(manifest.index(of: ticker.symbol) == index, "\(ticker.symbol) is not found")
      for run in manifest.runs(ofTickerAt: index) {
        let file = manifest.files[run.fileIndex]
        try agree(run.blocks.upperBound <= file.blockCount, "\(run) in \(file)")
        runCount += 1
      }
    }
    try agree(runCount == manifest.runs.count, "\(runCount) of \(manifest.runs.count) runs")
    let commits = (try? manifest.log.commits(after: 0)) ?? []
    try agree(zip(commits, commits.dropFirst()).allSatisfy { $0.generation < $1.generation }, "the log goes back")
    _ = manifest.log.appending(LoggedCommit(generation: 1, tickers: []))
    // What a writer computes from it.
    try agree(manifest.generation + 1 > 0 && manifest.nextFileID + 1 > 0, "no next generation")
  }
}
