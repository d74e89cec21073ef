import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store that came from somebody else, on the command line: whatever has the name of one of its files, every command ends soon
/// with a sentence, and the user's files are as they were.
@Suite(.timeLimit(.minutes(10))) struct ForeignStoreTests {
  private static let kinds = [
    "mkfifo PLACE", "mkdir PLACE", "ln -s ../users PLACE", "ln -s ../gone PLACE", "ln users PLACE", "mknod PLACE c 1 5",
    "ln -s /dev/zero PLACE", "python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('PLACE')\"",
  ]
  private static let places = ["MANIFEST", "00000001.columns", "1.manifest", "LOCK"]
  private static let commands = [
    "scan --count", "info", "periods", "verify", "repair --into saved", "export", "check", "snapshot list",
    "snapshot create now", "undo", "restore first", "delete A", "rename A B", "compact", "adjust --replace",
    "import ../new.csv", "merge other", "shard --count 2 --output market", "diff first",
  ]

  @Test(arguments: kinds) func every_command_ends_soon_and_writes_nowhere_else(_ kind: String) throws {
    let workspace = try Workspace()
    _ = try workspace.write("ticker,date,close\nA,2004-01-02,5\nB,2004-01-02,6\n", to: "new.csv")
    _ = try workspace.write(String(repeating: "precious\n", count: 200), to: "users")
    let made = try workspace.shell(
      """
      $quoin import new.csv && $quoin snapshot create first && $quoin generate --tickers 1 --rows 9 && cp -r store other \
      && cksum users > sums && test -e store/1.manifest
      """)
    try #require(made.status == 0, "\(made)")
    for (number, place) in Self.places.enumerated() {
      let put = kind.replacing("PLACE", with: "store/\(place)")
      guard
        try workspace.shell("cp -r other store2; rm -rf store; mv store2 store; rm -f store/\(place); \(put)").status
          == 0
      else { continue }
      // In debug, each place has others of the commands, a third of them.
      let step = TestSettings.isDebug ? 3 : 1
      for command in Self.commands.enumerated().filter({ $0.offset % step == number % step }).map(\.element) {
        let words = "rm -rf saved market; timeout 60 $quoin \(command.replacing("../", with: ""))"
        let result = try workspace.shell(words)
        let comment: Comment = "\(put), \(command): \(result)"
        #expect([0, 1, 2].contains(result.status), comment)
        #expect(result.status != 2 || result.err.hasPrefix("quoin: "), comment)
      }
      #expect(try workspace.shell("cksum -c sums 2> /dev/null || cksum users | cmp - sums").status == 0, "\(put)")
      #expect(try workspace.shell("test ! -e gone").status == 0, "\(put)")
    }
  }

  private static let escape = "\u{1B}[31m"

  /// Whoever wrote it, what a terminal would obey is never printed, and no name becomes another one by it.
  @Test func control_characters_reach_no_terminal() throws {
    let workspace = try Workspace(importing: ["FDX.json"])
    let (csv, folder) = ("A\(Self.escape)\n.csv", "store\(Self.escape)")
    let script = """
      printf 'ticker,date,close\\nA\\033[31m,2004-01-02,5\\n' > cells.csv
      printf 'date,close\\n2004-01-02,5\\n' > "$(printf 'A\\033[31m.csv')"
      python3 -c "import zipfile; z = zipfile.ZipFile('names.zip', 'w'); z.writestr('A\\x1b[31m.csv', 'date,close\\n2004-01-02,5\\n')"
      mkdir "$(printf 'bad\\033[31m')"; touch "$(printf 'bad\\033[31m/MANIFEST')"
      """
    #expect(try workspace.shell(script).status == 0)
    let commands = [
      ["import", "cells.csv"], ["import", "A\(Self.escape).csv"], ["import", "names.zip"], ["import", csv],
      ["scan", "A\(Self.escape)"], ["scan", "--where", "close > \(Self.escape)"], ["info", "--store", folder],
      ["info", "--store", "bad\(Self.escape)"], ["verify", "--store", "bad\(Self.escape)"],
      ["snapshot", "create", Self.escape], ["restore", Self.escape], ["merge", folder], [Self.escape],
      ["scan", "--columns", Self.escape], ["scan", "--format", Self.escape], ["scan", "--by", Self.escape],
      ["export", "--output", "\(folder)/x"], ["import", "--map", "\(Self.escape)=close", "cells.csv"],
      ["import", "--ticker-from", Self.escape, "cells.csv"], ["import", "--files-from", Self.escape],
      ["chart", Self.escape],
      ["scan", "--let", "\(Self.escape) = 1"], ["shard", "--count", "2", "--output", "bad\(Self.escape)"],
      ["repair", "--into", "bad\(Self.escape)"], ["snapshot", "delete", "x\u{9B}31m"], ["info", "\u{202E}A"],
    ]
    for command in commands {
      let result = try workspace.run(command)
      #expect(result.status != 0 && !result.err.isEmpty, "\(command): \(result)")
      for character in (result.out + result.err).unicodeScalars where character != "\n" {
        let category = character.properties.generalCategory
        #expect(category != .control && category != .format, "\(command): \(result)")
      }
    }
    #expect(try workspace.run("tickers --format csv").lines.count == 2)
  }
}
