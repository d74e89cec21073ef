#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process for the tests that crowd a store, which kill it and stop it at any moment:
///
///     quoin-crowd write STORE SCOREBOARD          commits without end what the chronicle says
///     quoin-crowd read STORE SCOREBOARD SLOT      reads without end, and checks it against the chronicle
///     quoin-crowd follow STORE                    says what changes
///     quoin-crowd contend                         does what it is told on its standard input
///
/// It ends by itself only when something is wrong: with status 3, and a sentence on standard error that says what.
@main
enum Crowd {
  static func main() {
    do { try run() } catch { fail("\(error)") }
  }

  private static func run() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, Array(arguments.dropFirst())) {
    case ("write", let rest) where rest.count == 2:
      try Writer(store: rest[0], Scoreboard(rest[1])).run()
    case ("read", let rest) where rest.count == 3:
      var reader = Reader(store: rest[0], Scoreboard(rest[1]), slot: Int(rest[2]) ?? 1)
      try reader.run()
    case ("follow", let rest) where rest.count == 1:
      try Follower.run(store: rest[0])
    case ("contend", []):
      Contender().run()
    default: fail("write STORE SCOREBOARD, read STORE SCOREBOARD SLOT, follow STORE, or contend")
    }
  }
}

/// Ends the process because of what should never be.
func fail(_ sentence: String) -> Never {
  print(sentence, to: STDERR_FILENO)
  exit(3)
}

/// Writes a line at once.
func print(_ line: String, to descriptor: Int32) {
  let bytes = Array("\(line)\n".utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
