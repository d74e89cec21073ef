#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Bytes that end where readable memory ends: whoever reads past them ends the process, in release too.
@safe
final class GuardedBytes {
  private let memory: UnsafeMutableRawPointer
  private let readableByteCount: Int
  private let pageByteCount = Int(sysconf(Int32(_SC_PAGESIZE)))
  private(set) var bytes: UnsafeRawBufferPointer

  /// Room for up to `capacity` bytes.
  init(capacity: Int) {
    readableByteCount = (capacity + pageByteCount - 1) / pageByteCount * pageByteCount
    let byteCount = readableByteCount + pageByteCount
    guard let memory = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymousMapping, -1, 0),
      unsafe memory != MAP_FAILED
    else { preconditionFailure("no memory") }
    unsafe self.memory = memory
    unsafe mprotect(memory + readableByteCount, pageByteCount, PROT_NONE)
    unsafe bytes = UnsafeRawBufferPointer(start: memory + readableByteCount, count: 0)
  }

  convenience init(_ content: [UInt8]) {
    self.init(capacity: content.count)
    unsafe content.withUnsafeBytes { unsafe fill($0) }
  }

  deinit { unsafe munmap(memory, readableByteCount + pageByteCount) }

  /// Puts `content` in the place of what was there.
  func fill(_ content: UnsafeRawBufferPointer) {
    precondition(content.count <= readableByteCount, "\(content.count) bytes in a room of \(readableByteCount)")
    let start = unsafe memory + (readableByteCount - content.count)
    unsafe UnsafeMutableRawBufferPointer(start: start, count: content.count).copyMemory(from: content)
    unsafe bytes = UnsafeRawBufferPointer(start: start, count: content.count)
  }
}

private let anonymousMapping = Int32(MAP_ANONYMOUS)
