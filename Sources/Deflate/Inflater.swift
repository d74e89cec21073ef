/// A deflated stream that is unpacked. Its memory is bounded: zlib keeps a window of 32 kB.
package struct Inflater {
  private let stream: ZStream

  private init(_ wrapping: ZStream.Wrapping) { stream = ZStream(.inflating, wrapping) }

  /// For deflated bytes without a wrapping, as in a zip.
  package static var plain: Inflater { Inflater(.none) }

  /// For a member of a gzip, whose checksum is compared at its end.
  package static var gzip: Inflater { Inflater(.gzip) }

  /// Expects a new stream after one that has ended.
  package func reset() { stream.reset() }

  /// Unpacks some of the bytes into `output`, which isn't empty.
  package func inflate(_ packed: RawSpan, into output: inout MutableRawSpan) -> ZStep {
    stream.step(packed, into: &output)
  }
}
