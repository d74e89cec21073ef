#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The pages that the system has given to this process without reading a file: fresh memory, which it has to clear.
enum PageFaults {
  static var count: Int {
    #if canImport(Glibc)
      let process = Int32(RUSAGE_SELF.rawValue)
    #else
      let process = RUSAGE_SELF
    #endif
    var usage = rusage()
    unsafe _ = getrusage(process, &usage)
    return usage.ru_minflt
  }
}
