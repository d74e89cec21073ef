/// A gzip stream, unpacked on the way in. Its memory is bounded, however much the packed bytes stand for.
package struct GunzipStream {
  private let stream = ZStream(.inflating, .gzip)
  private var scratch = [UInt8](repeating: 0, count: 1 << 16)
  /// Whether the stream is whole.
  package private(set) var isAtEnd = false

  package init() {}

  /// Unpacks the next bytes piece by piece, as long as `take` doesn't throw.
  ///
  /// - Returns: what is wrong with the packed bytes; nil if nothing is.
  package mutating func unpack<Failure>(
    _ packed: [UInt8], _ take: (ArraySlice<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> String? {
    var start = 0
    while !isAtEnd {
      let step = stream.step(packed, from: start, into: &scratch, finish: false)
      if let damage = step.damage { return damage }
      start += step.consumed
      isAtEnd = step.isAtEnd
      if step.produced > 0 { try take(scratch[..<step.produced]) }
      // zlib holds nothing back when it leaves room.
      if step.produced < scratch.count, start == packed.count { break }
    }
    return start < packed.count ? "bytes after its end" : nil
  }
}
