import Console
import Logging
import QuoinServer

/// What the server does: the options, the environment and the file put together.
struct ServeSettings {
  let store: String
  let tokenFile: String?
  private let logLevel: LogLevel
  private let logFormat: LogFormat
  let configuration: ServerConfiguration

  init(_ options: ServeCommand) throws {
    let settings = try Settings(file: options.config ?? System.environment("QUOIN_CONFIG"))
    store = try settings.text("store", options.store.store) ?? options.store.path
    tokenFile = try settings.text("token-file", options.tokenFile)
    logLevel = try settings.choice("log-level", options.logLevel) ?? .info
    logFormat = try settings.choice("log-format", options.logFormat) ?? .text
    configuration = try Self.configuration(options, settings, tokenFile: tokenFile)
  }

  private static func configuration(
    _ options: ServeCommand, _ settings: Settings, tokenFile: String?
  ) throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.host = try settings.text("host", options.host) ?? configuration.host
    configuration.port = try settings.number("port", options.port, in: 0...65_535) ?? configuration.port
    switch (try settings.text("tls-cert", options.tlsCert), try settings.text("tls-key", options.tlsKey)) {
    case (let chain?, let key?): configuration.certificate = CertificateFiles(chain: chain, key: key)
    case (nil, nil): break
    default: throw UsageError("--tls-cert and --tls-key belong together; give both or none")
    }
    configuration.token = try tokenFile.map { try AccessToken(contentsOf: $0) }
    configuration.allowedHosts = try settings.texts("allow-host", options.allowHost)
    configuration.publicURL = try settings.text("public-url", options.publicURL)
    configuration.trustsProxy = try settings.flag("behind-proxy", options.behindProxy)
    configuration.allowedOrigins = try settings.texts("allow-origin", options.allowOrigin)
    configuration.allowsImport = try settings.flag("allow-import", options.allowImport)
    configuration.spoolDirectory =
      try settings.text("spool-directory", options.spoolDirectory) ?? configuration.spoolDirectory
    let megabytes = try settings.number("spool-megabytes", options.spoolMegabytes, in: 1...1 << 30)
    configuration.spoolByteCount = megabytes.map { $0 << 20 } ?? configuration.spoolByteCount
    if let seconds = try settings.number("question-seconds", options.questionSeconds, in: 1...1 << 20) {
      configuration.questionLimits.seconds = Double(seconds)
    }
    configuration.questionLimits.megabytes =
      try settings.number("question-megabytes", options.questionMegabytes, in: 1...1 << 30)
      ?? configuration.questionLimits.megabytes
    configuration.connections = Descriptors.connectionLimit
    return configuration
  }

  /// Says on standard error where the server is, and how scripts find it.
  func announce(_ url: String) {
    guard logFormat == .text else { return logger.notice("serving '\(store)' on \(url)") }
    let known = configuration.publicURL ?? url
    var text = """
      quoin: serving '\(store)' on \(url)
      quoin: open it in a browser, or in an old script set nasdaqdatalink.ApiConfig.api_base = "\(known)/api/v3"

      """
    if known.hasPrefix("https://") {
      text += "quoin: or set in the environment: NASDAQ_DATA_LINK_BASE_DOMAIN=\(known.dropFirst("https://".count))\n"
    }
    StandardStreams.writeError(text)
  }

  var logger: Logger {
    var logger = Logger(label: "quoin-serve") { [logFormat] label in
      if logFormat == .json { return JSONLogHandler() }
      return StreamLogHandler.standardError(label: label)
    }
    logger.logLevel = logLevel.level
    return logger
  }

  var quietLogger: Logger {
    var logger = logger
    logger.logLevel = .error
    return logger
  }
}

enum LogFormat: String, CaseIterable {
  case text, json
}

enum LogLevel: String, CaseIterable {
  case debug, info, warning, error

  var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
