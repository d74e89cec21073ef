/// How the manifest and every column file begin: with what they are, and the version of the format.
enum StoreFormat {
  /// The version of manifests, and the first one of column files.
  static let version: UInt32 = 2
  /// The first version of column files whose volumes may be float64, because some have a fraction.
  static let fractionVersion: UInt32 = 3
  /// The version of column files that are written: their records of imports are packed.
  static let columnFileVersion: UInt32 = 4

  /// Checks that a file begins with `magic` and a version that this code reads.
  ///
  /// - Parameters:
  ///   - checkedByteCount: how many of the first bytes end in a checksum of 8 bytes of the others.
  ///   - newest: the last of the versions.
  static func check(
    _ file: ByteView, checkedByteCount: Int, magic: [UInt8], upTo newest: UInt32 = version, path: String
  ) throws(StoreError) {
    let found = try reading(path) { () throws(Damage) -> UInt32 in
      var reader = ByteReader(file)
      guard try reader.view(magic.count).array == magic else {
        throw Damage(offset: 0, "it doesn't begin with \(String(decoding: magic, as: UTF8.self))")
      }
      return try reader.read()
    }
    if found == version { return }
    let versions = version...newest
    // No version was 0: so reads a file that was cut there.
    let written = versions.first { $0 != found && isOf($0, file.prefix(checkedByteCount), magic) }
    if let written = written ?? (found == 0 ? version : nil) {
      throw .damaged(path: path, offset: magic.count, reason: "the format version is \(found) in place of \(written)")
    }
    if versions.contains(found) { return }
    throw .unsupportedVersion(path: path, found: found, supported: newest)
  }

  /// Whether these bytes were written with a version, which was damaged since: then the checksum is that of this one.
  private static func isOf(_ version: UInt32, _ checked: ByteView, _ magic: [UInt8]) -> Bool {
    guard checked.count >= magic.count + 12 else { return false }
    let written = magic + bytes(of: version) + checked.slice((magic.count + 4)..<(checked.count - 8)).array
    return Checksum(of: written).value == checked.integer(at: checked.count - 8)
  }

  private static func bytes(of version: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: version)
    return bytes
  }

  /// Runs `body`, which reads bytes that begin at `offset` of the file at `path`. Its errors become errors of that place.
  static func reading<Result>(
    _ path: String, at offset: Int = 0, _ body: () throws(Damage) -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch { throw StoreError(error, path, at: offset) }
  }
}

extension StoreError {
  /// What is wrong with bytes that begin at `offset` of the file at `path`.
  init(_ damage: Damage, _ path: String, at offset: Int) {
    let offset = offset + damage.offset
    self =
      damage.isUnknown
      ? .unsupported(path: path, feature: "\(damage.reason) at byte \(offset)")
      : .damaged(path: path, offset: offset, reason: damage.reason)
  }
}
