@testable import Quoin
@testable import QuoteGenerator

/// Opens what power failures may leave of a store with the code that recovers it, writes on, and compares the rows with
/// what was promised.
struct CrashCheck {
  enum Fault: String, CaseIterable {
    /// Neither the old rows nor the new ones.
    case torn
    /// Rows of before what was promised.
    case lost
    case unopenable
    /// The next write failed, or left files that no manifest names.
    case unwritable
  }

  private enum Outcome {
    case holds(Int)
    case fails(Fault, String)
  }

  /// Whether to end with the first fault.
  let endsAtFault: Bool
  /// How the code that recovers sees a disk.
  let view: @Sendable (InMemoryFiles) -> any FileSystem

  private var dice: SeededRandom
  private var outcomes: [UInt64: Outcome] = [:]
  private var contents: [StoreContent] = []
  private(set) var faults: [(Fault, String)] = []
  /// Every so manieth state that was new, if it was right.
  private var samples: [DiskImage] = []
  private let samplingStride: Int

  init(
    _ dice: SeededRandom, endsAtFault: Bool = false, samplingStride: Int = .max,
    view: @escaping @Sendable (InMemoryFiles) -> any FileSystem = { $0 }
  ) {
    self.endsAtFault = endsAtFault
    self.samplingStride = samplingStride
    self.dice = dice
    self.view = view
  }

  /// The distinct states that were opened.
  var states: Set<UInt64> { Set(outcomes.keys) }

  var isDone: Bool { endsAtFault && !faults.isEmpty }

  /// Takes these steps, and looks at what a power failure may leave after each: at all of it, or at about `limit` states.
  mutating func check(
    _ steps: [UnsyncedDisk.Step], on start: UnsyncedDisk = UnsyncedDisk(), limit: Int, _ comment: String
  ) {
    var (disk, promised, earlier) = (start, Set<Int>(), Set<Int>())
    for (number, step) in steps.enumerated() where !isDone {
      disk.apply(step)
      if case .promise(let contents) = step {
        earlier.formUnion(promised)
        promised = Set(contents.map { index(of: $0) })
      }
      var dice = dice
      disk.forEachState(limit: limit, &dice) { image in
        if let (fault, reason) = judge(image, promised, earlier) {
          faults.append((fault, "\(comment), after step \(number), \(step.name): \(fault.rawValue): \(reason)"))
        }
        return !isDone
      }
      self.dice = dice
    }
  }

  /// Takes what these steps promise for rows that a generation may keep.
  mutating func admit(_ steps: [UnsyncedDisk.Step]) {
    for case .promise(let contents) in steps {
      for content in contents { _ = index(of: content) }
    }
  }

  private mutating func judge(_ image: DiskImage, _ promised: Set<Int>, _ earlier: Set<Int>) -> (Fault, String)? {
    let key = image.checksum
    let outcome = outcomes[key] ?? open(image)
    let isNew = outcomes.updateValue(outcome, forKey: key) == nil
    switch outcome {
    case .fails(let fault, let reason): return (fault, reason)
    case .holds(let content) where promised.contains(content):
      if isNew, outcomes.count % samplingStride == 0 { samples.append(image) }
      return nil
    case .holds(let content):
      let rows = contents[content].map { "\($0.key) \($0.value.count)" }.sorted().joined(separator: ", ")
      return (earlier.contains(content) ? .lost : .torn, "rows found: \(rows)")
    }
  }

  private mutating func takeSamples() -> [DiskImage] {
    defer { samples = [] }
    return samples
  }

  private mutating func index(of content: StoreContent) -> Int {
    if let index = contents.firstIndex(of: content) { return index }
    contents.append(content)
    return contents.count - 1
  }

