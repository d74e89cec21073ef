import NIOCore
import Quoin

extension ServerConfiguration {
  /// The connections that are accepted at the same time.
  var placeCount: Int { min(connections, ServerLimits.connections) }

  /// What all questions may take together: more than one, and two thirds of what the engine leaves to a single question.
  var queueLimits: QueueLimits {
    let megabytes = max(questionLimits.megabytes ?? 0, (QuestionLimits.standard.megabytes ?? 4096) / 3 * 2)
    var limits = QueueLimits()
    limits.byteCount = min(megabytes, Int.max >> 20) << 20
    return limits
  }

  /// The address to listen on.
  ///
  /// - Throws: `ServerError` if the host has no address, or other machines reach it and there is no token.
  func address() throws(ServerError) -> SocketAddress {
    guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: port) else { throw .unknownHost(host) }
    try checkToken(token, listeningOn: address)
    return address
  }

  /// - Throws: `ServerError` if other machines reach the address, and there is no token.
  func checkToken(_ token: AccessToken?, listeningOn address: SocketAddress) throws(ServerError) {
    guard address.isLoopback || token != nil else { throw .tokenNeeded(host: host) }
    // Behind a proxy everybody comes from this machine.
    let isReached = trustsProxy || publicURL != nil || !allowedHosts.isEmpty
    guard !allowsImport || !isReached || token != nil else { throw .tokenNeededToImport }
  }

  /// Whether clients send the token over plain http, as far as the configuration tells.
  var sendsTokenInClear: Bool {
    token != nil && certificate == nil && !trustsProxy && publicURL?.hasPrefix("https://") != true
  }

  /// The gate of a server that listens on this address.
  ///
  /// - Throws: `ServerError` if one of `allowedHosts` isn't a host name.
  func gate(listeningOn address: SocketAddress, _ secrets: Secrets) throws(ServerError) -> Gate {
    var allowed: [Authority] = []
    for name in allowedHosts {
      guard let authority = Authority(name) else { throw .badName(name) }
      allowed.append(authority)
    }
    var names = Gate.loopbackNames.union([host.lowercased()])
    if let name = address.hostName { names.insert(name) }
    for url in allowedOrigins + (publicURL.map { [$0] } ?? []) {
      guard Self.isOrigin(url) else { throw .badURL(url) }
    }
    return Gate(
      names: names, allowed: allowed, scheme: certificate == nil ? "http" : "https",
      allowedOrigins: Set(allowedOrigins), proxy: ProxyHeaders(publicURL: publicURL, isTrusted: trustsProxy),
      secrets: secrets, isOpen: !address.isLoopback)
  }

  private static func isOrigin(_ url: String) -> Bool {
    ["http://", "https://"].contains { url.hasPrefix($0) && Authority(url.dropFirst($0.count)) != nil }
  }
}
