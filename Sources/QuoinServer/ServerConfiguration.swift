import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a server listens, and which requests it answers.
public struct ServerConfiguration: Sendable {
  /// The address to listen on. If other machines reach it, a `token` is required.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 for any free port.
  public var port = 8977
  /// The certificate and the key for https; without them the server speaks http.
  public var certificate: CertificateFiles?
  /// The token that every request must carry, except those for `/healthz`, `/readyz` and `/livez`.
  public var token: AccessToken?
  /// Further host names that clients may use, such as that of a proxy in front of the server: `quotes.example`, or
  /// `quotes.example:443` for that port only.
  public var allowedHosts: [String] = []
  /// The URL at which clients reach the server if it isn't the one that they name in their requests: `https://quotes.example`.
  /// Links in answers begin with it.
  public var publicURL: String?
  /// Whether a proxy in front of the server is trusted to say who the client is and how it asked, in `X-Forwarded-For`,
  /// `-Proto` and `-Host` or in `Forwarded`.
  public var trustsProxy = false
  /// The sites whose pages may ask from a browser: `https://charts.example`.
  public var allowedOrigins: [String] = []
  /// Whether browsers may send files to be imported, on the page for it. Then the server isn't one that only reads. A `token` is
  /// required if a proxy or another name may lead others here.
  public var allowsImport = false
  /// Where long answers take their room, in files without names. Without a directory that can be written, they come without
  /// their length.
  public var spoolDirectory = ServerConfiguration.defaultSpoolDirectory
  /// The bytes that long answers may take there together. An answer that finds no room comes without its length.
  public var spoolByteCount = 4 << 30
  /// What one question may take; beyond it 422. The work of threads counts as its time. All that are being answered may hold half
  /// of the process's memory together.
  public var questionLimits = QuestionLimits(seconds: 30, megabytes: 1024)
  /// How long clients may take.
  public var deadlines = Deadlines()
  /// Simultaneous connections, at most `ServerLimits.connections`. Each takes a file descriptor.
  public var connections = ServerLimits.connections

  /// `TMPDIR` of the environment, else `/var/tmp`.
  public static var defaultSpoolDirectory: String {
    let directory = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    return directory.isEmpty ? "/var/tmp" : directory
  }

  /// A server on port 8977 that only this machine reaches.
  public init() {}
}

/// PEM files for https.
public struct CertificateFiles: Hashable, Sendable {
  /// The path of the certificate, followed in the file by the certificates that lead to its root.
  public var chain: String
  /// The path of the private key, unencrypted.
  public var key: String

  /// The files at these paths, which are read when the server is made.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}
