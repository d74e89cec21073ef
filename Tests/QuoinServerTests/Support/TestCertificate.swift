import Foundation
import Testing

/// A certificate that nobody but the test trusts.
struct TestCertificate {
  let chain: String
  let key: String

  init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }

  init(in folder: TestFolder, name: String = "server") throws {
    (chain, key) = ("\(folder.path)/\(name).pem", "\(folder.path)/\(name).key")
    let arguments =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1"
      + " -addext subjectAltName=IP:127.0.0.1 -keyout \(key) -out \(chain)"
    _ = try Self.openssl(arguments.split(separator: " ").map(String.init), input: "")
    try #require(FileManager.default.fileExists(atPath: chain))
  }

  static let canBeMade = (try? openssl(["version"], input: ""))?.isEmpty == false

  /// What the server answers to a client that checks the certificate.
  func ask(_ request: String, _ port: Int) throws -> String {
    try Self.openssl(
      ["s_client", "-connect", "127.0.0.1:\(port)", "-quiet", "-verify_return_error", "-CAfile", chain], input: request)
  }

  private static func openssl(_ arguments: [String], input: String) throws -> String {
    let process = Process()
    let (inputPipe, outputPipe) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    (process.standardInput, process.standardOutput) = (inputPipe, outputPipe)
    process.standardError = FileHandle.nullDevice
    try process.run()
    inputPipe.fileHandleForWriting.write(Data(input.utf8))
    let output = outputPipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
