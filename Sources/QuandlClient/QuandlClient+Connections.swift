import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension QuandlClient {
  /// Runs `body`, and turns errors of the connection into this client's errors.
  func translating<Result>(
    _ url: ServiceURL, _ body: () async throws -> Result
  ) async throws(QuandlClientError) -> Result {
    do { return try await body() } catch {
      if Task.isCancelled || error is CancellationError { throw .cancelled }
      throw error as? QuandlClientError ?? failure(of: error, url)
    }
  }

  private func failure(of error: any Error, _ url: ServiceURL) -> QuandlClientError {
    if let limit = exceededLimit(error) { return failure(.timeLimit, limit, url) }
    switch error {
    case let error as NIOConnectionError:
      let reason = error.connectionErrors.first.map { Self.reason($0.error) } ?? "the host's name is not known"
      return failure(.connection, "cannot connect to \(error.host), port \(error.port): \(reason)", url)
    case let error as IOError where Self.isRefusal(error.errnoCode):
      let (host, port) = (url.origin.host, url.origin.port)
      return failure(.connection, "cannot connect to \(host), port \(port): \(Self.reason(error))", url)
    case is NIOSSLError, is NIOSSLExtraError:
      // A certificate that isn't trusted now won't be trusted in a minute.
      var failure = failure(
        .connection, "no secure connection: \(error); SSL_CERT_FILE may name the certificates to trust", url)
      failure.isLasting = true
      return failure
    default: return failure(.connection, "the connection broke: \(Self.reason(error))", url)
    }
  }

  /// What took too long, if the error is a timeout.
  private func exceededLimit(_ error: any Error) -> String? {
    let noConnection = "no connection within \(configuration.timeLimits.connection)"
    if case .connectTimeout = error as? ChannelError { return noConnection }
    switch error as? HTTPClientError {
    case .connectTimeout?, .getConnectionFromPoolTimeout?, .tlsHandshakeTimeout?: return noConnection
    case .readTimeout?: return "the service says nothing for \(configuration.timeLimits.silence)"
    case .deadlineExceeded?: return "the answer takes too long"
    default: return nil
    }
  }

  /// Whether the connection was never made.
  private static func isRefusal(_ code: Int32) -> Bool {
    [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL].contains(code)
  }

  private static func reason(_ error: any Error) -> String {
    if let error = error as? HTTPClientError { return error.shortDescription }
    return (error as? IOError).map { systemMessage($0.errnoCode) } ?? "\(error)"
  }
}
