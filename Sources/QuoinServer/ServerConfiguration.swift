/// Where a server listens, and whom it answers.
public struct ServerConfiguration: Sendable {
  /// The address to listen on. One that other machines reach needs a `token`.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 for any that is free.
  public var port = 8977
  /// The certificate and the key to speak https with; without them it is http.
  public var certificate: CertificateFiles?
  /// What every request must bring along, but for `/healthz`.
  public var token: AccessToken?
  /// Further names by which clients may call the server, such as that of a proxy before it: `quotes.example`, or
  /// `quotes.example:443` for that port only.
  public var allowedHosts: [String] = []
  /// How long a client may take for each step.
  public var deadlines = Deadlines()
  /// Connections at a time, at most `ServerLimits.connections`: each takes a file descriptor.
  public var connections = ServerLimits.connections

  /// http on port 8977, for this machine only, without a token.
  public init() {}
}

/// PEM files for https.
public struct CertificateFiles: Hashable, Sendable {
  /// The certificate, and after it those that lead to its root.
  public var chain: String
  /// The private key, unencrypted.
  public var key: String

  /// The files at these paths, which are read when the server starts.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}
