import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Stores that somebody has forged with care: some bytes are others, and every checksum is right again. Whoever reads such a store,
/// verifies, changes or repairs it, is refused or served, and goes on.
@Suite struct SignedStoreTests {
  private static let columnFiles = ["store/00000001.columns", "store/00000002.columns"]
  private static let manifests = ["store/MANIFEST", "store/1.manifest"]

  /// Two commits, of which the first is kept; imports, splits and adjusted values, one block of two tickers each.
  private static func soundDisk() throws -> InMemoryFiles {
    let disk = InMemoryFiles()
    func record(_ ticker: TickerSymbol, _ generation: UInt64) -> ImportRecord {
      ImportRecord(
        ticker: ticker, firstDay: "2001-01-01", lastDay: "2001-02-01", rowCount: 9, source: "there",
        importedAt: CommitTime(secondsSince1970: 1_400_000_000), generation: generation)
    }
    try commit(["FDX": .sample(60), "A": .sample(9)], to: "store", in: disk, importRecords: [record("FDX", 1)])
    try commit(
      ["FDX": .sample(20, from: "2001-03-01", salt: 3), "NEW": .sample(5)], to: "store", in: disk,
      importRecords: [record("NEW", 2)])
    try QuoteStore(at: "other", in: disk).upsert(["FDX": .sample(30, salt: 7), "Z": .sample(2)])
    return disk
  }

  @Test func no_forged_store_ends_the_process() throws {
    let sound = try Self.soundDisk()
    let count = TestSettings.count("QUOIN_SIGNED", debug: 400, release: 7000)
    let first = TestSettings.size("QUOIN_SIGNED_FROM", debug: 0, release: 0)
    _ = TestSettings.dice("signed stores")
    var (refused, served, unsound, slowest) = (0, 0, 0, Duration.zero)
    for number in first..<(first + count) {
      // A number that ends the process is repeated by QUOIN_SIGNED_FROM.
      if number % 1000 == 0 { print("signed stores: from \(number)") }
      var dice = SeededRandom(seed: TestSettings.seed, stream: UInt64(number))
      let disk = try Self.forged(sound, &dice)
      let start = ContinuousClock.now
      for _ in 0..<3 {
        do {
          try Self.use(InMemoryFiles(copying: disk), &dice)
          served += 1
        } catch { refused += 1 }
      }
      if let verified = try? QuoteStore.verify("store", in: disk), !verified.damages.isEmpty { unsound += 1 }
      slowest = max(slowest, ContinuousClock.now - start)
    }
    print(
      "promise 5: signed stores: QUOIN_SEED=\(TestSettings.seed), \(count) stores with forged bytes and right checksums, "
        + "\(3 * count) times read, changed or repaired: \(served) served, \(refused) refused, 0 crashes; the slowest took \(slowest)"
    )
    #expect(served > count / 10 && refused > count / 10 && unsound > count / 10)
    #expect(slowest < .seconds(20))
  }

  /// Some bytes of one or two files are others, and all checksums are right.
  private static func forged(_ sound: InMemoryFiles, _ dice: inout SeededRandom) throws -> InMemoryFiles {
    let disk = InMemoryFiles(copying: sound)
    for (index, path) in columnFiles.enumerated() where dice.below(2) == 0 {
      guard var bytes = disk[path] else { continue }
      mutate(&bytes, from: 16, among: dice.chance(0.5) ? 3000 : bytes.count, &dice)
      bytes.pad(to: 8)
      if bytes.count >= ColumnFileHeader.possibleByteCounts.lowerBound {
        ColumnFileTarget.correctChecksums(&bytes, fileID: UInt64(index + 1))
      }
      disk[path] = bytes
    }
    for path in manifests {
      guard let bytes = disk[path], var manifest = try? bytes.withView({ try Manifest($0, path: path) }) else {
        continue
      }
      // The manifest names the files that are there.
      manifest.files = manifest.files.map { record in
        guard let file = try? ColumnFile("store/" + record.name, in: disk), file.id == record.id else { return record }
        return file.record
      }
      var forged = manifest.bytes
      if dice.below(3) == 0 {
        forged.removeLast(8)
        mutate(&forged, from: 16, among: forged.count, &dice)
        forged.append(littleEndian: Checksum(of: forged).value)
      }
      disk[path] = forged
    }
    return disk
  }

  /// Numbers at which sizes, counts and addresses end.
  private static let edges: [UInt64] = [
    0, 1, 2, 7, 8, 255, 256, 1023, 1024, 1025, 2048, 1 << 15, 1 << 16 - 1, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 40,
    1 << 62,
    1 << 63 - 1, 1 << 63, .max - 7, .max - 1, .max,
  ]

  private static func mutate(_ bytes: inout [UInt8], from start: Int, among end: Int, _ dice: inout SeededRandom) {
    for _ in 0...dice.below(3) {
      let end = min(end, bytes.count)
      guard end > start + 8 else { return }
      let place = start + dice.below(end - start - 8)
      switch dice.below(8) {
      case 0: bytes[place] ^= 1 << UInt8(dice.below(8))
      case 1: bytes[place] = UInt8(dice.below(256))
      case 2, 3:
        // Numbers lie at multiples of their size.
        bytes.overwrite(from: place / 8 * 8, with: Self.bytes(dice.element(of: edges), 8))
      case 4, 5: bytes.overwrite(from: place / 4 * 4, with: Self.bytes(dice.element(of: edges), 4))
      case 6:
        let from = dice.below(bytes.count - 8)
        bytes.overwrite(from: place, with: Array(bytes[from..<(from + 8)]))
      default:
        let number = bytes.integer(at: place / 4 * 4, as: UInt32.self)
        bytes.overwrite(
          from: place / 4 * 4, with: Self.bytes(UInt64(dice.below(2) == 0 ? number &+ 1 : number &- 1), 4))
      }
    }
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// One of all that can be done with a store.
  private static func use(_ disk: InMemoryFiles, _ dice: inout SeededRandom) throws {
    func store() throws -> QuoteStore { try QuoteStore(at: "store", mustExist: true, in: disk) }
    switch dice.below(17) {
    case 0: ColumnFileTarget.readAll(try store())
    case 1: _ = try QuoteStore.repair("store", into: "saved", in: disk)
    case 2:
      disk["store/MANIFEST"] = nil
      _ = try QuoteStore.repair("store", into: "saved", in: disk)
    case 3: try store().upsert(["FDX": .sample(70, salt: 5)])
    case 4: try store().upsert(["LATE": .sample(3), "FDX": .sample(3, from: "2016-01-04")])
    case 5: _ = try store().delete(where: .range(.high, ...82))
    case 6: _ = try store().delete("FDX")
    case 7: try store().rename("FDX", to: "NEU")
    case 8: try store().rename("A", to: "B", from: nil, through: "2001-01-05")
    case 9: _ = try store().adjust(store().tickers, replacing: true)
    case 10: try store().compact(packing: .small)
    case 11: try store().undo()
    case 12: try store().restore(generation: 1)
    case 13: try store().keepSnapshot(named: "now")
    case 14: try QuoteStore(at: "other", in: disk).merge(store())
    case 15: try store().merge(QuoteStore(at: "other", in: disk))
    default: try store().divide(into: 2, at: "market")
    }
    // What was made can be read.
    for path in ["store", "saved", "other", "market"] {
      guard let made = try? QuoteStore(at: path, in: disk) else { continue }
      _ = try? made.allQuotes.fetch()
    }
  }
}
