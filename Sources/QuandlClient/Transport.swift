import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// The ways to services: straight, or through proxies. A dump doesn't show it, because the library's settings have passwords.
final class Transport: Sendable, CustomReflectable {
  private enum Way: Hashable {
    case straight
    /// The proxy connects to the service, and doesn't see what is said.
    case tunnel(Proxy)
    /// The proxy gets each request, which names the whole address, and passes it on.
    case forwarding
  }

  private let proxies: ProxySettings
  private let clients: [Way: HTTPClient]

  init(_ configuration: QuandlClient.Configuration, silence: Duration) {
    proxies = configuration.proxies
    let timeout = HTTPClient.Configuration.Timeout(
      connect: TimeAmount(configuration.timeLimits.connection), read: TimeAmount(silence))
    let ways = Set([.straight, Self.way(through: proxies.http, "http"), Self.way(through: proxies.https, "https")])
    clients = Dictionary(
      uniqueKeysWithValues: ways.map { ($0, HTTPClient(configuration: Self.configuration(timeout, $0))) })
  }

  /// The connections close, and requests that are under way fail.
  deinit { for client in clients.values { client.shutdown { _ in } } }

  var customMirror: Mirror { Mirror(self, children: []) }

  /// The proxy on the way to a server; nil for none.
  func proxy(for origin: Origin) -> Proxy? { proxies.proxy(for: origin) }

  /// Sends a request, and returns the head of the answer.
  func execute(
    _ request: HTTPClientRequest, to origin: Origin, deadline: NIODeadline
  ) async throws -> HTTPClientResponse {
    let proxy = proxy(for: origin)
    let way = Self.way(through: proxy, origin.scheme)
    guard let client = clients[way] else { preconditionFailure("no connections for \(way)") }
    let request = proxy.map { way == .forwarding ? Self.forwarded(request, $0) : request } ?? request
    return try await client.execute(request, deadline: deadline)
  }

  private static func way(through proxy: Proxy?, _ scheme: String) -> Way {
    guard let proxy else { return .straight }
    return proxy.kind == .http && scheme == "http" ? .forwarding : .tunnel(proxy)
  }

  /// The request as the proxy gets it; `WholeAddress` does the rest.
  private static func forwarded(_ request: HTTPClientRequest, _ proxy: Proxy) -> HTTPClientRequest {
    var request = request
    let address = request.url.dropFirst("http://".count)
    let host = address.prefix { $0 != "/" && $0 != "?" }
    let target = address[host.endIndex...]
    request.url = "\(proxy)\(target.first == "/" ? "" : "/")\(target)"
    request.headers.add(name: "host", value: String(host))
    if let value = proxy.authorization { request.headers.add(name: "proxy-authorization", value: value) }
    return request
  }

  /// The library doesn't follow redirects, because it would send the key to another host. The client follows them.
  private static func configuration(
    _ timeout: HTTPClient.Configuration.Timeout, _ way: Way
  ) -> HTTPClient.Configuration {
    var transport = HTTPClient.Configuration(redirectConfiguration: .disallow, timeout: timeout)
    // Otherwise the library would repeat failed connections by itself.
    transport.connectionPool.retryConnectionEstablishment = false
    transport.httpVersion = .http1Only
    if let path = ProcessEnvironment["SSL_CERT_FILE"] {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(path)
      transport.tlsConfiguration = tls
    }
    switch way {
    case .straight: break
    case .tunnel(let proxy): transport.proxy = HTTPClient.Configuration.Proxy(proxy)
    case .forwarding: transport.http1_1ConnectionDebugInitializer = WholeAddress.add
    }
    return transport
  }
}

extension HTTPClient.Configuration.Proxy {
  fileprivate init(_ proxy: Proxy) {
    switch proxy.kind {
    case .http:
      self = .server(
        host: proxy.host, port: proxy.port, authorization: proxy.credentials.map { .basic(credentials: $0) })
    case .socks5: self = .socksServer(host: proxy.host, port: proxy.port)
    }
  }
}

/// Writes the whole address into a request's first line, as a proxy needs it (RFC 9112, 3.2.2).
private final class WholeAddress: ChannelOutboundHandler {
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.submit {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(WholeAddress(), position: .after(pipeline.handler(type: HTTPRequestEncoder.self)))
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = Self.unwrapOutboundIn(data), let host = head.headers.first(name: "host") else {
      return context.write(data, promise: promise)
    }
    head.uri = "http://\(host)\(head.uri)"
    context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
  }
}
