import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import Quoin
import ServiceLifecycle

/// An HTTP server that answers Quandl's API and Quoin's own from a store.
///
/// ```swift
/// let server = try QuoinServer(store: "quoin-store") { print("listening on \($0)") }
/// try await server.run()
/// ```
///
/// It only reads, unless `ServerConfiguration.allowsImport` lets browsers send files, and shows what other processes commit while it runs. It runs until its task is cancelled or, in a
/// `ServiceGroup`, until the group shuts down; the answers under way are then sent first, those that still wait are refused.
public struct QuoinServer: Service {
  private let configuration: ServerConfiguration
  private let address: SocketAddress
  private let secrets: Secrets
  private let responder: Responder
  private let connections: OpenConnections
  private let logger: Logger
  private let onListening: @Sendable (_ url: String) -> Void

  /// - Parameters:
  ///   - path: the store's directory.
  ///   - configuration: the address, who may ask, and the limits.
  ///   - logger: gets a line for each request, at level info.
  ///   - metrics: the values that `/metrics` shows.
  ///   - onListening: called with the URL, such as `http://127.0.0.1:8977`, when the server accepts requests.
  /// - Throws: `ServerError` if the configuration is invalid, `StoreError` if there is no store.
  public init(
    store path: String, configuration: ServerConfiguration = ServerConfiguration(),
    logger: Logger = Logger(label: "quoin-serve"), metrics: PrometheusMetrics = PrometheusMetrics(),
    onListening: @escaping @Sendable (_ url: String) -> Void = { _ in }
  ) throws {
    self.configuration = configuration
    self.logger = logger
    self.onListening = onListening
    address = try configuration.address()
    secrets = Secrets(token: configuration.token, certificate: try configuration.certificate.map(Certificate.init))
    let metrics = ServerMetrics(metrics)
    let store = ServedStore(path) { metrics.show($0) }
    connections = OpenConnections(places: configuration.placeCount)
    responder = Responder(
      gate: try configuration.gate(listeningOn: address, secrets), store: store, metrics: metrics, logger: logger,
      spool: Spool(in: configuration.spoolDirectory, byteCountMax: configuration.spoolByteCount),
      desk: ImportDesk(isOpen: configuration.allowsImport),
      questions: QuestionQueue(configuration.queueLimits, metrics), limits: configuration.questionLimits,
      look: StoreLook { try store.view().stamp.generation })
    _ = try store.view()
  }

  /// Listens and answers.
  ///
  /// - Throws: `ServerError` if the address or the port is refused.
  public func run() async throws {
    do {
      try await withGracefulShutdownHandler {
        try await application.run()
      } onGracefulShutdown: {
        responder.questions.end(after: configuration.deadlines.shutdown / 3)
      }
    } catch let error as IOError {
      throw ServerError.cannotListen(
        host: configuration.host, port: configuration.port, reason: systemMessage(error.errnoCode))
    }
  }

  /// Takes another token, and reads the files of the certificate again. Open connections stay, and keep their certificate; the
  /// token counts from the next request on.
  ///
  /// - Throws: `ServerError` if one of them can't be used. Then nothing has changed.
  public func reload(token: AccessToken?) throws(ServerError) {
    try configuration.checkToken(token, listeningOn: address)
    secrets.replace(token: token, certificate: try configuration.certificate.map(Certificate.init))
  }

  private var application: Application<Responder> {
    // Hummingbird's own messages matter only if something is wrong.
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    return Application(
      responder: responder, server: builder,
      configuration: ApplicationConfiguration(
        address: .hostname(address.ipAddress ?? configuration.host, port: configuration.port),
        backlog: ServerLimits.connections,
        availableConnectionsDelegate: MaximumAvailableConnections(
          configuration.placeCount, logger: quiet)),
      onServerRunning: { channel in
        if configuration.sendsTokenInClear, !address.isLoopback {
          logger.warning(
            "the token comes over plain http, where others can read it; use a certificate, or a proxy with https")
        }
        onListening(url(of: channel))
      }, logger: quiet)
  }

  private var builder: HTTPServerBuilder {
    HTTPServerBuilder { responder in
      let channel = ConnectionChannel(
        responder: responder, scheme: scheme, deadlines: configuration.deadlines, connections: connections,
        onMalformed: self.responder.noteMalformed)
      return if let tls = secrets.tls { try TLSChannel(channel, tlsConfiguration: tls) } else { channel }
    }
  }

  private var scheme: String { configuration.certificate == nil ? "http" : "https" }

  private func url(of channel: any Channel) -> String {
    let address = (channel.localAddress ?? address).reachable
    return "\(scheme)://\(address.hostName ?? configuration.host):\(address.port ?? configuration.port)"
  }
}
