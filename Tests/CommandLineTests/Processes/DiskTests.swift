import Testing

@testable import Quoin
@testable import quoin_crowd

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Disks that are full, not to be written to, or not here.
@Suite struct DiskTests {
  private static let writes = [
    "import FILE", "delete A", "delete --where close<3", "delete --all --yes", "compact", "generate", "rename A B",
    "adjust --replace",
  ]

  @Test(.enabled(if: SmallDisk.isAvailable), arguments: [false, true])
  func a_store_that_can_only_be_read_is_read_and_refuses_writes_in_plain_words(isFirst: Bool) throws {
    let disk = try SmallDisk(byteCount: 4 << 20)
    let file = try disk.workspace.write("ticker,date,close\nA,2003-01-02,5\n", to: "new.csv")
    let store = disk.path + "/store"
    if !isFirst { #expect(try disk.workspace.run("generate --ticker A --days 100 --store \(store)").status == 0) }
    let before = try disk.workspace.run("scan --store \(store)")
    #expect(isFirst ? before.status == 2 : before.lines.count == 101)
    try disk.makeReadOnly()
    #expect(try disk.workspace.run("scan --store \(store)").out == before.out)
    if !isFirst {
      for command in ["info", "tickers", "periods", "export", "verify", "resample --by month", "chart A"] {
        let result = try disk.workspace.run("\(command) --store \(store)")
        #expect(result.status == 0 && result.err.isEmpty, "\(command): \(result)")
      }
    }
    for command in Self.writes where !isFirst || command.hasPrefix("import") || command == "generate" {
      let result = try disk.workspace.run(command.replacing("FILE", with: file) + " --store \(store)")
      #expect(result.status == 2 && result.out.isEmpty, "\(command): \(result)")
      #expect(result.err.hasPrefix("quoin: cannot ") && result.err.contains("'\(store)"), "\(command): \(result)")
      #expect(result.err.hasSuffix(": Read-only file system\n"), "\(command): \(result)")
    }
  }

  /// Whatever room is left: a write is refused whole, or done whole; and when there is room again, all is well.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func a_full_disk_refuses_a_write_and_changes_nothing() throws {
    let disk = try SmallDisk(byteCount: 1 << 20)
    let store = disk.path + "/store"
    #expect(try disk.workspace.run("generate --tickers 2 --rows 5000 --store \(store)").status == 0)
    let before = try QuoteStore(at: store).allQuotes.fetch()
    var refusals = 0
    for free in stride(from: 0, through: 40, by: TestSettings.isDebug ? 8 : 2) {
      _ = try disk.workspace.shell("head -c 2000000 /dev/zero > disk/filler")
      _ = try disk.workspace.shell("truncate -s -\(free * 4096) disk/filler")
      let result = try disk.workspace.run("generate --tickers 3 --rows 6000 --seed 2 --store \(store)")
      if result.status == 0 { break }
      refusals += 1
      #expect(result.status == 2 && result.out.isEmpty && result.err.contains("'\(store)"), "\(free) pages: \(result)")
      #expect(result.err.hasSuffix(": No space left on device\n"), "\(free) pages: \(result)")
      #expect(try QuoteStore(at: store).allQuotes.fetch() == before, "\(free) pages")
      #expect(try disk.workspace.run("verify --store \(store)").status == 0)
    }
    #expect(refusals > (TestSettings.isDebug ? 2 : 8))
    _ = try disk.workspace.shell("rm disk/filler")
    let result = try disk.workspace.run("generate --tickers 3 --rows 6000 --seed 2 --store \(store)")
    #expect(result.status == 0 && result.err.isEmpty)
    let names = try QuoteStore(at: store).snapshot.manifest.fileNames.union([StoreFiles.manifest, StoreFiles.lock])
    #expect(try Set(SystemFiles().names(in: store)) == names)
    print("promise 6: full disk: refused with \(refusals) different amounts of room left, nothing changed")
  }

  @Test(
    arguments: [
      (0x6969, "NFS"), (0x517B, "SMB"), (0xFF53_4D42, "SMB"), (0xFE53_4D42, "SMB"), (0x6573_5546, "FUSE"),
      (0x0102_1997, "9P"), (0x00C3_6400, "Ceph"), (0xEF53, nil), (0x0102_1994, nil), (0x5846_5342, nil),
      (0x9123_683E, nil), (0x794C_7630, nil), (0, nil),
    ] as [(UInt32, String?)])
  func network_file_systems_are_known_by_their_numbers(number: UInt32, name: String?) {
    #expect(NetworkKind.name(forMagic: number) == name)
  }

  @Test func a_local_store_has_no_warning_wherever_it_is() throws {
    let workspace = try Workspace()
    for path in ["", ".", "/", "no/such/place", workspace.store, workspace.path + "/a/b/"] {
      #expect(SystemFiles().networkKind(of: path) == nil, "\(path)")
    }
    #expect(try workspace.run("generate").err.isEmpty)
    #expect(try workspace.run("scan").err.isEmpty)
  }

  /// The kernel's answer is changed on its way.
  @Test(.enabled(if: Strace.isAvailable))
  func every_command_warns_once_of_a_network_file_system() throws {
    let workspace = try Workspace()
    let strace = Strace(workspace: workspace, paths: [])
    for command in [
      "generate", "scan", "resample --by week", "join AAPL KO", "chart AAPL", "tickers", "info", "periods", "export",
      "verify",
      "compact",
      "delete --all --yes",
    ] {
      let arguments = command.split(separator: " ").map(String.init)
      // The type is the first field, of eight bytes.
      let result = try strace.run(arguments, call: "statfs", fault: "poke_exit=@arg2=6969000000000000")
      #expect(result.status == 0 && !result.out.isEmpty, "\(command): \(result)")
      #expect(
        result.err == "quoin: warning: '\(workspace.store)' is on a network file system (NFS), where neither locks nor "
          + "commits can be relied on; keep the store on a local disk\n", "\(command): \(result)")
    }
  }
}
