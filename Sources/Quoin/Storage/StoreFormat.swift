/// What all files of a store begin with: what they are, and in which version of the format.
enum StoreFormat {
  /// The version that this code writes, and the only one that it reads.
  static let version: UInt32 = 1

  /// Checks that a file begins with `magic` and the version that this code reads.
  static func check(_ file: UnsafeRawBufferPointer, magic: [UInt8], path: String) throws(StoreError) {
    let found = try reading(path) { () throws(Damage) -> UInt32 in
      var reader = unsafe ByteReader(file)
      guard unsafe Array(try reader.slice(magic.count)) == magic else {
        throw Damage(offset: 0, "it doesn't begin with \(String(decoding: magic, as: UTF8.self))")
      }
      return try reader.read()
    }
    guard found == version else { throw .unsupportedVersion(path: path, found: found, supported: version) }
  }

  /// Runs `body`, which reads bytes that begin at `offset` of the file at `path`, and says in its errors where that is.
  static func reading<Result>(
    _ path: String, at offset: Int = 0, _ body: () throws(Damage) -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch {
      throw .damaged(path: path, offset: offset + error.offset, reason: error.reason)
    }
  }
}
