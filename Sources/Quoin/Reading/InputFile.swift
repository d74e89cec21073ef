/// A file, or standard input, read from its beginning to its end; a gzip or a zip of one file is unpacked on the way.
struct InputFile: ~Copyable {
  /// The number of bytes of text, or nil for a stream and a packed file, whose length is unknown.
  let totalByteCount: Int?
  private var bytes: InputBytes
  private var unpacker: (any Unpacker)?
  /// Why the file can't be read on. An archive that failed must not be taken for one that ended.
  private var failure: ImportError?

  /// Opens the file at `path`; `-` is standard input.
  init(path: String) throws(ImportError) {
    let file: ReadableFile
    do throws(FileSystemError) { file = try ReadableFile(path: path) } catch {
      throw .cannotOpen(file: path, errno: error.code)
    }
    let byteCount = file.remainingByteCount
    var bytes = InputBytes(file)
    _ = try bytes.fill(Packing.magicByteCount)
    unpacker = Packing(bytes.ahead)?.unpacker
    totalByteCount = unpacker == nil ? byteCount : nil
    self.bytes = bytes
  }

  /// What errors call the file: the path, or `standard input`.
  var name: String { bytes.name }

  /// Reads some bytes of text into `buffer`, which isn't empty; 0 at the end.
  mutating func read(into buffer: inout MutableRawSpan) throws(ImportError) -> Int {
    if let failure { throw failure }
    do throws(ImportError) {
      guard unpacker != nil else { return try bytes.read(into: &buffer) }
      return try unpacker?.read(into: &buffer, from: &bytes) ?? 0
    } catch {
      failure = error
      throw error
    }
  }
}
