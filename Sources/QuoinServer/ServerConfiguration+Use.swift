import HummingbirdTLS
import NIOCore

extension ServerConfiguration {
  /// The address to listen on.
  ///
  /// - Throws: `ServerError` if the host has no address, or other machines reach it and there is no token.
  func address() throws(ServerError) -> SocketAddress {
    guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: port) else { throw .unknownHost(host) }
    guard address.isLoopback || token != nil else { throw .tokenNeeded(host: host) }
    return address
  }

  /// The gate of a server that listens on this address.
  ///
  /// - Throws: `ServerError` if one of `allowedHosts` isn't a host name.
  func gate(listeningOn address: SocketAddress) throws(ServerError) -> Gate {
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
      token: token, isOpen: !address.isLoopback)
  }

  private static func isOrigin(_ url: String) -> Bool {
    ["http://", "https://"].contains { url.hasPrefix($0) && Authority(url.dropFirst($0.count)) != nil }
  }
}

extension CertificateFiles {
  /// The configuration of TLS.
  ///
  /// - Throws: `ServerError` if a file can't be read, or the key doesn't belong to the certificate.
  func configuration() throws(ServerError) -> TLSConfiguration {
    do {
      let certificates = try NIOSSLCertificate.fromPEMFile(chain)
      guard !certificates.isEmpty else { throw ServerError.badCertificate(self, reason: "there is no certificate") }
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      // A mismatch of the two shows when they are first used.
      _ = try TLSChannel(
        ConnectionChannel(responder: { _, _, _ in }, scheme: "https", deadlines: Deadlines(), onMalformed: { _ in }),
        tlsConfiguration: configuration)
      return configuration
    } catch let error as ServerError {
      throw error
    } catch {
      throw .badCertificate(self, reason: "\(error)")
    }
  }
}
