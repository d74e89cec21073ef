#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The memory that this process may use.
enum ProcessMemory {
  /// Bytes of the machine's memory, or of the control group that the process is in, if that has fewer (`memory.max` of Linux's
  /// second version of control groups).
  static let byteCount: Int = {
    let pages = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
    let machine = max(1 << 30, pages.overflow ? .max : pages.partialValue)
    return min(machine, number(in: "/sys/fs/cgroup/memory.max") ?? machine)
  }()

  /// The number that a file of the system consists of; nil if it is a word, such as `max`, or there is no such file.
  private static func number(in path: String) -> Int? {
    // Sound: the path is a constant, and no more is read than the array has room for.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
