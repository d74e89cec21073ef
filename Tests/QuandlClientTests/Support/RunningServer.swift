import Foundation
import Testing

/// A `quoin-serve` that runs beside the test.
final class RunningServer {
  let base: String
  private let process = Process()

  init(store: String, _ options: [String] = []) throws {
    let messages = Pipe()
    process.executableURL = URL(fileURLWithPath: ProgramRun.built("quoin-serve"))
    // At any port: a proxy has another one.
    process.arguments = ["--store", store, "--port", "0", "--allow-host", "127.0.0.1"] + options
    process.standardInput = FileHandle.nullDevice
    process.standardError = messages
    try process.run()
    // It says where it listens.
    var said = ""
    var found: Substring?
    while found == nil {
      let more = messages.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += String(decoding: more, as: UTF8.self)
      if let start = said.firstRange(of: "http://127.0.0.1:") {
        let port = said[start.upperBound...].prefix { $0.isNumber }
        // The line may not be whole yet.
        found = said[start.upperBound...].contains("\n") ? port : nil
      }
    }
    base = "http://127.0.0.1:\(try #require(found, "\(said)"))/api/v3"
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
