// Arrays of bytes as spans, and back.
//
// Sound: the compiler calls these conversions unsafe because a type could have padding. UInt8 has none, every byte of an
// array is initialized, and accesses to a span are checked.

extension [UInt8] {
  /// Calls `body` with the bytes.
  @inline(__always)
  func withRawSpan<Result, Failure>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    let span = span
    return try body(unsafe span.bytes)
  }

  /// Calls `body` with the bytes, which it may change.
  @inline(__always)
  mutating func withMutableRawSpan<Result, Failure>(
    _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = mutableSpan
    var bytes = unsafe span.mutableBytes
    return try body(&bytes)
  }
}

/// A copy of the bytes.
func bytes(of span: RawSpan) -> [UInt8] { unsafe span.withUnsafeBytes { unsafe Array($0) } }
