import Foundation

/// A program of the system's, run on a file.
enum Tool {
  static func exists(_ name: String) -> Bool {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
  }

  /// What the program prints when it is run on a file of these bytes, whose path takes the place of FILE; nil when it
  /// fails.
  static func output(of command: [String], on bytes: [UInt8]) throws -> [UInt8]? {
    try withFile(bytes) { try output(of: command, onFile: $0) }
  }

  /// Calls `body` with the path of a file of these bytes.
  static func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.path + "/quoin-service-\(UUID().uuidString).packed"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try body(file)
  }

  private static func output(of command: [String], onFile file: String) throws -> [UInt8]? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command.map { $0.replacingOccurrences(of: "FILE", with: file) }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let read = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? Array(read) : nil
  }
}
