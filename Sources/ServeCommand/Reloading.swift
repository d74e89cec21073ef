import Logging
import NIOCore
import NIOPosix
import QuoinServer
import ServiceLifecycle
import UnixSignals

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the token and the certificate again at each SIGHUP, as `systemctl reload` and certificate renewals send it.
struct Reloading: Service {
  let server: QuoinServer
  let tokenFile: String?
  let logger: Logger

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      do {
        try server.reload(token: tokenFile.map { try AccessToken(contentsOf: $0) })
        logger.notice("the token and the certificate were read again")
      } catch {
        logger.error("the token and the certificate stay as they were", metadata: ["error": "\(error)"])
      }
    }
  }
}

/// The service manager that started the program, if it wants to know how it is (sd_notify(3)).
enum ServiceManager {
  /// Sends a state such as `READY=1` to the socket that systemd names, and doesn't wait.
  static func tell(_ state: String) {
    guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], path.hasPrefix("/") else { return }
    DatagramBootstrap(group: NIOSingletons.posixEventLoopGroup).connect(unixDomainSocketPath: path).whenSuccess {
      channel in
      channel.writeAndFlush(ByteBuffer(string: state)).whenComplete { _ in channel.close(promise: nil) }
    }
  }
}
