#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What Linux says of this process, under the names that Prometheus's own libraries use. Other systems say nothing here.
enum ProcessFacts {
  /// The facts in Prometheus's text format; empty if the system doesn't tell.
  static var text: String {
    guard let words = statistics, words.count > 21, let ticks = seconds(words[11]), let more = seconds(words[12]),
      let start = seconds(words[19]), let boot = bootTime, let pages = Double(words[21])
    else { return "" }
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    return fact("process_cpu_seconds_total", "counter", "Processor time, user and system, in seconds", ticks + more)
      + fact("process_open_fds", "gauge", "Open file descriptors", Double(descriptors))
      + fact("process_resident_memory_bytes", "gauge", "Resident memory in bytes", pages * pageByteCount)
      + fact("process_start_time_seconds", "gauge", "When the process began, in seconds since 1970", boot + start)
  }

  private static func fact(_ name: String, _ kind: String, _ help: String, _ value: Double) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n" + CounterSeries.line(name, "", CounterSeries.number(value))
  }

  /// The words of `/proc/self/stat` behind the program's name, which is in parentheses (proc_pid_stat(5)).
  private static var statistics: [Substring]? {
    guard let text = contents("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: end)...].split(separator: " ")
  }

  private static var bootTime: Double? {
    contents("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
  }

  private static func contents(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Linux counts in hundredths of a second here.
  private static func seconds(_ text: Substring) -> Double? { Double(text).map { $0 / 100 } }

  private static let pageByteCount = Double(sysconf(Int32(_SC_PAGESIZE)))
}
