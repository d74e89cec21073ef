import HummingbirdTLS
import NIOSSL
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The token and the certificate of a server. Both can be replaced while it runs: connections that are open keep theirs.
final class Secrets: Sendable {
  private let state: Mutex<(token: AccessToken?, certificate: Certificate?)>

  init(token: AccessToken?, certificate: Certificate? = nil) { state = Mutex((token, certificate)) }

  var token: AccessToken? { state.withLock { $0.token } }

  /// Those who have shown the token with a browser.
  let sessions = Sessions()

  func replace(token: AccessToken?, certificate: Certificate?) {
    let isSame = state.withLock { state in
      defer { state = (token, certificate) }
      return state.token?.text == token?.text
    }
    // Who has shown the token before has to show the new one.
    if !isSame { sessions.endAll() }
  }

  /// The configuration of TLS, which takes the newest certificate for each connection; nil for a server without one.
  var tls: TLSConfiguration? {
    guard let certificate = state.withLock({ $0.certificate }) else { return nil }
    var configuration = certificate.configuration
    configuration.sslContextCallback = { _, promise in
      var override = NIOSSLContextConfigurationOverride()
      if let newest = self.state.withLock({ $0.certificate }) {
        override.certificateChain = newest.configuration.certificateChain
        override.privateKey = newest.configuration.privateKey
      }
      promise.succeed(override)
    }
    return configuration
  }
}

/// A certificate and its key, which belong together.
struct Certificate: Sendable {
  let configuration: TLSConfiguration

  /// Reads both.
  ///
  /// - Throws: `ServerError` if a file can't be read, or the key isn't the certificate's.
  init(_ files: CertificateFiles) throws(ServerError) {
    let chain = try Self.read("certificate", files.chain, files) { try NIOSSLCertificate.fromPEMFile(files.chain) }
    guard !chain.isEmpty else { throw .badCertificate(files, reason: "'\(files.chain)' holds no certificate in PEM") }
    let key = try Self.read("private key", files.key, files) { try NIOSSLPrivateKey(file: files.key, format: .pem) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // A mismatch of the two shows when they are first used.
    do { _ = try NIOSSLContext(configuration: configuration) } catch {
      throw .badCertificate(files, reason: "the key isn't the certificate's")
    }
    self.configuration = configuration
  }

  private static func read<Part>(
    _ what: String, _ path: String, _ files: CertificateFiles, _ body: () throws -> Part
  ) throws(ServerError) -> Part {
    guard let bytes = FileManager.default.contents(ofRegularFile: path) else {
      throw .badCertificate(files, reason: "'\(path)' can't be read")
    }
    do { return try body() } catch {
      let isEncrypted = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
      throw .badCertificate(
        files,
        reason: isEncrypted
          ? "'\(path)' is encrypted; write it without a passphrase, as openssl pkey does"
          : "'\(path)' holds no \(what) in PEM")
    }
  }
}
