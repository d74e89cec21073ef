#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SignificantDigits {
  /// The nearest number with so many digits: what `printf` prints, read back.
  ///
  /// Complexity: O(1), without text for magnitudes in 1e-7 ..< 1e14.
  package func nearest(to value: Double) -> Double {
    let size = value.magnitude
    if size >= 1e-7 && size < 1e14 || size == 0 || !value.isFinite { return rounded(value) }
    return nearestAsText(to: value)
  }

  /// The definition itself.
  @inline(never)
  package func nearestAsText(to value: Double) -> Double {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      // Sound: no such text has 64 characters, and `vsnprintf` ends it with a zero.
      guard let start = text.baseAddress else { return value }
      _ = unsafe withVaList([Int32(digits), value]) { unsafe vsnprintf(start, text.count, "%.*g", $0) }
      return unsafe strtod(start, nil)
    }
  }
}
