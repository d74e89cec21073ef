import Synchronization

@testable import Quoin

/// A disk in memory that writes down what is done to it, for `UnsyncedDisk` to be done again.
final class RecordingFiles: FileSystem {
  private struct State {
    var steps: [UnsyncedDisk.Step] = []
    var fileCount: Int
  }

  private let disk: InMemoryFiles
  private let state: Mutex<State>

  /// Goes on from a disk as running programs see it.
  init(on disk: UnsyncedDisk) {
    self.disk = InMemoryFiles(disk.current)
    state = Mutex(State(fileCount: disk.fileCount))
  }

  /// The steps since this was last asked.
  func takeSteps() -> [UnsyncedDisk.Step] {
    state.withLock { state in
      defer { state.steps = [] }
      return state.steps
    }
  }

  private func record(_ step: UnsyncedDisk.Step) { state.withLock { $0.steps.append(step) } }

  private func recordCreation(_ path: String) -> UnsyncedDisk.NewFile {
    state.withLock { state in
      let file = UnsyncedDisk.NewFile(number: state.fileCount, path: path)
      state.fileCount += 1
      state.steps.append(.create(file))
      return file
    }
  }

  var now: CommitTime { disk.now }

  func createDirectory(_ path: String) throws(FileSystemError) {
    try disk.createDirectory(path)
    record(.createDirectory(path))
  }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile {
    let file = try disk.createFile(path)
    return File(file: file, created: recordCreation(path), recorder: self)
  }

  private struct File: WritableFile {
    let file: any WritableFile
    let created: UnsyncedDisk.NewFile
    let recorder: RecordingFiles

    func write(_ bytes: RawSpan) throws(FileSystemError) {
      try file.write(bytes)
      recorder.record(.write(created, Quoin.bytes(of: bytes)))
    }

    func sync() throws(FileSystemError) {
      try file.sync()
      recorder.record(.sync(created))
    }
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile { try disk.map(path) }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try disk.rename(path, to: newPath)
    record(.rename(path, to: newPath))
  }

  func remove(_ path: String) throws(FileSystemError) {
    try disk.remove(path)
    record(.remove(path))
  }

  func names(in directory: String) throws(FileSystemError) -> [String] { try disk.names(in: directory) }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    try disk.syncDirectory(path)
    record(.syncDirectory(path))
  }

  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    let isNew = disk[path] == nil
    let lock = try disk.lock(path, holder: holder)
    // What the file says is for people; no test of crashes looks at it.
    if isNew, lock != nil { _ = recordCreation(path) }
    return lock
  }
}

/// The steps of some writes to a store, with what it promises before and after each.
struct Recording {
  private(set) var steps: [UnsyncedDisk.Step] = []
  private(set) var disk: UnsyncedDisk

  /// Begins on a disk.
  init(on disk: UnsyncedDisk = UnsyncedDisk()) { self.disk = disk }

  /// Records what some writers do, one after another.
  init(of writes: some Sequence<StoreWorkload.Write>) throws {
    self.init()
    for write in writes { try record(write) }
  }

  /// Records what a new writer does.
  ///
  /// - Parameter earlier: what the store may hold besides what programs see, when something is not durable yet.
  mutating func record(_ write: StoreWorkload.Write, earlier: [StoreContent] = []) throws {
    let files = RecordingFiles(on: disk)
    let store = try QuoteStore(at: "store", in: files)
    let old = try content(of: store)
    try write(store)
    let new = try content(of: store)
    let taken = files.takeSteps()
    for step in taken { disk.apply(step) }
    steps += [.promise(earlier + [old, new])] + taken + [.promise([new])]
  }
}
