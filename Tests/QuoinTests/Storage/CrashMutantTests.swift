import Testing

@testable import Quoin
@testable import QuoteGenerator

/// The crash tests are real: each of these stores, which are wrong in one place, is caught by them, and a right one isn't.
@Suite struct CrashMutantTests {
  /// A store that is wrong in one place.
  private struct Mutant {
    let name: String
    /// What it does in place of the right steps.
    var change: CrashCheck.Change = { $0 }
    /// How it treats the disk.
    var view: @Sendable (InMemoryFiles) -> any FileSystem = { $0 }

    init(_ name: String, view: @escaping @Sendable (InMemoryFiles) -> any FileSystem) {
      self.name = name
      self.view = view
    }

    /// - Parameters:
    ///   - pattern: the steps that are done wrongly, by their letters (`letter`), in groups.
    ///   - rewrite: what is done instead, from the groups.
    init(
      _ name: String, _ pattern: String, _ rewrite: @escaping ([ArraySlice<UnsyncedDisk.Step>]) -> [UnsyncedDisk.Step]
    ) {
      self.name = name
      change = { steps in
        let letters = String(steps.map(\.letter))
        guard let regex = try? Regex(pattern) else { preconditionFailure("no pattern: \(pattern)") }
        var (changed, rest) = ([UnsyncedDisk.Step](), 0)
        func place(_ index: String.Index) -> Int { letters.distance(from: letters.startIndex, to: index) }
        for match in letters.matches(of: regex) {
          changed += steps[rest..<place(match.range.lowerBound)]
          changed += rewrite(
            match.output.dropFirst().map { group in
              group.range.map { steps[place($0.lowerBound)..<place($0.upperBound)] } ?? []
            })
          rest = place(match.range.upperBound)
        }
        return changed + steps[rest...]
      }
    }

    /// One that does only these groups of steps, in this order.
    init(_ name: String, _ pattern: String, keeps groups: [Int]) {
      self.init(name, pattern) { steps in groups.flatMap { steps[$0 - 1] } }
    }
  }

  /// Create, write and sync the manifest, sync the directory, rename, sync the directory.
  private static let publication = "(C)(W)(S)(D)(R)(D)"

  private static var mutants: [Mutant] {
    [
      Mutant("column file not synced", "(c)(w)(s)", keeps: [1, 2]),
      Mutant("manifest not synced", publication, keeps: [1, 2, 4, 5, 6]),
      Mutant("directory not synced before the rename", publication, keeps: [1, 2, 3, 5, 6]),
      Mutant("directory not synced after the rename", publication, keeps: [1, 2, 3, 4, 5]),
      Mutant("nothing synced at all", "([wWR])([sSD]+)", keeps: [1]),
      Mutant("renamed before the manifest is synced", publication, keeps: [1, 2, 5, 3, 4, 6]),
      Mutant("renamed before the manifest is written", publication, keeps: [1, 5, 2, 3, 4, 6]),
      Mutant("column file written after the rename", "(w)(s)([^R]*RD)", keeps: [3, 1, 2]),
      Mutant("column file synced after the rename", "(s)([^R]*RD)", keeps: [2, 1]),
      Mutant("manifest written in place", publication) { steps in
        guard case .create(let file)? = steps[0].first, case .rename(_, let path)? = steps[4].first else { return [] }
        let inPlace = UnsyncedDisk.NewFile(number: file.number, path: path)
        return [.remove(path), .create(inPlace)] + steps[1] + steps[2] + steps[3]
      },
      Mutant("old manifest removed before the rename", "(R)") { steps in
        guard case .rename(_, let path)? = steps[0].first else { return [] }
        return [.remove(path)] + steps[0]
      },
      Mutant("acknowledged before the rename", "(RDx*)(!)", keeps: [2, 1]),
      Mutant("acknowledged before the last sync", "(R)(Dx*)(!)", keeps: [1, 3, 2]),
      Mutant("old files removed before the rename", "(RD)(x+)", keeps: [2, 1]),
      Mutant("old files removed before the last sync", "(R)(D)(x+)", keeps: [1, 3, 2]),
      Mutant("new store's own name not synced", "(P)", keeps: []),
      Mutant("column file before the first manifest", "(CWSDRD)(cws)", keeps: [2]),
      Mutant("leftovers removed before their generation is durable", "([^R])(D)(x)", keeps: [1, 3]),
      Mutant("nothing to do, and acknowledged without a sync", "(!)(D)(!)", keeps: [1, 3]),
      Mutant("temporary manifest not removed") { CarelessFiles(disk: $0, keeps: { $0.hasSuffix(".tmp") }) },
      Mutant("leftover column files not removed") { CarelessFiles(disk: $0, keeps: { $0.hasSuffix(".columns") }) },
      Mutant("lock not taken") { CarelessFiles(disk: $0, admitsAll: true) },
      Mutant("manifest's checksum not compared") { CarelessFiles(disk: $0, mendsManifest: true) },
    ]
  }

