import Console
import QuoinServer

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file descriptors that the process may have: each connection takes one.
enum Descriptors {
  /// Descriptors for all but connections: the store's files while they are mapped, the standard streams, event loops.
  private static let otherDescriptorCount = 64

  /// Takes all the descriptors that the system allows, and lives on when a client goes while it is written to.
  static func prepareForConnections() {
    _ = signal(SIGPIPE, SIG_IGN)
    var limit = System.descriptorLimit
    let wanted = rlim_t(ServerLimits.connections + otherDescriptorCount)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    System.descriptorLimit = limit
  }

  /// How many connections the process has descriptors for.
  static var connectionLimit: Int {
    let limit = min(System.descriptorLimit.rlim_cur, rlim_t(ServerLimits.connections + otherDescriptorCount))
    return max(1, Int(limit) - otherDescriptorCount)
  }
}
