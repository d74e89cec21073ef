import NIOCore
import NIOPosix
import Quoin
import ServiceLifecycle

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends the process some time after it was told to end, whatever is still going on: a thread may wait for a disk that doesn't
/// answer, and nobody can call it back.
struct Ending: Service {
  /// How long the server has for the answers under way.
  let limit: Duration

  func run() async throws {
    guard (try? await gracefulShutdown()) != nil else { return }
    let time = TimeAmount(limit) - .seconds(1)
    NIOSingletons.posixEventLoopGroup.any().scheduleTask(in: time) { _exit(0) }
  }
}
