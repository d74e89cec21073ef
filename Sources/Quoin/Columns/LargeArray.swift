#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Array {
  /// Makes room for many elements, in large pages if the system has them: touching each small page of fresh memory for
  /// the first time costs more than writing to it.
  mutating func reserveLargeCapacity(_ count: Int) {
    reserveCapacity(count)
    #if canImport(Glibc)
      let pageSize = 4096
      let byteCount = capacity * MemoryLayout<Element>.stride
      guard byteCount >= 1 << 20 else { return }
      unsafe withUnsafeMutableBufferPointer { buffer in
        // Sound: this is advice about pages inside the array's own memory, and changes no content.
        guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
        let start = unsafe base.alignedUp(toMultipleOf: pageSize)
        let length = unsafe byteCount - (start - base)
        unsafe _ = madvise(start, length / pageSize * pageSize, MADV_HUGEPAGE)
      }
    #endif
  }
}
