import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.serialized) struct PackedFileTests {
  private static let text = Array("\(wikiHeader)\nFDX,\(fedExCells)\n".utf8)
  private let folder = TemporaryDirectory()

  /// Writes a file and returns its path. An older one is removed first: truncating it would wait for the disk.
  private func written(_ bytes: [UInt8]) throws -> String {
    _ = unsafe unlink(folder.path + "/all")
    return try folder.write(bytes, as: "all")
  }

  /// The rows of FDX that an import of one file gives, or its error.
  private func imported(_ bytes: [UInt8], skippingBadRows: Bool = false) throws -> [DailyQuoteSummary] {
    var sink = MemorySink()
    let options = ImportOptions(skipsBadRows: skippingBadRows, threads: 1)
    _ = try QuoteImporter(options: options).importFiles([written(bytes)], into: &sink)
    return sink.rows("FDX")
  }

  private func failure(_ bytes: [UInt8]) -> (offset: Int, reason: String)? {
    do { _ = try imported(bytes, skippingBadRows: true) } catch ImportError.cannotUnpack(_, let offset, let reason) {
      return (offset, reason)
    } catch { Issue.record(error) }
    return nil
  }

  /// The text of an archive, read by steps of `byteCount` bytes.
  private func unpacked(_ bytes: [UInt8], by byteCount: Int = 4096) throws -> [UInt8] {
    var file = try InputFile(path: written(bytes))
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: byteCount)
    while true {
      let count = try read(&file, into: &buffer)
      if count == 0 { return text }
      text += buffer[..<count]
    }
  }

  @Test func gzip_and_zip_are_unpacked_on_the_way() throws {
    let zipped = try folder.write(Zip(isDeflated: false).bytes(Self.text), as: "all.zip")
    let plain = try folder.write(Self.text, as: "it's $(all).csv")
    #expect(folder.run("cat '\(folder.path)'/it* | gzip -c > '\(folder.path)'/all.csv.gz") == 0)
    for path in [plain, "\(folder.path)/all.csv.gz", zipped] {
      var sink = MemorySink()
      let summary = try QuoteImporter().importFiles([path], into: &sink)
      #expect(sink.rows("FDX") == [fedExRow] && summary.files.map(\.name) == [path])
    }
  }

  @Test(arguments: Zip.kinds) func every_kind_of_zip_is_unpacked(_ zip: Zip) throws {
    var packed = try zip.bytes(Self.text)
    #expect(try imported(packed) == [fedExRow])
    for byteCount in [1, 7, 100] { #expect(try unpacked(packed, by: byteCount) == Self.text) }
    packed += [0, 0, 0]
    #expect(try unpacked(packed) == Self.text)
  }

  @Test func long_texts_come_whole() throws {
    // Random digits, so that much of it is literals, and a long repetition.
    var dice = SeededRandom(seed: 15)
    let text = (0..<300_000).map { _ in UInt8(48 + dice.below(10)) } + [UInt8](repeating: 65, count: 2 << 20)
    for packed in try [gzip(text), Zip().bytes(text), Zip(descriptor: .plain).bytes(text)] {
      for byteCount in [1000, 1 << 16, 3 << 20] { #expect(try unpacked(packed, by: byteCount) == text) }
    }
    #expect(try unpacked(Zip(isDeflated: false).bytes(text)) == text)
    #expect(try unpacked(gzip([])) == [] && unpacked(Zip().bytes([])) == [])
    #expect(try unpacked(Zip(isDeflated: false, comment: Array("by hand".utf8)).bytes([])) == [])
  }

  @Test func members_of_a_gzip_follow_each_other() throws {
    let half = Self.text.count / 2
    let packed = try gzip(Self.text[..<half]) + gzip(Self.text[half...])
    #expect(try imported(packed) == [fedExRow])
    #expect(try imported(packed + [UInt8](repeating: 0, count: 100_000)) == [fedExRow])
    for garbage: [UInt8] in [[1], [0, 0, 1], Array("garbage".utf8), [0x1F], [0x1F, 0x8C, 8, 0]] {
      let failure = failure(packed + garbage)
      #expect(failure?.offset == packed.count + (garbage.firstIndex { $0 != 0 } ?? 0))
      #expect(failure?.reason == "there are other bytes after the archive's end")
    }
    // A damaged member after a good one.
    #expect(failure(packed + packed.prefix(30))?.reason == "the archive ends too early; it may be truncated")
    #expect(failure(packed + [0x1F, 0x8B, 7, 0])?.reason.contains("unknown compression method") == true)
  }

  /// What comes of each archive whose bytes are no longer those that were written: an error, or the same rows.
  private func checkDamaged(_ packed: [UInt8], _ what: String) throws {
    for count in 1..<packed.count {
      let cut = Array(packed[..<count])
      // What is too short for an archive's first bytes is taken for text.
      #expect(throws: ImportError.self, "\(what) of \(count) bytes") {
        _ = count < 4 ? try imported(cut).count : try unpacked(cut).count
      }
    }
    for index in packed.indices {
      for bits: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
        var damaged = packed
        damaged[index] ^= bits
        guard let text = try? unpacked(damaged), text != Self.text else { continue }
        // Without its first bytes it is no archive, and the text says nothing.
        let rows = try? imported(damaged)
        #expect(index < 4 && (rows == nil || rows == [fedExRow]), "\(what), bits \(bits) of byte \(index)")
      }
    }
  }

  @Test func no_damage_to_a_gzip_gives_other_rows() throws {
    let packed = try gzip(Self.text)
    try checkDamaged(packed, "a gzip")
  }

  @Test(arguments: Zip.kinds) func no_damage_to_a_zip_gives_other_rows(_ zip: Zip) throws {
    try checkDamaged(zip.bytes(Self.text), zip.testDescription)
  }

  @Test func errors_name_the_file_and_the_byte() throws {
    let packed = try gzip((0..<20_000).flatMap { "2005-10-14,\($0)\n".utf8 })
    let path = try folder.write(packed.prefix(20_000), as: "all.csv.gz")
    var sink = MemorySink()
    let error = #expect(throws: ImportError.self) {
      try QuoteImporter(options: ImportOptions(ticker: "FDX", skipsBadRows: true)).importFiles([path], into: &sink)
    }
    #expect(error?.description.hasPrefix("cannot unpack \(path), byte 20000") == true)
    let header = try gzip(Array("date,close\n".utf8) + (0..<20_000).flatMap { "2005-10-14,\($0)\n".utf8 })
    _ = try folder.write(header.prefix(20_000), as: "all.csv.gz")
    #expect(throws: ImportError.cannotUnpack(file: path, offset: 20_000, reason: InputBytes.endsEarly)) {
      try QuoteImporter(options: ImportOptions(ticker: "FDX", skipsBadRows: true)).importFiles([path], into: &sink)
    }
    #expect(sink.quotes.isEmpty)
    let text = ImportError.cannotUnpack(file: path, offset: 20_000, reason: InputBytes.endsEarly).description
    #expect(text == "cannot unpack \(path), byte 20000: the archive ends too early; it may be truncated")
  }

  @Test func what_is_not_one_readable_file_is_refused_in_words() throws {
    let zip = try Zip().bytes(Self.text)
    let local = Array(zip[..<(30 + 7 + (try gzip(Self.text).count - 18))])
    let refused: [([UInt8], String)] = [
      (try Zip(flags: 1).bytes(Self.text), "encrypted"),
      (try Zip(method: 14).bytes(Self.text), "compressed by method 14"),
      (try Zip(isDeflated: false, descriptor: .plain).bytes(Self.text), "stored without its size"),
      (local + zip, "it holds two files of the name 'all.csv'"),
      (local + Array(zip[local.count..<(local.count + 53)]) + zip[local.count...], "damaged (its directory)"),
      (try Zip().bytes(of: [("a.csv", Self.text), ("a.csv", Self.text)]), "it holds two files of the name 'a.csv'"),
      (try Zip(descriptor: .plain).bytes(Self.text).prefix(31 + 20) + zip, "damaged"),
      (zip + [1], "other bytes after the archive's end"),
    ]
    for (bytes, reason) in refused {
      let failure = failure(bytes)
      #expect(failure?.reason.contains(reason) == true, "\(reason): \(String(describing: failure))")
    }
    #expect(failure(try gzip(gzip(Self.text)))?.reason.contains("packed twice") == true)
  }

  @Test(arguments: Zip.kinds) func a_zip_of_several_files_is_like_a_directory(_ zip: Zip) throws {
    let ko = Array("date,close\n2018-01-02,45.5\n".utf8)
    let texts = [
      ("all.csv", Self.text), ("daily/", []), ("daily/us/ko.us.txt", ko), ("__MACOSX/._ko", [1, 2]), (".DS_Store", [3]),
      ("daily/empty.csv", []), ("WIKI-MSFT.csv", ko),
    ].filter { !$0.1.isEmpty || zip.descriptor == nil || zip.isDeflated }
    let path = try folder.write(zip.bytes(of: texts), as: "quotes.zip")
    var sink = MemorySink()
    let summary = try QuoteImporter().importFiles([path], into: &sink)
    #expect(sink.quotes.keys.sorted() == ["FDX", "KO", "MSFT"])
    #expect(
      summary.files.filter { !$0.isEmpty }.map(\.name)
        == ["all.csv", "daily/us/ko.us.txt", "WIKI-MSFT.csv"].map { "\(path)/\($0)" })
    // Nothing is imported from one whose last file or directory is damaged.
    let whole = try zip.bytes(of: texts)
    for place in [whole.count - 1, whole.count - 30, whole.count - 80] {
      #expect(failure(Array(whole[..<place])) != nil)
    }
    var other = texts
    other[other.count - 1] = ("KO.csv", Array("date,close\n2018-01-02,46\n".utf8))
    let conflict = try folder.write(zip.bytes(of: other), as: "conflict.zip")
    let error = #expect(throws: ImportError.self) { try QuoteImporter().importFiles([conflict], into: &sink) }
    #expect(error?.description.contains("the first is \(conflict)/daily/us/ko.us.txt, line 2") == true)
  }

  @Test func a_zip64_record_has_a_bounded_size() throws {
    for byteCount in [45, 4096, 1 << 16] {
      #expect(try imported(Zip(isZip64: true, zip64EndByteCount: byteCount).bytes(Self.text)) == [fedExRow])
    }
    for byteCount in [1 << 16 + 1, 1 << 40, .max] {
      let packed = try Zip(isZip64: true, zip64EndByteCount: byteCount).bytes(Self.text)
      #expect(failure(packed)?.reason == "the archive is damaged (its directory)")
    }
  }

  @Test func an_archive_that_failed_never_ends_well() throws {
    let zip = try Zip().bytes(Self.text)
    let stored = try Zip(isDeflated: false).bytes(Self.text)
    let other = try gzip(Array("other".utf8))
    for packed in [zip.dropLast(), zip + [1], stored + [1], zip + zip, try gzip(Self.text) + [0] + other] {
      var file = try InputFile(path: written(Array(packed)))
      var buffer = [UInt8](repeating: 0, count: 4096)
      let failure = #expect(throws: ImportError.self) { while try read(&file, into: &buffer) > 0 {} }
      for _ in 0..<3 {
        let later = #expect(throws: ImportError.self) { try read(&file, into: &buffer) }
        #expect(later == failure)
      }
    }
  }

  @Test func a_wrong_length_is_an_error() throws {
    var packed = try gzip(Self.text)
    packed[packed.count - 4] &+= 1
    #expect(failure(packed)?.reason == "the archive is damaged (incorrect length check)")
    packed[packed.count - 8] &+= 1
    #expect(failure(packed)?.reason == "the archive is damaged (incorrect data check)")
  }

  @Test func what_unpacks_to_very_much_hits_the_limits_of_plain_files() throws {
    let blanks = try gzip([UInt8](repeating: 32, count: 40 << 20))
    #expect(blanks.count < 50_000)
    let path = try folder.write(blanks, as: "FDX.csv.gz")
    for format in [QuoteFormat.csv, .ndjson] {
      var sink = MemorySink()
      #expect(throws: ImportError.lineTooLong(file: path, line: 1, byteCountMax: Limits.csvLineByteCount)) {
        try QuoteImporter(options: ImportOptions(format: format)).importFiles([path], into: &sink)
      }
    }
    var (sink, importer) = (MemorySink(), QuoteImporter(options: ImportOptions(format: .json)))
    importer.tuning.heldByteCountMax = 1 << 20
    #expect(throws: ImportError.tooMuchBesideRows(file: path, byteCountMax: 1 << 20)) {
      try importer.importFiles([path], into: &sink)
    }
  }

  @Test func a_packed_pipe_is_unpacked() throws {
    for (name, packed) in try [("gz", gzip(Self.text)), ("zip", Zip(descriptor: .plain).bytes(Self.text))] {
      let archive = try folder.write(packed, as: "all.\(name)")
      let pipe = "\(folder.path)/pipe-\(name)"
      folder.run("mkfifo \(pipe)")
      // Byte by byte, as a slow network brings them.
      let started = unsafe system("(dd if=\(archive) bs=1 of=\(pipe)) >/dev/null 2>&1 &")
      #expect(started == 0)
      var sink = MemorySink()
      _ = try QuoteImporter().importFiles([pipe], into: &sink)
      #expect(sink.rows("FDX") == [fedExRow])
    }
  }

  /// In a process of its own, where no other test opens files.
  @Test func unpacking_leaves_no_descriptor_behind() async {
    await #expect(processExitsWith: .success) { try unpackInVain() }
  }
}

/// Leaves archives halfway and reads a damaged one; traps when something stays open.
private func unpackInVain() throws {
  let folder = TemporaryDirectory()
  let packed = try gzip((0..<200_000).flatMap { "2005-10-14,\($0)\n".utf8 })
  let whole = try folder.write(packed, as: "all.csv.gz")
  let before = openDescriptorCount()
  for _ in 0..<20 {
    var file = try InputFile(path: whole)
    var bytes = [UInt8](repeating: 0, count: 10)
    let count = try read(&file, into: &bytes)
    precondition(count > 0 && file.totalByteCount == nil)
  }
  let cut = try folder.write(packed.prefix(20_000), as: "cut.csv.gz")
  var sink = MemorySink()
  let summary = try? QuoteImporter(options: ImportOptions(skipsBadRows: true)).importFiles([cut], into: &sink)
  precondition(summary == nil)
  precondition(openDescriptorCount() == before)
}

private func read(_ file: inout InputFile, into buffer: inout [UInt8]) throws(ImportError) -> Int {
  var span = buffer.mutableSpan
  var bytes = unsafe span.mutableBytes
  return try file.read(into: &bytes)
}

private func openDescriptorCount() -> Int { (3..<200).count { fcntl($0, F_GETFD) != -1 } }
