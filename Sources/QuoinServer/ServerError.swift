/// Why a server can't start.
///
/// Later versions may have more cases, so a `switch` needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host's name has no address.
  case unknownHost(String)
  /// Other machines reach the address, but there is no token.
  case tokenNeeded(host: String)
  /// Others may reach the server by a proxy or another name, and could import files, but there is no token.
  case tokenNeededToImport
  /// The token can't be used.
  case badToken(path: String, reason: String)
  /// The certificate or its key can't be used.
  case badCertificate(CertificateFiles, reason: String)
  /// One of `allowedHosts` isn't a host name.
  case badName(String)
  /// The public URL, or one of `allowedOrigins`, isn't a scheme and a host.
  case badURL(String)
  /// The operating system refuses the address or the port.
  case cannotListen(host: String, port: Int, reason: String)

  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .unknownHost(let host): "the host '\(host)' has no address; write an address such as 127.0.0.1"
    case .tokenNeeded(let host):
      "other machines reach '\(host)', so the server needs a token of \(ServerLimits.tokenByteCount) characters or more, "
        + "or an address that only this machine reaches"
    case .tokenNeededToImport:
      "a proxy or another name may lead others to the server, which imports files; so it needs a token of "
        + "\(ServerLimits.tokenByteCount) characters or more"
    case .badToken(let path, let reason): "the token file '\(path)' \(reason)"
    case .badCertificate(let files, let reason):
      "cannot use the certificate '\(files.chain)' with the key '\(files.key)': \(reason)"
    case .badName(let name): "'\(name)' isn't a host name; write one such as quotes.example or quotes.example:443"
    case .badURL(let url):
      "'\(url)' isn't the address of a site; write one such as https://quotes.example, without a path"
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host):\(port): \(reason)"
    }
  }
}
