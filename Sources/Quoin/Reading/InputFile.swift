/// A file, or standard input, read from its beginning to its end; a gzip or a zip is unpacked on the way. A zip may hold several
/// files, which are read one after another.
struct InputFile: ~Copyable {
  /// The number of bytes of text, or nil for a stream and a packed file, whose length is unknown.
  let totalByteCount: Int?
  /// How the file is packed; nil if it isn't.
  let packing: Packing?
  private var bytes: InputBytes
  private var unpacker: (any Unpacker)?
  /// Why the file can't be read on. An archive that failed must not be taken for one that ended.
  private var failure: ImportError?
  private var entryIndex = -1
  /// How many bytes of text an archive may have, and how many it had so far.
  var unpackedByteCountMax = Int.max
  private var unpackedByteCount = 0
  private let hasOneEntry: Bool

  /// Opens the file of a source.
  init(_ source: ImportSource) throws(ImportError) {
    switch source {
    case .path(let path): try self.init(path: path)
    case .bytes(let bytes, let name): self.init(bytes, name: name)
    }
  }

  /// The file with these bytes.
  private init(_ bytes: [UInt8], name: String) {
    packing = Packing(bytes)
    unpacker = packing?.unpacker
    totalByteCount = unpacker == nil ? bytes.count : nil
    hasOneEntry = packing != .zip || ZipEnd.saysOneFile(Array(bytes.suffix(ZipEnd.byteCount)))
    self.bytes = InputBytes(bytes, name: name)
  }

  /// Opens the file at `path`; `-` is standard input.
  init(path: String) throws(ImportError) {
    let file: ReadableFile
    do throws(FileSystemError) { file = try ReadableFile(path: path) } catch {
      throw .cannotOpen(file: ShownText.path(path), errno: error.code)
    }
    let byteCount = file.remainingByteCount
    var bytes = InputBytes(file)
    _ = try bytes.fill(Packing.magicByteCount)
    packing = Packing(bytes.ahead)
    unpacker = packing?.unpacker
    totalByteCount = unpacker == nil ? byteCount : nil
    hasOneEntry = packing != .zip || Self.holdsOneFile(file)
    self.bytes = bytes
  }

  /// Whether a zip says at its end that it holds one file; true too for a stream, whose end isn't known.
  private static func holdsOneFile(_ zip: ReadableFile) -> Bool {
    do throws(FileSystemError) { return try zip.lastBytes(ZipEnd.byteCount).map(ZipEnd.saysOneFile) ?? true } catch {
      return false
    }
  }

  /// What errors call the file: the path, or `standard input`; with the name in the archive if it holds several files.
  var name: String {
    guard let entry = entryName, entryIndex > 0 || !hasOneEntry else { return bytes.name }
    return "\(bytes.name)/\(ShownText.sanitized(entry.utf8, byteCount: 300))"
  }

  /// The name of the file in the archive.
  private(set) var entryName: String?
  /// The names in the archive of files that are passed over.
  private(set) var passedOver: [String] = []

  /// Begins the first file of an archive, or the next after the one before is read to its end. Directories are passed over, and what
  /// systems put beside the files.
  ///
  /// - Returns: what errors call it, and its name in the archive; nil if there is none.
  @discardableResult
  mutating func beginEntry() throws(ImportError) -> (name: String, entryName: String?)? {
    while true {
      entryIndex += 1
      guard try unpacker?.beginEntry(&bytes) ?? (entryIndex == 0) else { return nil }
      // As it is: a name without its control characters could be another one's.
      entryName = unpacker?.entryName.map { PathText.text($0) }
      guard let entryName, Self.isPassedOver(entryName) else { return (name, entryName) }
      if !entryName.hasSuffix("/") { passedOver.append(entryName) }
      var rest = [UInt8](repeating: 0, count: 64 << 10)
      repeat {} while try rest.withMutableRawSpan { (span) throws(ImportError) in try read(into: &span) } > 0
    }
  }

  mutating func takePassedOver() -> [String] {
    defer { passedOver = [] }
    return passedOver
  }

  private static func isPassedOver(_ name: String) -> Bool {
    // `.` and `..` hide nothing: some programs write `./AA.csv`.
    let parts = name.split(separator: "/").filter { $0 != "." && $0 != ".." }
    return name.hasSuffix("/") || parts.contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
  }

  /// Reads some bytes of text into `buffer`, which isn't empty; 0 at the end.
  mutating func read(into buffer: inout MutableRawSpan) throws(ImportError) -> Int {
    if let failure { throw failure }
    do throws(ImportError) {
      if entryIndex < 0 { try beginEntry() }
      guard unpacker != nil else { return try bytes.read(into: &buffer) }
      let count = try unpacker?.read(into: &buffer, from: &bytes) ?? 0
      unpackedByteCount += count
      guard unpackedByteCount <= unpackedByteCountMax else {
        throw bytes.error("its text has more than \(unpackedByteCountMax) bytes; unpack it, and import parts of it")
      }
      return count
    } catch {
      failure = error
      throw error
    }
  }
}
