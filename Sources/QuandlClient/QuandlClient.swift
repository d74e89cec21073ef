import Quoin

/// A client of Quandl's API, for Nasdaq Data Link, `quoin serve` and similar services.
///
/// Requests are repeated if the service is busy or the connection breaks, and end at once if their task is cancelled. Any
/// number of tasks may use one client. All answers are checked.
///
///     let client = try QuandlClient(baseURL: "http://127.0.0.1:8977/api/v3")
///     let quotes = try await client.fetch("WIKI/FDX", from: "2005-01-01")
///     try await client.save("WIKI/FDX", into: store)
public final class QuandlClient: Sendable {
  /// Where the service is, without a slash at the end: `https://data.nasdaq.com/api/v3`.
  public var baseURL: String { base.text }

  let service: VendorService
  let base: ServiceBase
  let configuration: Configuration
  let key: APIKey
  /// How requests to the service are signed; nil if they aren't.
  let access: BucketAccess?
  let transport: Transport
  /// Bulk downloads have more patience.
  let downloads: Transport
  let gate: RequestGate
  let timing: Timing

  /// - Parameters:
  ///   - apiKey: the key by which the service knows its user; nil for none. It is sent in a header and nowhere else. By default
  ///     the environment's `NASDAQ_DATA_LINK_API_KEY`, else `QUANDL_API_KEY`.
  ///   - baseURL: where the service is: `http://127.0.0.1:8977/api/v3`; the path may be left out. By default Nasdaq Data
  ///     Link, or the host that the environment's `NASDAQ_DATA_LINK_BASE_DOMAIN` names.
  ///   - configuration: limits, deadlines and retries.
  /// - Throws: `QuandlClientError` if the key or the address isn't valid.
  public convenience init(
    apiKey: String? = QuandlClient.environmentKey, baseURL: String = QuandlClient.defaultBaseURL,
    configuration: Configuration = Configuration()
  ) throws(QuandlClientError) {
    try self.init(apiKey: apiKey, baseURL: baseURL, configuration: configuration, timing: .system)
  }

  init(
    _ service: VendorService = .nasdaqDataLink, apiKey: String?, access: BucketAccess? = nil, baseURL: String,
    configuration: Configuration, timing: Timing
  ) throws(QuandlClientError) {
    self.service = service
    base = try ServiceBase(baseURL, usualPath: service.form == .quandl ? "/api/v3" : "")
    key = try APIKey(service.key == nil ? nil : apiKey, in: service.key ?? .quandl)
    (self.access, self.configuration) = (access, configuration)
    self.timing = timing
    gate = RequestGate(count: configuration.requestsInFlight)
    transport = Transport(configuration, silence: configuration.timeLimits.silence)
    downloads = Transport(configuration, silence: configuration.timeLimits.downloadSilence)
  }
}

extension QuandlClient {
  /// The key in the environment: `NASDAQ_DATA_LINK_API_KEY`, else `QUANDL_API_KEY`; nil if neither is set.
  public static var environmentKey: String? {
    ProcessEnvironment["NASDAQ_DATA_LINK_API_KEY"] ?? ProcessEnvironment["QUANDL_API_KEY"]
  }

  /// Nasdaq Data Link, or the host that the environment's `NASDAQ_DATA_LINK_BASE_DOMAIN` names.
  public static var defaultBaseURL: String {
    "https://\(ProcessEnvironment["NASDAQ_DATA_LINK_BASE_DOMAIN"] ?? "data.nasdaq.com")/api/v3"
  }

  /// The proxies in the environment, for `Configuration.proxies`.
  ///
  /// - Throws: `QuandlClientError` if a variable isn't the address of a proxy.
  public static var environmentProxies: ProxySettings {
    get throws(QuandlClientError) { try ProxySettings(environment: ProcessEnvironment.variables) }
  }
}

extension QuandlClient {
  /// Whether the API key can be read on its way, because it goes to another machine without TLS.
  package var sendsKeyUnencrypted: Bool {
    let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(base.origin.host)
    return key.text != nil && base.origin.scheme == "http"
      && (!isHere || transport.proxy(for: base.origin) != nil)
  }
}
