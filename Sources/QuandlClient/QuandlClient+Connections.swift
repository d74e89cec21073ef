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
    _ url: ServiceURL, _ deadline: Deadline, _ body: () async throws -> Result
  ) async throws(QuandlClientError) -> Result {
    do { return try await body() } catch {
      if Task.isCancelled || error is CancellationError { throw .cancelled }
      throw error as? QuandlClientError ?? failure(of: error, url, deadline)
    }
  }

  private func failure(of error: any Error, _ url: ServiceURL, _ deadline: Deadline) -> QuandlClientError {
    if let limit = exceededLimit(error, deadline) { return failure(.timeLimit, limit, url) }
    let proxy = transport.proxy(for: url.origin)
    if let proxy, error as? HTTPClientError == .proxyAuthenticationRequired { return refusal(of: proxy, url) }
    let partner = proxy.map { "the proxy \($0)" } ?? "\(url.origin.host), port \(url.origin.port)"
    switch error {
    case let error as NIOConnectionError:
      let reason = error.connectionErrors.first.map { Self.reason($0.error) } ?? "the host's name is not known"
      return failure(.connection, "cannot connect to \(partner): \(reason)", url)
    case let error as IOError where Self.isRefusal(error.errnoCode):
      return failure(.connection, "cannot connect to \(partner): \(Self.reason(error))", url)
    case is NIOSSLError, is NIOSSLExtraError:
      // A certificate that isn't trusted now won't be trusted in a minute.
      var failure = failure(
        .connection, "no secure connection: \(error); SSL_CERT_FILE may name the certificates to trust", url)
      failure.isLasting = true
      return failure
    case let error as HTTPClientError where error == .invalidProxyResponse:
      return failure(.connection, "\(partner) doesn't connect to \(url.origin.host), port \(url.origin.port)", url)
    default: return failure(.connection, "the connection broke: \(Self.reason(error))", url)
    }
  }

  /// The error for a proxy that doesn't know its user.
  func refusal(of proxy: Proxy, _ url: ServiceURL) -> QuandlClientError {
    let reason =
      proxy.credentials == nil
      ? "wants a user and a password: http://user:password@host:port" : "refuses the user or the password"
    var failure = failure(.connection, "the proxy \(proxy) \(reason)", url)
    failure.isLasting = true
    return failure
  }

  /// What took too long, if the error is a timeout.
  private func exceededLimit(_ error: any Error, _ deadline: Deadline) -> String? {
    let noConnection = "no connection within \(configuration.timeLimits.connection)"
    if case .connectTimeout = error as? ChannelError { return noConnection }
    switch error as? HTTPClientError {
    case .connectTimeout?, .getConnectionFromPoolTimeout?, .tlsHandshakeTimeout?, .httpProxyHandshakeTimeout?,
      .socksHandshakeTimeout?:
      return noConnection
    case .readTimeout?: return "the service says nothing for \(deadline.silence)"
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
