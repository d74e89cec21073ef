#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The most memory that this process had at one time beyond the files it maps. Only Linux says.
enum PeakMemory {
  /// Begins anew: the peak is what the process has now.
  static func reset() {
    let file = unsafe open("/proc/self/clear_refs", O_WRONLY)
    guard file >= 0 else { return }
    // "5" resets the peak (man proc_pid_clear_refs).
    unsafe _ = write(file, "5", 1)
    close(file)
  }

  /// The peak less the mapped files: exact as long as these stay in memory, as they do after the first run.
  static var bytesBeyondFiles: Int? {
    guard let peak = kibibytes("VmHWM"), let files = kibibytes("RssFile") else { return nil }
    return max(0, peak - files) * 1024
  }

  private static func kibibytes(_ name: String) -> Int? {
    let line = status?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
  }

  private static var status: String? {
    let file = unsafe open("/proc/self/status", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
