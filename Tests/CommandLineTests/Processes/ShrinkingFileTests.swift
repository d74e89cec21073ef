import Dispatch
import Synchronization
import Testing

@testable import Quoin
@testable import QuoteGenerator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Somebody makes the files of a store shorter, and puts them back, while commands read it.
@Suite struct ShrinkingFileTests {
  private static let commands = [
    "scan --format csv", "scan --aggregate sum(close),max(volume) --by month --format csv", "scan --stats --format csv",
    "verify",
  ]

  @Test func while_files_are_cut_and_put_back_every_command_is_right_or_says_what_is_wrong() throws {
    let workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"])
    let expected = try Self.commands.map { try workspace.run($0).out }
    let rounds = (TestSettings.count("QUOIN_CUTS", debug: 24, release: 48) + 7) / 8
    // Until the last of them has ended, for how soon one opens the file is the machine's affair.
    let cuts = try Cuts(workspace.store + "/00000001.columns")
    defer { cuts.end() }
    var (right, errors) = (0, 0)
    for round in 0..<rounds {
      let processes = try (0..<8).map { number in
        let command = (round + number) % Self.commands.count
        return (command, try workspace.start(Self.commands[command].split(separator: " ").map(String.init)))
      }
      for (command, process) in processes {
        let result = process.finish()
        let isRight = result.status == 0 && result.out == expected[command]
        let isError = result.status == 2 && (result.err + result.out).contains("00000001.columns' is damaged")
        #expect(isRight || isError, "\(Self.commands[command]): \(result)")
        (right, errors) = (right + (isRight ? 1 : 0), errors + (isError ? 1 : 0))
      }
    }
    #expect(errors > 0)
    print(
      "promise 20: the command, \(cuts.end()) cuts under \(rounds * 8) processes: \(right) right answers, 0 wrong, "
        + "\(errors) errors, 0 deaths")
  }
}

/// A thread that makes a file shorter and puts it back, over and over.
private final class Cuts: Sendable {
  private let isOver = Atomic(false)
  private let count = Atomic(0)
  private let thread = DispatchGroup()

  init(_ file: String) throws {
    let mapping = try SystemFiles().map(file)
    let bytes = mapping.view.array
    withExtendedLifetime(mapping) {}
    DispatchQueue.global().async(group: thread) {
      var dice = TestSettings.dice("cuts")
      while !self.isOver.load(ordering: .relaxed) {
        usleep(UInt32(dice.below(4_000)))
        #expect(unsafe truncate(file, off_t(dice.below(bytes.count))) == 0)
        usleep(UInt32(dice.below(2_000)))
        Self.putBack(bytes, file)
        self.count.add(1, ordering: .relaxed)
      }
    }
  }

  /// Ends them, with the file put back, and says how many there were.
  @discardableResult
  func end() -> Int {
    isOver.store(true, ordering: .relaxed)
    thread.wait()
    return count.load(ordering: .relaxed)
  }

  private static func putBack(_ bytes: [UInt8], _ file: String) {
    let descriptor = unsafe open(file, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
  }
}
