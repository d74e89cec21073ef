import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct ManifestTests {
  private static let moment = CommitTime(secondsSince1970: 1_521_849_600)

  static let manifest: Manifest = {
    var manifest = Manifest(generation: 7, nextFileID: 12, committedAt: moment)
    manifest.files = [
      FileRecord(id: 3, byteCount: 5000, blockCount: 4, headerChecksum: 99),
      FileRecord(id: 11, byteCount: 700, blockCount: 1, headerChecksum: .max),
    ]
    manifest.tickers = [
      TickerRecord(symbol: "BRK_A", firstRun: 0, runCount: 2, createdGeneration: 1),
      TickerRecord(symbol: "FDX", firstRun: 2, runCount: 1, createdGeneration: 5),
    ]
    manifest.runs = [
      Run(
        fileIndex: 0, firstBlock: 0, blockCount: 3, rowCount: 2049, firstDay: .earliest, lastDay: "2005-10-14"),
      Run(fileIndex: 1, firstBlock: 0, blockCount: 1, rowCount: 1, firstDay: "2005-10-17", lastDay: "2005-10-17"),
      Run(fileIndex: 0, firstBlock: 3, blockCount: 1, rowCount: 1024, firstDay: "1999-01-04", lastDay: .latest),
    ]
    manifest.kept = [
      KeptManifest(generation: 2, committedAt: moment, name: "before-the-split", fileIDs: [1, 3]),
      KeptManifest(generation: 6, committedAt: moment, name: nil, fileIDs: [3]),
    ]
    manifest.recentCount = 1
    manifest.settings = ["first": [1], "second": []]
    manifest.log = CommitLog().appending(LoggedCommit(generation: 7, tickers: [("FDX", "1999-01-04"..."1999-01-08")]))
    return manifest
  }()

  private func parsed(_ bytes: [UInt8]) throws -> Manifest {
    try unsafe bytes.withUnsafeBytes { unsafe try Manifest(ByteView($0), path: "M") }
  }

  private func refusal(_ change: (inout Manifest) -> Void) -> StoreError? {
    var manifest = Self.manifest
    change(&manifest)
    return refusal(of: manifest.bytes)
  }

  private func refusal(of bytes: [UInt8]) -> StoreError? {
    do {
      _ = try parsed(bytes)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  @Test func a_manifest_comes_back() throws {
    #expect(try parsed(Self.manifest.bytes) == Self.manifest)
    #expect(try parsed(Manifest().bytes) == Manifest())
  }

  @Test func a_manifest_has_these_bytes() {
    var manifest = Manifest(generation: 2, nextFileID: 3, committedAt: Self.moment)
    manifest.files = [FileRecord(id: 1, byteCount: 0x1234, blockCount: 5, headerChecksum: 0xABCD)]
    manifest.tickers = [TickerRecord(symbol: "FDX", firstRun: 0, runCount: 1, createdGeneration: 2)]
    manifest.runs = [
      Run(fileIndex: 0, firstBlock: 1, blockCount: 2, rowCount: 300, firstDay: "1970-01-02", lastDay: "1970-01-31")
    ]
    manifest.kept = [KeptManifest(generation: 1, committedAt: Self.moment, name: "a", fileIDs: [1])]
    manifest.recentCount = 3
    manifest.settings = ["b": [1, 2]]
    manifest.log = CommitLog().appending(LoggedCommit(generation: 2, tickers: [("A", "1970-01-02"..."1970-01-03")]))
    let golden = """
      51554f494e4d414e 0200000000000000 0200000000000000 0300000000000000 0095b55a00000000 \
      0100000001000000 0100000001000000 0300000016000000 0100000000000000 \
      0100000000000000 3412000000000000 0500000000000000 cdab000000000000 \
      4644580000000000 0000000000000000 0000000000000000 0000000000000000 0000000001000000 0200000000000000 \
      0000000001000000 020000002c010000 010000001e000000 \
      0100000000000000 0095b55a00000000 0100000001000000 61 0100000000000000 \
      0200000000000000 0a000000 01 41 01000000 02000000 \
      0100000002000000 62 0102
      """
    #expect(hex(manifest.bytes.dropLast(8)).filter { $0 != " " } == golden.filter { $0 != " " })
  }

  @Test func the_place_of_a_ticker_is_found() {
    for (index, record) in Self.manifest.tickers.enumerated() {
      #expect(Self.manifest.index(of: record.symbol) == index)
    }
    for other in ["A", "BRK_B", "ZZZ"] as [TickerSymbol] { #expect(Self.manifest.index(of: other) == nil) }
    #expect(Manifest().index(of: "FDX") == nil)
  }

  @Test func every_flipped_bit_and_every_cut_is_noticed() {
    let bytes = Self.manifest.bytes
    for bit in 0..<(bytes.count * 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(refusal(of: damaged) != nil, "bit \(bit)")
    }
    for count in 0..<bytes.count { #expect(refusal(of: Array(bytes.prefix(count))) != nil, "\(count) bytes") }
    #expect(refusal(of: bytes + [0]) != nil)
  }

  /// Forged manifests, whose checksums are right.
  @Test func an_index_that_leads_nowhere_is_refused() {
    let run = StoreError.damaged(path: "M", offset: 72 + 64 + 96, reason: "an impossible run of blocks")
    #expect(refusal { $0.runs[0].fileIndex = 2 } == run)
    #expect(refusal { $0.runs[0].firstBlock = 2 } == run)
    #expect(refusal { $0.runs[0].blockCount = 0 } == run)
    #expect(refusal { $0.runs[0].blockCount = Int(UInt32.max) } == run)
    #expect(refusal { $0.runs[0].rowCount = 2 } == run)
    #expect(refusal { $0.runs[0].rowCount = 3073 } == run)
    #expect(refusal { $0.runs[0].firstDay = .latest } == run)
    #expect(
      refusal { $0.runs[0].firstDay = TradingDay(unchecked: .min) }
        == .damaged(path: "M", offset: 72 + 64 + 96 + 16, reason: "day -2147483648 isn't a date"))
    #expect(
      refusal { $0.runs[1].firstDay = "2005-10-14" }
        == .damaged(path: "M", offset: 72, reason: "the runs of BRK_A overlap"))
    #expect(
      refusal { $0.tickers.swapAt(0, 1) } == .damaged(path: "M", offset: 72, reason: "ticker 0 is out of place"))
    #expect(
      refusal { $0.tickers[1] = TickerRecord(symbol: "BRK_A", firstRun: 2, runCount: 1, createdGeneration: 1) }
        == .damaged(path: "M", offset: 72, reason: "ticker 1 is out of place"))
    #expect(
      refusal { $0.tickers[1] = TickerRecord(symbol: "FDX", firstRun: 2, runCount: 2, createdGeneration: 1) }
        == .damaged(path: "M", offset: 72, reason: "ticker 1 is out of place"))
    #expect(refusal { $0.tickers.removeLast() } == .damaged(path: "M", offset: 72, reason: "runs without a ticker"))
  }

  @Test func a_kept_manifest_that_can_not_be_is_refused() {
    let impossible = StoreError.damaged(path: "M", offset: 72 + 64 + 96 + 72, reason: "an impossible kept manifest")
    #expect(
      refusal { $0.kept[0] = KeptManifest(generation: 7, committedAt: Self.moment, name: nil, fileIDs: []) }
        == impossible)
    #expect(
      refusal { $0.kept[0] = KeptManifest(generation: 0, committedAt: Self.moment, name: nil, fileIDs: []) }
        == impossible)
    #expect(
      refusal { $0.kept[0] = KeptManifest(generation: 2, committedAt: Self.moment, name: "../x", fileIDs: []) }
        == impossible)
  }

  @Test func the_log_names_the_commits_after_a_generation() throws {
    var log = CommitLog()
    let commits = (1...40).map { number in
      LoggedCommit(
        generation: UInt64(number),
        tickers: number % 7 == 0 ? [] : [("A", "1970-01-02"..."1970-01-31"), ("BRK_A", "2001-01-01"..."2001-01-01")])
    }
    for commit in commits { log = log.appending(commit) }
    for generation in 0...40 { #expect(try log.commits(after: UInt64(generation)) == Array(commits[generation...])) }
  }

  /// The newest commit stays however large it is, and the oldest ones go.
  @Test func the_log_has_a_largest_size() throws {
    let tickers = try (0..<5000).map { (try TickerSymbol("T\($0)"), TradingDay.earliest...TradingDay.latest) }
    var log = CommitLog()
    for generation in 1...9 {
      let commit = LoggedCommit(generation: UInt64(generation), tickers: tickers.map { (ticker: $0.0, days: $0.1) })
      log = log.appending(commit)
      #expect(log.bytes.count < 1 << 17)
      #expect(try log.commits(after: 0).last == commit)
    }
    #expect(try log.commits(after: 0).count == 1)
    log = log.appending(LoggedCommit(generation: 10, tickers: []))
    #expect(try log.commits(after: 0).map(\.generation) == [9, 10])
  }

  @Test func a_damaged_log_is_an_error() throws {
    let log = Self.manifest.log
    for count in 1..<log.bytes.count {
      #expect(throws: Damage.self) { try CommitLog(bytes: Array(log.bytes.prefix(count))).commits(after: 0) }
    }
    var dice = TestSettings.dice("forged logs")
    for _ in 0..<10_000 {
      var bytes = log.bytes
      bytes[dice.below(bytes.count)] = UInt8(dice.below(256))
      let forged = CommitLog(bytes: bytes)
      _ = try? forged.commits(after: 0)
      _ = forged.appending(LoggedCommit(generation: 8, tickers: []))
    }
  }

  /// A forged count, whose checksum is right, makes no room before the bytes are there to count.
  @Test func no_count_is_believed() throws {
    let before = TestSettings.peakVirtualByteCount
    let bytes = Array(Self.manifest.bytes.dropLast(8))
    for offset in [40, 44, 48, 52, 60, 64] {
      for count in [3, 1000, 1 << 20, .max / 2, .max] as [UInt32] {
        var forged = bytes
        var encoded: [UInt8] = []
        encoded.append(littleEndian: count)
        forged.replaceSubrange(offset..<(offset + 4), with: encoded)
        forged.append(littleEndian: Checksum(of: forged).value)
        if count == 3, offset == 48 { continue }
        #expect(refusal(of: forged) != nil, "\(offset) \(count)")
      }
    }
    #expect(TestSettings.peakVirtualByteCount - before < 2 * Limits.manifestByteCount)
  }

  @Test func a_manifest_has_a_largest_size() throws {
    let count = Limits.manifestByteCount + 1
    let memory = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE | MAP_ANON, -1, 0)
    defer { unsafe munmap(memory, count) }
    #expect(
      throws: StoreError.damaged(path: "M", offset: count - 1, reason: "a manifest ends before this byte")
    ) { unsafe try Manifest(ByteView(UnsafeRawBufferPointer(start: memory, count: count)), path: "M") }
  }

  @Test func numbers_that_no_commit_can_count_up_are_refused() {
    let impossible = StoreError.damaged(path: "M", offset: 16, reason: "impossible generation")
    #expect(refusal { $0.generation = .max } == impossible)
    #expect(refusal { $0.nextFileID = .max } == impossible)
    #expect(
      refusal { $0.nextFileID = 11 }
        == .damaged(path: "M", offset: 72 + 32, reason: "file 11 is not from before file 11"))
  }

  @Test func no_forged_manifest_is_a_crash() {
    var dice = TestSettings.dice("forged manifests")
    let bytes = Array(Self.manifest.bytes.dropLast(8))
    var accepted = 0
    for _ in 0..<TestSettings.count("QUOIN_HEADERS", debug: 20_000, release: 200_000) {
      var forged = bytes
      for _ in 0...dice.below(3) { forged[16 + dice.below(bytes.count - 16)] = UInt8(dice.below(256)) }
      forged.append(littleEndian: Checksum(of: forged).value)
      if refusal(of: forged) == nil { accepted += 1 }
    }
    #expect(accepted > 0)
  }
}
