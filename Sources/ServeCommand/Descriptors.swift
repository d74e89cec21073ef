import Console
import QuoinServer

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file descriptors that the process may open. Each connection takes one, and another one for a long answer.
enum Descriptors {
  /// Descriptors for everything but connections: the store's files while they are being mapped, the standard streams, event
  /// loops; and for the answers that are kept.
  private static let otherDescriptorCount = 64 + ServerLimits.keptAnswers

  /// Raises the limit of descriptors to what the server needs, or as far as the system allows. Ignores the signal that comes when
  /// a client disconnects during a write.
  static func prepareForConnections() {
    _ = signal(SIGPIPE, SIG_IGN)
    var limit = System.descriptorLimit
    let wanted = rlim_t(2 * ServerLimits.connections + otherDescriptorCount)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    System.descriptorLimit = limit
  }

  /// The number of connections that the process has descriptors for.
  static var connectionLimit: Int {
    let limit = min(System.descriptorLimit.rlim_cur, rlim_t(2 * ServerLimits.connections + otherDescriptorCount))
    return max(1, (Int(limit) - otherDescriptorCount) / 2)
  }
}
