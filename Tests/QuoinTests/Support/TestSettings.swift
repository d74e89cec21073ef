@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a test run is asked for through the environment.
enum TestSettings {
  /// The seed of every random test: `QUOIN_SEED`, else always the same, so that a failure comes again.
  static let seed: UInt64 = variable("QUOIN_SEED").flatMap(UInt64.init) ?? 1

  /// Whether the code isn't optimized, which makes everything many times slower.
  #if DEBUG || UNOPTIMIZED
    static let isDebug = true
  #else
    static let isDebug = false
  #endif

  /// How many times as much of everything random is done as in an ordinary run: `QUOIN_ROUNDS`. From 2 on each option is given each word, and
  /// each operation of a change of shards fails.
  static let rounds = variable("QUOIN_ROUNDS").flatMap(Int.init) ?? 1

  static var isLong: Bool { rounds > 1 }

  /// How often to do something: a number that suits the build, times the rounds.
  static func count(debug: Int, release: Int) -> Int { (isDebug ? debug : release) * rounds }

  /// How often to do something: the environment variable `name`, else as above.
  static func count(_ name: String, debug: Int, release: Int) -> Int {
    variable(name).flatMap(Int.init) ?? count(debug: debug, release: release)
  }

  /// How large something is: the environment variable `name`, else a number that suits the build.
  static func size(_ name: String, debug: Int, release: Int) -> Int {
    variable(name).flatMap(Int.init) ?? (isDebug ? debug : release)
  }

  /// What the environment tells the sanitizers: the programs that tests start are built as the tests are.
  static var sanitizerOptions: [String] {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap { name in variable(name).map { "\(name)=\($0)" } }
  }

  static func variable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }

  /// The most address space that the process has had; 0 where the system doesn't tell.
  static var peakVirtualByteCount: Int {
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("VmPeak:") else { continue }
      return (text.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) * 1024
    }
    return 0
  }

  /// A generator for one random test, whose seed is printed so that the run can be repeated.
  static func dice(_ test: String, stream: UInt64 = 0) -> SeededRandom {
    print("\(test): QUOIN_SEED=\(seed)\(stream == 0 ? "" : " stream \(stream)")")
    return SeededRandom(seed: seed, stream: stream)
  }
}

extension SeededRandom {
  mutating func element<T>(of array: [T]) -> T { array[below(array.count)] }

  /// A random subset, each element in it with this probability.
  mutating func subset<T>(of array: [T], _ probability: Double = 0.5) -> [T] {
    array.filter { _ in chance(probability) }
  }
}

#if QUOIN_THREAD_SANITIZER
  /// Rather than the one of the language's library, which thread sanitizer can't see into.
  typealias Mutex = Quoin.Mutex
#endif
