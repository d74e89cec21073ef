import Foundation
import Synchronization
import Testing

/// The program `quoin-serve`, on a port of its own.
final class ServerProcess: Sendable {
  /// A server of the sample data for all tests that only ask.
  static let shared = Result { try ServerProcess(TestFolder()) }

  let folder: TestFolder
  let port: Int
  let url: String
  private let process: Mutex<Process>
  private let errorText: Collector

  init(_ folder: TestFolder, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    self.folder = folder
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = ["--store", folder.store, "--port", "0"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    Survivors.note(process.processIdentifier)
    errorText = Collector(errors.fileHandleForReading)
    let line = errorText.line { $0.contains(" on http") }
    url = line?.firstMatch(of: /https?:[^ "]+/).map { String($0.output) } ?? ""
    port = url.split(separator: ":").last.flatMap { Int($0) } ?? 0
    self.process = Mutex(process)
    try #require(port > 0, "the server didn't start: \(errorText.text)")
  }

  deinit { stop() }

  /// What it has written to standard error so far.
  var log: String { errorText.text }

  /// The first line of standard error that fits, which is waited for.
  func logLine(_ fits: (Substring) -> Bool) -> String? { errorText.line(fits) }

  func signal(_ number: Int32) { process.withLock { _ = kill($0.processIdentifier, number) } }

  /// Ends it, and waits for its end.
  func stop() {
    signal(SIGKILL)
    _ = status
  }

  /// Its exit status, once it has ended.
  var status: Int32 {
    process.withLock { process in
      process.waitUntilExit()
      Survivors.forget(process.processIdentifier)
      return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
  }

  func connect(seconds: Int = 20, takesLittle: Bool = false) throws -> Wire {
    try Wire(port: port, seconds: seconds, takesLittle: takesLittle)
  }

  /// Asks for a path with GET on a connection of its own.
  func get(_ path: String, _ headers: [String] = []) throws -> WireAnswer {
    let wire = try connect()
    wire.send(head("GET \(path)", headers))
    return try #require(wire.answer())
  }

  /// The head of a request to this server.
  func head(_ line: String, _ headers: [String] = []) -> String {
    (["\(line) HTTP/1.1", "host: 127.0.0.1:\(port)"] + headers + ["", ""]).joined(separator: "\r\n")
  }

  /// The process's resident memory in bytes; 0 where the system doesn't tell.
  var residentByteCount: Int {
    let number = process.withLock { $0.processIdentifier }
    guard let status = try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) * 1024
  }

  /// The executable that is built beside the tests.
  static let program: String = {
    // Linux runs the test bundle itself; macOS names it in an argument.
    let arguments = CommandLine.arguments
    let bundle = arguments.first { $0.contains(".xctest") } ?? arguments[0]
    let folder = bundle.split(separator: "/").prefix { !$0.hasSuffix(".xctest") }
    return "/" + (folder + ["quoin-serve"]).joined(separator: "/")
  }()

  /// Runs the program with arguments that end it soon.
  static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, error: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let error = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: error, as: UTF8.self))
  }
}

/// The servers that would outlive the tests, because a shared one is never released. They end with the process.
private enum Survivors {
  private static let numbers = Mutex<[pid_t]>([])
  private static let isWatching: Void = {
    _ = atexit { Survivors.numbers.withLock { for number in $0 { _ = kill(number, SIGKILL) } } }
  }()

  static func note(_ number: pid_t) {
    _ = isWatching
    numbers.withLock { $0.append(number) }
  }

  /// A number may be given to another process once this one was waited for.
  static func forget(_ number: pid_t) { numbers.withLock { $0.removeAll { $0 == number } } }
}

/// Collects what a pipe brings on a thread of its own.
private final class Collector: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  init(_ file: FileHandle) {
    let descriptor = file.fileDescriptor
    Thread.detachNewThread { [weak self] in
      // The handle closes the descriptor when it goes.
      defer { withExtendedLifetime(file) {} }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        self?.bytes.withLock { $0 += buffer[..<count] }
      }
    }
  }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  func line(_ fits: (Substring) -> Bool) -> String? {
    for _ in 0..<2000 {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let line = lines.first(where: fits) { return String(line) }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return nil
  }
}