  /// Few writes show most mistakes.
  private static let workloads = StoreWorkload.all.prefix(3)

  @Test func each_planted_mistake_is_caught() throws {
    let start = ContinuousClock.now
    let dice = TestSettings.dice("CrashMutantTests")
    let (right, stateCount) = try whatCatches(Mutant("none") { $0 }, dice)
    #expect(right == nil)
    #expect(stateCount > 1000)
    var caughtCount = 0
    // Each looks at hundreds of states: in debug, some are planted.
    let mutants = Self.mutants.enumerated().filter { !TestSettings.isDebug || $0.offset % 4 == 0 }.map(\.element)
    for mutant in mutants {
      let (catcher, stateCount) = try whatCatches(mutant, dice)
      #expect(catcher != nil, "\(mutant.name)")
      print("  \(mutant.name) -> \(catcher ?? "nothing") (state \(stateCount))")
      if catcher != nil { caughtCount += 1 }
    }
    print(
      "promise 2: \(caughtCount) of \(mutants.count) caught; without a mistake nothing in \(stateCount) "
        + "states; \(ContinuousClock.now - start)")
    #expect(caughtCount == mutants.count && Self.mutants.count >= 12)
  }

  /// The first fault that a mutant shows, and how many states were looked at until then.
  private func whatCatches(_ mutant: Mutant, _ dice: SeededRandom) throws -> (String?, Int) {
    var stateCount = 0
    let steps: [(inout CrashCheck, StoreWorkload) throws -> Void] = [
      { try $0.checkPowerFailures($1, limit: 20, mutant.change) },
      { try $0.checkDeaths($1, limit: 8, mutant.change) },
    ]
    for step in steps {
      for workload in Self.workloads {
        var check = CrashCheck(dice, endsAtFault: true, view: mutant.view)
        try step(&check, workload)
        stateCount += check.states.count
        if let (_, reason) = check.faults.first { return (reason, stateCount) }
      }
    }
    for workload in Self.workloads {
      let writers = try SecondWriter.outcome(during: workload, mutant.view)
      stateCount += writers.refusedCount + writers.admittedCount
      if let fault = writers.faults.first { return (fault, stateCount) }
      let (fault, count) = try whatDamageDoes(workload, mutant.view)
      stateCount += count
      if let fault { return (fault, stateCount) }
    }
    return (nil, stateCount)
  }

  /// Flips a bit of each byte of a manifest, one after another: that must be noticed or do no harm.
  private func whatDamageDoes(
    _ workload: StoreWorkload, _ view: (InMemoryFiles) -> any FileSystem
  ) throws -> (String?, Int) {
    let image = try Recording(of: workload.writes).disk.current
    let path = "store/" + StoreFiles.manifest
    let whole = try content(in: "store", InMemoryFiles(image))
    let byteCount = image.files[path]?.count ?? 0
    for index in 0..<byteCount {
      var damaged = image
      damaged.files[path]?[index] ^= 1
      let found = try? content(in: "store", view(InMemoryFiles(damaged)))
      if let found, found != whole {
        return ("\(workload.testDescription), bit flipped at \(index) of the manifest: wrong rows", index + 1)
      }
    }
    return (nil, byteCount)
  }
}

extension UnsyncedDisk.Step {
  /// Small ones for column files, capitals for the manifest.
  fileprivate var letter: Character {
    switch self {
    case .createDirectory: "M"
    case .create(let file): file.path.hasSuffix(StoreFiles.lock) ? "L" : Self.isManifest(file) ? "C" : "c"
    case .write(let file, _): Self.isManifest(file) ? "W" : "w"
    case .sync(let file): Self.isManifest(file) ? "S" : "s"
    case .rename: "R"
    case .remove: "x"
    case .syncDirectory(let path): path.hasSuffix("/..") ? "P" : "D"
    case .promise: "!"
    }
  }

  private static func isManifest(_ file: UnsyncedDisk.NewFile) -> Bool {
    file.path.hasSuffix(StoreFiles.temporaryManifest)
  }
}
