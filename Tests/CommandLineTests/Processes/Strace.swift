import Testing

@testable import Quoin

/// `strace`, which ends a program at a system call, or fails the call.
struct Strace {
  /// A system call of a program, as the n-th of its name on the traced paths.
  struct Call: CustomStringConvertible {
    let name: String
    let number: Int
    /// Whether it may change what others find on the disk.
    let isChange: Bool

    var description: String { "\(name) \(number)" }
  }

  /// Whether the program is here and allowed to trace; says so when it isn't, for tests are left out then.
  static let isAvailable: Bool = {
    let workspace = try? Workspace()
    let isAvailable = (try? workspace?.shell("strace -qq -e trace=none true").status) == 0
    if !isAvailable {
      print("SKIPPED: no faults are injected into quoin, for strace is missing (apt-get install strace) or forbidden")
    }
    return isAvailable
  }()

  let workspace: Workspace
  /// Calls on these paths are counted; on any when there are none.
  let paths: [String]

  /// Runs `quoin`, with a fault at calls of one name: `signal=KILL:when=3`.
  func run(_ arguments: [String], call: String, fault: String) throws -> ChildProcess.Result {
    try start(["-e", "trace=\(call)", "-e", "inject=\(call):\(fault)"], arguments).finish()
  }

  /// The system calls of a run in which nothing fails.
  func calls(_ arguments: [String]) throws -> [Call] {
    let result = try start([], arguments).finish()
    try #require(result.status == 0, "\(result)")
    var counts: [String: Int] = [:]
    var calls: [Call] = []
    // Numbers go thread by thread; one thread changes the store, and most calls are its.
    let lines = try workspace.text(of: "trace").split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
    let threads = Dictionary(grouping: lines.compactMap(\.first)) { $0 }
    let writer = threads.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
    for words in lines where words.count == 2 && words[0] == writer {
      let text = words[1].drop { $0 == " " }
      let (name, rest) = (text.prefix { $0 != "(" }, text.drop { $0 != "(" })
      guard !rest.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), name != "execve" else {
        continue
      }
      counts[String(name), default: 0] += 1
      let changes = ["mkdir", "write", "pwrite64", "fsync", "rename", "unlink", "flock"]
      calls.append(
        Call(
          name: String(name), number: counts[String(name)] ?? 0,
          isChange: changes.contains(String(name)) || rest.contains("O_CREAT")))
    }
    return calls
  }

  private func start(_ options: [String], _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/env",
      ["strace", "-f", "-qqq", "-o", workspace.path + "/trace"] + paths.flatMap { ["-P", $0] } + options
        + [Workspace.program] + arguments + ["--store", workspace.store],
      environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"] + TestSettings.sanitizerOptions)
  }
}
