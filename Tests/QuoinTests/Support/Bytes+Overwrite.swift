extension [UInt8] {
  /// Overwrites as many bytes from a place on as there are new ones.
  mutating func overwrite(from start: Int, with bytes: some Collection<UInt8>) {
    replaceSubrange(start..<(start + bytes.count), with: bytes)
  }
}
