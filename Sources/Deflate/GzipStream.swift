/// A body in gzip, compressed as it goes out.
package struct GzipStream {
  private let deflater = Deflater(.gzip)

  package init() {}

  /// The next compressed bytes, which may be none: zlib keeps some back until it has seen more.
  ///
  /// - Parameter finish: whether these are the last bytes: then all that is left comes out, and the stream is at its end.
  package mutating func compress(_ bytes: [UInt8], finish: Bool) -> [UInt8] {
    deflater.compress(bytes, finish: finish)
  }
}
