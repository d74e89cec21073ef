#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The threads that one query, or one import, may use: the calling thread and its helpers.
///
/// A crew has no threads of its own without work. Helpers come when work is shared, stay awake if more work follows closely,
/// and leave when the crew is gone.
final class Crew: Sendable {
  static let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// One thread for each processor, up to 8. The one thread that reads and writes can't keep more of them busy.
  static let defaultThreadCount = min(8, processorCount)

  /// How many items or chunks of work each thread gets. Items differ in cost. With several for each thread, the threads end
  /// at about the same time, and one slow item leaves the others enough to do.
  static let itemsPerThread = 8

  let threadCount: Int
  /// Nil in a crew of one, which needs no locks.
  let helpers: Helpers?

  init(threadCount: Int, helpedBy pool: ThreadPool = .helpers) {
    self.threadCount = min(max(1, threadCount), Limits.threads)
    helpers = self.threadCount > 1 ? Helpers(limit: self.threadCount - 1, of: pool) : nil
  }

  deinit { helpers?.dismiss() }

  /// The calling thread alone.
  static let alone = Crew(threadCount: 1)
}
