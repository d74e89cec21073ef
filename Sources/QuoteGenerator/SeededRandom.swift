/// A small random generator whose numbers are the same on every platform and in every version of this package.
///
/// xoshiro256** by David Blackman and Sebastiano Vigna, its state filled by SplitMix64 as they advise
/// (https://prng.di.unimi.it). The standard library's `random(in:using:)` is not used on top of it, because how that
/// consumes bits is not promised; nor are libm's functions, whose last bits differ between systems.
struct SeededRandom {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// The generator of stream `stream` of `seed`; streams are independent of one another.
  init(seed: UInt64, stream: UInt64 = 0) {
    var mixer = SplitMix64(state: seed)
    mixer = SplitMix64(state: mixer.next() &+ stream)
    mixer = SplitMix64(state: mixer.next())
    state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
  }

  /// 64 random bits.
  @inline(__always)
  mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = (product << 7 | product >> 57) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = state.3 << 45 | state.3 >> 19
    return result
  }

  /// A number in 0..<1, in steps of 2^-53.
  @inline(__always)
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number in `low..<high`.
  @inline(__always)
  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  /// A whole number in 0..<bound; 0 when `bound` is not positive. Lemire's multiplication, its bias below 2^-32
  /// accepted.
  @inline(__always)
  mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next().multipliedFullWidth(by: UInt64(bound)).high) : 0 }

  @inline(__always)
  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// Roughly normal, mean 0 and variance 1: the sum of four uniform 16-bit numbers. Never past +-3.47.
  @inline(__always)
  mutating func normal() -> Double {
    let bits = next()
    let sum = Int(bits & 0xFFFF) + Int(bits >> 16 & 0xFFFF) + Int(bits >> 32 & 0xFFFF) + Int(bits >> 48)
    return Double(sum - 131_070) * (1.7320508075688772 / 65_536)
  }

  /// One of `choices`, each as likely as its weight says.
  mutating func pick<Choice>(_ choices: [(weight: Double, choice: Choice)]) -> Choice {
    var left = unit() * choices.reduce(0) { $0 + $1.weight }
    for (weight, choice) in choices.dropLast() {
      if left < weight { return choice }
      left -= weight
    }
    return choices[choices.count - 1].choice
  }
}

/// Steele, Lea and Flood's generator; here it turns a seed into a well-mixed state.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
