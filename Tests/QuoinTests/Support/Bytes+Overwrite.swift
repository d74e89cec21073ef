extension [UInt8] {
  /// Overwrites as many bytes from a place on as there are new ones.
  mutating func overwrite(from start: Int, with bytes: some Collection<UInt8>) {
    replaceSubrange(start..<(start + bytes.count), with: bytes)
  }

  /// These bytes, of which as many as there are new ones are others from a place on.
  func replacing(_ start: Int, with bytes: [UInt8]) -> [UInt8] {
    var changed = self
    changed.overwrite(from: start, with: bytes)
    return changed
  }
}