  private mutating func open(_ image: DiskImage) -> Outcome {
    let files = view(InMemoryFiles(image))
    let store: QuoteStore
    let found: StoreContent
    do {
      store = try QuoteStore(at: "store", in: files)
      found = try content(of: store)
      // Nothing loses what is kept.
      for kept in store.snapshot.manifest.kept {
        let earlier = try store.snapshot(ofGeneration: kept.generation)
        guard let earlier, contents.contains(try content(of: earlier)) else {
          return .fails(.lost, "other rows in generation \(kept.generation), which is kept")
        }
      }
    } catch { return .fails(.unopenable, "\(error)") }
    do {
      if let reason = try whatIsWrongAfterWriting(store, found, files) { return .fails(.unwritable, reason) }
    } catch { return .fails(.unwritable, "\(error)") }
    return .holds(index(of: found))
  }

  private func whatIsWrongAfterWriting(
    _ store: QuoteStore, _ before: StoreContent, _ files: any FileSystem
  ) throws -> String? {
    try Self.addRow(store)
    var expected = before
    expected["ZZZ"] = Self.row.cellBits
    let reopened = try QuoteStore(at: "store", in: files)
    guard try content(of: reopened) == expected else { return "other rows after the next write" }
    let names = reopened.snapshot.manifest.fileNames.union([StoreFiles.manifest, StoreFiles.lock])
    let strays = Set(try files.names(in: "store")).subtracting(names)
    return strays.isEmpty ? nil : "left behind after the next write: \(strays.sorted())"
  }
}

extension CrashCheck {
  private static let row: QuoteColumns = .sample(1)

  /// A write that changes any store of these tests.
  static let addRow = StoreWorkload.put(["ZZZ": row])

  typealias Change = ([UnsyncedDisk.Step]) -> [UnsyncedDisk.Step]

  /// The power fails during a workload.
  mutating func checkPowerFailures(_ workload: StoreWorkload, limit: Int, _ change: Change = { $0 }) throws {
    check(change(try Recording(of: workload.writes).steps), limit: limit, workload.testDescription)
  }

  /// A writer dies at any step of a workload's last write, which leaves the disk as it is; another one tries the same
  /// again, or something else, and now the power fails.
  mutating func checkDeaths(_ workload: StoreWorkload, limit: Int, _ change: Change = { $0 }) throws {
    guard let last = workload.writes.last else { return }
    let before = try Recording(of: workload.writes.dropLast())
    admit(before.steps)
    var whole = Recording(on: before.disk)
    try whole.record(last)
    guard case .promise(let possible)? = whole.steps.first else { return }
    var disk = before.disk
    for (number, step) in whole.steps.dropLast().enumerated() {
      disk.apply(step)
      for (name, write) in [("the same", last), ("another", Self.addRow)] where !isDone {
        var next = Recording(on: disk)
        try next.record(write, earlier: possible)
        let comment = "\(workload.testDescription), dead after step \(number), \(step.name), then \(name)"
        check(change(next.steps), on: disk, limit: limit, comment)
      }
    }
  }

  /// The power fails while a writer goes on after a power failure, and then again, `depth` times.
  mutating func checkInterruptedRecoveries(limit: Int, depth: Int) throws {
    let write = StoreWorkload.put([try TickerSymbol("Z\(depth)"): Self.row])
    for image in takeSamples() {
      let disk = UnsyncedDisk(image)
      var next = Recording(on: disk)
      try next.record(write)
      check(next.steps, on: disk, limit: limit, "recovery")
    }
    if depth > 1 { try checkInterruptedRecoveries(limit: limit, depth: depth - 1) }
  }
}

extension UnsyncedDisk.Step {
  var name: String {
    switch self {
    case .createDirectory(let path): "create directory \(path)"
    case .create(let file): "create \(file.path)"
    case .write(let file, let bytes): "write \(bytes.count) bytes of \(file.path)"
    case .sync(let file): "sync \(file.path)"
    case .rename(let path, let newPath): "rename \(path) to \(newPath)"
    case .remove(let path): "remove \(path)"
    case .syncDirectory(let path): "sync directory \(path)"
    case .promise: "promise"
    }
  }
}
