import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.serialized) struct PackedFileTests {
  private let text = "\(wikiHeader)\nFDX,\(fedExCells)\n"

  /// The bulk file of one row in a zip with one member, not compressed.
  private func zip(_ text: String) -> [UInt8] {
    let (data, name) = (Array(text.utf8), Array("all.csv".utf8))
    func number(_ value: UInt32, _ byteCount: Int) -> [UInt8] {
      (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
    let sizes = number(crc(data), 4) + number(UInt32(data.count), 4) + number(UInt32(data.count), 4)
    let common = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 4) + sizes + number(UInt32(name.count), 2)
    let local = [0x50, 0x4B, 3, 4] + common + number(0, 2) + name
    let central = [0x50, 0x4B, 1, 2] + number(20, 2) + common + number(0, 14) + name
    let end = [0x50, 0x4B, 5, 6] + number(0, 4) + number(1, 2) + number(1, 2) + number(UInt32(central.count), 4)
    return local + data + central + end + number(UInt32(local.count + data.count), 4) + number(0, 2)
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
    }
    return ~crc
  }

  @Test func gzip_and_zip_are_unpacked_on_the_way() throws {
    let folder = TemporaryFolder()
    let zipped = try folder.write(zip(text), as: "all.zip")
    let plain = try folder.write(text.utf8, as: "it's $(all).csv")
    #expect(folder.run("cat '\(folder.path)'/it* | gzip -c > '\(folder.path)'/all.csv.gz") == 0)
    for path in [plain, "\(folder.path)/all.csv.gz", zipped] {
      var sink = MemorySink()
      let summary = try QuoteImporter().importFiles([path], into: &sink)
      #expect(sink.rows("FDX") == [fedExRow] && summary.files == [path])
    }
  }

  @Test func a_truncated_archive_is_rejected() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeGzip(lines: 20_000, cutAt: 20_000)
    var sink = MemorySink()
    let error = #expect(throws: ImportError.self) {
      try QuoteImporter(options: ImportOptions(skipsBadRows: true)).importFiles([path], into: &sink)
    }
    #expect(error?.description.contains("all.csv.gz: gzip says:") == true, "\(String(describing: error))")
    #expect(error?.description.contains("unexpected end of file") == true)
  }

  /// In a process of its own, where no other test opens files or has children.
  @Test func unpacking_leaves_no_descriptor_and_no_child_behind() async {
    await #expect(processExitsWith: .success) { try unpackInVain() }
  }

  /// In a process of its own, whose environment the test may change.
  @Test func a_missing_tool_is_named() async {
    await #expect(processExitsWith: .success) { try unpackWithoutTool() }
  }

  @Test func a_packed_pipe_is_refused_in_plain_words() throws {
    let folder = TemporaryFolder()
    _ = try folder.write(text.utf8, as: "all.csv")
    folder.run("gzip \(folder.path)/all.csv; mkfifo \(folder.path)/pipe")
    let feeder = "(cat \(folder.path)/all.csv.gz > \(folder.path)/pipe) >/dev/null 2>&1 &"
    let started = unsafe system(feeder)
    #expect(started == 0)
    var sink = MemorySink()
    let error = #expect(throws: ImportError.self) {
      try QuoteImporter().importFiles(["\(folder.path)/pipe"], into: &sink)
    }
    #expect(error == .packedStream(file: "\(folder.path)/pipe"))
  }
}

/// Leaves archives halfway and reads a damaged one; traps when something stays open or a child is not waited for.
private func unpackInVain() throws {
  let folder = TemporaryFolder()
  let whole = try folder.writeGzip(lines: 200_000)
  let before = openDescriptorCount()
  for _ in 0..<20 {
    var file = try InputFile(path: whole)
    var bytes = [UInt8](repeating: 0, count: 10)
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
    precondition(count > 0 && file.totalByteCount == nil)
  }
  let cut = try folder.writeGzip(lines: 20_000, cutAt: 20_000)
  var sink = MemorySink()
  let summary = try? QuoteImporter(options: ImportOptions(skipsBadRows: true)).importFiles([cut], into: &sink)
  precondition(summary == nil)
  precondition(openDescriptorCount() == before)
  let child = waitpid(-1, nil, WNOHANG)
  precondition(child == -1)
}

/// Traps when the error does not name the tool that is missing.
private func unpackWithoutTool() throws {
  let folder = TemporaryFolder()
  let path = try folder.writeGzip(lines: 1)
  unsafe setenv("PATH", "/nowhere", 1)
  defer { unsafe setenv("PATH", "/bin:/usr/bin", 1) }
  do throws(ImportError) {
    _ = try InputFile(path: path)
    preconditionFailure("unpacked without a tool")
  } catch {
    precondition(error == .toolMissing(file: path, tool: "gzip"))
  }
}

private func openDescriptorCount() -> Int { (3..<200).count { fcntl($0, F_GETFD) != -1 } }

extension TemporaryFolder {
  /// Writes a packed CSV of bad and good rows, or its first bytes; its path.
  fileprivate func writeGzip(lines lineCount: Int, cutAt byteCount: Int? = nil) throws -> String {
    let lines = (0..<lineCount).map { "2005-10-14,\($0)\n" }.joined()
    let text = try write(("date,close\n" + lines).utf8, as: "text")
    let packed = "\(path)/all.csv.gz"
    let cut = byteCount.map { "| head -c \($0)" } ?? ""
    #expect(run("gzip -c \(text) \(cut) > \(packed)") == 0)
    return packed
  }
}
