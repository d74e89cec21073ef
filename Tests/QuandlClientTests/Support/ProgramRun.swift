import Foundation

/// A program that has run.
struct ProgramRun {
  /// As a shell has it: 128 and the number of the signal that ended the program.
  let status: Int32
  let out: String
  let err: String

  /// Runs a program with nothing in its environment but these variables, the path and what is told to sanitizers.
  ///
  /// - Parameter meanwhile: called while it runs, with its process.
  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    meanwhile: (Process) throws -> Void = { _ in }
  ) throws {
    let process = Process()
    let files = try (0..<2).map { _ in try TestOutput() }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let kept = ProcessInfo.processInfo.environment.filter { ["PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
    process.environment = environment.merging(kept) { own, _ in own }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = files[0].handle
    process.standardError = files[1].handle
    try process.run()
    try meanwhile(process)
    process.waitUntilExit()
    status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    out = try files[0].text()
    err = try files[1].text()
  }

  /// The path of an executable that is built beside the tests.
  static func built(_ name: String) -> String {
    // Linux runs the test bundle itself; macOS names it in an argument.
    let arguments = CommandLine.arguments
    let bundle = arguments.first { $0.contains(".xctest") } ?? arguments[0]
    let folder = bundle.split(separator: "/").prefix { !$0.hasSuffix(".xctest") }
    return "/" + (folder + [name[...]]).joined(separator: "/")
  }
}

/// A file for what a program says: a pipe would fill up while nobody reads.
private final class TestOutput {
  let path = "/tmp/quoin-client-\(UUID().uuidString).txt"
  let handle: FileHandle

  init() throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func text() throws -> String { String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self) }
}
