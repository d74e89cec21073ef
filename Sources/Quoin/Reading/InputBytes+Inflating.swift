import Deflate

extension InputBytes {
  /// Unpacks some bytes into `buffer`, which isn't empty. No bytes come only from an empty stream's end.
  ///
  /// - Throws: `ImportError.cannotUnpack` if the packed bytes are damaged or end before the stream does.
  mutating func inflate(
    into buffer: inout MutableRawSpan, with inflater: Inflater
  ) throws(ImportError) -> (count: Int, isAtEnd: Bool) {
    while true {
      // Without further bytes, zlib may still have text of those before, or know that they are damaged.
      let isAtFileEnd = try fill(1) == 0
      let step = withAhead { inflater.inflate($0, into: &buffer) }
      skip(step.consumed)
      if let damage = step.damage { throw error("the archive is damaged (\(damage))") }
      if step.produced > 0 || step.isAtEnd { return (step.produced, step.isAtEnd) }
      if isAtFileEnd { throw error(Self.endsEarly) }
    }
  }
}
