import Synchronization

@testable import Quoin

/// A second writer that comes while a first one is at work.
enum SecondWriter {
  struct Outcome {
    var refusedCount = 0
    var admittedCount = 0
    var faults: [String] = []
  }

  private enum Reply { case admitted, refused, failed }

  /// Lets a second writer come just before each operation of a workload's last write, each time on a new disk.
  ///
  /// - Parameter view: how both see the disk.
  static func outcome(
    during workload: StoreWorkload, _ view: (InMemoryFiles) -> any FileSystem = { $0 }
  ) throws -> Outcome {
    let start = try Recording(of: workload.writes.dropLast()).disk.current
    guard let first = workload.writes.last else { return Outcome() }
    func contentAfter(_ writes: StoreWorkload.Write...) throws -> StoreContent {
      let files = InMemoryFiles(start)
      for write in writes { try write(QuoteStore(at: "store", in: files)) }
      return try content(in: "store", files)
    }
    let alone = [try contentAfter(first)]
    let both = [try contentAfter(first, CrashCheck.addRow), try contentAfter(CrashCheck.addRow, first)]
    var outcome = Outcome()
    for number in 0... {
      let files = view(InMemoryFiles(start))
      let faults = FaultyFiles(files)
      let reply = Mutex<Reply?>(nil)
      let store = try QuoteStore(at: "store", in: faults)
      faults.begin {
        guard faults.operations.count == number + 1 else { return }
        let said = secondReply(files)
        reply.withLock { $0 = said }
      }
      let comment = "\(workload.testDescription), second writer at operation \(number)"
      do { try first(store) } catch { outcome.faults.append("\(comment): the first one failed: \(error)") }
      switch reply.withLock({ $0 }) {
      case nil: return outcome
      case .admitted: outcome.admittedCount += 1
      case .refused: outcome.refusedCount += 1
      case .failed: outcome.faults.append("\(comment): it failed")
      }
      let allowed = reply.withLock { $0 } == .admitted ? both : alone
      do {
        if !allowed.contains(try content(in: "store", files)) { outcome.faults.append("\(comment): rows lost") }
      } catch { outcome.faults.append("\(comment): \(error)") }
    }
    return outcome
  }

  private static func secondReply(_ files: any FileSystem) -> Reply {
    do {
      try CrashCheck.addRow(QuoteStore(at: "store", in: files))
      return .admitted
    } catch StoreError.locked { return .refused } catch { return .failed }
  }
}
