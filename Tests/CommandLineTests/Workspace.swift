import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder for one test, with a store in it, that goes away with the test.
final class Workspace {
  let path: String

  /// - Parameters:
  ///   - files: those of `data/` to import at once.
  ///   - folder: where it is made.
  init(importing files: [String] = [], in folder: String = "/tmp") throws {
    var template = Array("\(folder)/quoin-cli-XXXXXX".utf8CString)
    let path = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    self.path = try #require(path)
    if files.isEmpty { return }
    let result = try run(["import"] + files.map(Self.data))
    #expect(result.status == 0 && result.err.isEmpty, "\(result)")
  }

  deinit { _ = try? shell("rm -rf \(path)") }

  var store: String { path + "/store" }

  /// Changes a byte in the middle of an attribute's block in the store's first file.
  func damage(_ name: Attribute, ofBlock index: Int) throws {
    let file = try ColumnFile(store + "/00000001.columns", in: SystemFiles())
    let directory = try file.directory(.attribute(name))
    let byteCount = directory.blockOffset(index + 1) - directory.blockOffset(index)
    let offset = file.offset(index, .attribute(name), directory) + byteCount / 2
    let change = "dd of=store/00000001.columns bs=1 seek=\(offset) conv=notrunc 2> /dev/null"
    #expect(try shell("printf X | \(change)").status == 0)
  }

  /// The path of a file in `data/`.
  static func data(_ name: String) -> String {
    "/" + (#filePath.split(separator: "/").dropLast(3) + ["data", name[...]]).joined(separator: "/")
  }

  /// The program.
  static let program = built("quoin")

  /// The path of an executable that is built beside the tests.
  static func built(_ name: String) -> String {
    // Linux runs the test bundle itself; macOS names it in an argument.
    let arguments = CommandLine.arguments
    let bundle = arguments.first { $0.contains(".xctest") } ?? arguments[0]
    let folder = bundle.split(separator: "/").prefix { !$0.hasSuffix(".xctest") }
    return "/" + (folder + [name[...]]).joined(separator: "/")
  }

  private func environment(_ variables: [String]) -> [String] {
    variables + ["QUOIN_STORE=\(store)", "PATH=\(TestSettings.variable("PATH") ?? "")"] + TestSettings.sanitizerOptions
  }

  func start(_ arguments: [String], environment variables: [String] = []) throws -> ChildProcess {
    // The shell becomes the program, in this folder: what it writes anywhere, it writes here.
    try ChildProcess(
      "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, path, Self.program] + arguments,
      environment: environment(variables))
  }

  /// Runs `quoin` in this folder, on its store.
  func run(
    _ arguments: [String], stdin: String = "", environment variables: [String] = []
  ) throws -> ChildProcess.Result {
    let process = try start(arguments, environment: variables)
    process.write(stdin)
    return process.finish()
  }

  /// Runs `quoin` with arguments that have no spaces in them.
  func run(_ arguments: String) throws -> ChildProcess.Result {
    try run(arguments.split(separator: " ").map(String.init))
  }

  /// Expects that a command with arguments without spaces prints nothing but a sentence that begins so, where `./quoin-store` stands for
  /// the store.
  func expectRefusal(
    of command: String, _ status: Int32, _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(command)
    let expected = sentence.replacing("./quoin-store", with: store)
    #expect(
      result.status == status && result.out.isEmpty && result.err.hasPrefix("quoin: \(expected)"), "\(result.err)",
      sourceLocation: sourceLocation)
  }

  /// Runs a line of the shell in this folder, where `$quoin` is the program.
  func shell(_ line: String) throws -> ChildProcess.Result {
    let process = try ChildProcess(
      "/bin/sh", ["-c", "cd \(path); \(line)"], environment: environment(["quoin=\(Self.program)"]))
    return process.finish()
  }

  /// Writes a file into the folder and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let process = try ChildProcess("/bin/sh", ["-c", "cat > \(path)/\(name)"], environment: environment([]))
    process.write(text)
    #expect(process.finish().status == 0)
    return "\(path)/\(name)"
  }

  func text(of name: String) throws -> String { try shell("cat \(name)").out }
}
