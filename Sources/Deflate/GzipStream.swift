/// A gzip stream, compressed on the way out.
package struct GzipStream {
  private var deflater = Deflater(.gzip)

  package init() {}

  /// The next compressed bytes, if any: zlib holds some back until it has seen more.
  ///
  /// - Parameter finish: whether these are the last bytes, after which the stream ends.
  package mutating func compress(_ bytes: [UInt8], finish: Bool) -> [UInt8] {
    deflater.compress(bytes, finish: finish)
  }
}
