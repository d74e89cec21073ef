#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Counters in a file, which outlive the process that keeps them: slot 0 is the newest generation whose commit returned,
/// the others count the reads of one reader each.
struct Scoreboard {
  private let descriptor: Int32

  init(_ path: String) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    if descriptor < 0 { fail("no scoreboard at '\(path)'") }
  }

  subscript(slot: Int) -> UInt64 {
    get {
      var value: UInt64 = 0
      _ = unsafe withUnsafeMutableBytes(of: &value) { unsafe pread(descriptor, $0.baseAddress, 8, off_t(slot * 8)) }
      return value
    }
    nonmutating set {
      _ = unsafe withUnsafeBytes(of: newValue) { unsafe pwrite(descriptor, $0.baseAddress, 8, off_t(slot * 8)) }
    }
  }
}
