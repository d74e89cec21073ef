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
    let rounds = TestSettings.count("QUOIN_CUTS", debug: 24, release: 48)
    let file = workspace.store + "/00000001.columns"
    let mapping = try SystemFiles().map(file)
    let bytes = mapping.view.array
    withExtendedLifetime(mapping) {}
    var dice = TestSettings.dice("cuts")
    var (right, errors) = (0, 0)
    for round in 0..<(rounds + 7) / 8 {
      let processes = try (0..<8).map { number in
        let command = (round + number) % Self.commands.count
        return (command, try workspace.start(Self.commands[command].split(separator: " ").map(String.init)))
      }
      for _ in 0..<8 {
        usleep(UInt32(dice.below(4_000)))
        #expect(unsafe truncate(file, off_t(dice.below(bytes.count))) == 0)
        usleep(UInt32(dice.below(2_000)))
        putBack(bytes, file)
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
      "promise 20: the command, \((rounds + 7) / 8 * 8) cuts under 8 processes: \(right) right answers, 0 wrong, "
        + "\(errors) errors, 0 deaths")
  }

  private func putBack(_ bytes: [UInt8], _ file: String) {
    let descriptor = unsafe open(file, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
  }
}
