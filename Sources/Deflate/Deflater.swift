/// Bytes on their way through zlib, which holds some of them back for a while.
struct Deflater {
  private let stream: ZStream
  private var scratch = [UInt8](repeating: 0, count: 1 << 15)

  init(_ wrapping: ZStream.Wrapping) { stream = ZStream(.deflating, wrapping) }

  /// The next compressed bytes, if any; with `finish`, all that are left.
  mutating func compress(_ bytes: [UInt8], finish: Bool) -> [UInt8] {
    var output: [UInt8] = []
    var start = 0
    while true {
      let step = stream.step(bytes, from: start, into: &scratch, finish: finish)
      output += scratch[..<step.produced]
      start += step.consumed
      if start == bytes.count && step.produced < scratch.count { return output }
    }
  }
}
