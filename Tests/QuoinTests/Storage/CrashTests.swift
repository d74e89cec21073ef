import Synchronization
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Whenever the power fails: what was acknowledged is there, what was not is wholly there or wholly absent, and the next
/// writer can go on.
@Suite struct CrashTests {
  /// States of a disk to look at after a step, when there are more.
  private static let limit = TestSettings.count("QUOIN_CRASH_STATES", debug: 8, release: 600)

  @Test func a_power_failure_leaves_the_old_rows_or_the_new() async throws {
    let start = ContinuousClock.now
    let dice = TestSettings.dice("CrashTests")
    let checks = try await withThrowingTaskGroup(of: CrashCheck.self) { group in
      for workload in StoreWorkload.all {
        group.addTask { try Self.check(workload, dice) }
      }
      return try await group.reduce(into: [CrashCheck]()) { $0.append($1) }
    }
    var (states, faults) = (Set<UInt64>(), [String: Int]())
    for check in checks {
      states.formUnion(check.states)
      for (fault, _) in check.faults { faults[fault.rawValue, default: 0] += 1 }
      for (_, reason) in check.faults.prefix(3) { Issue.record("\(reason)") }
    }
    let counts = CrashCheck.Fault.allCases.map { "\(faults[$0.rawValue, default: 0]) \($0)" }
    print(
      "promise 1: \(checks.count) workloads, \(states.count) states, \(counts.joined(separator: ", ")), "
        + "\(ContinuousClock.now - start)")
    #expect(faults.isEmpty)
    #expect(states.count >= TestSettings.count(debug: 1000, release: 40_000))
  }

  private static func check(_ workload: StoreWorkload, _ dice: SeededRandom) throws -> CrashCheck {
    var check = CrashCheck(dice, samplingStride: max(1, limit / 4))
    try check.checkPowerFailures(workload, limit: limit)
    try check.checkInterruptedRecoveries(limit: limit / 10, depth: 2)
    try check.checkDeaths(workload, limit: limit / 40)
    return check
  }

  /// Whatever a writer is doing, a snapshot that was opened earlier has the old rows, and a new one has the old or the new.
  @Test func readers_see_one_generation_at_every_operation() throws {
    var (count, mixed) = (0, 0)
    for workload in StoreWorkload.all {
      let disk = try Recording(of: workload.writes.dropLast()).disk
      let files = InMemoryFiles(disk.current)
      let reader = try QuoteStore(at: "store", in: files)
      let old = try content(of: reader)
      let copy = InMemoryFiles(copying: files)
      try workload.writes.last?(QuoteStore(at: "store", in: copy))
      let new = try content(in: "store", copy)
      let faults = FaultyFiles(files)
      let store = try QuoteStore(at: "store", in: faults)
      let seen = Mutex<[StoreContent]>([])
      faults.begin {
        do {
          let found = try content(in: "store", files)
          seen.withLock { $0.append(found) }
          #expect(try content(of: reader) == old)
        } catch { Issue.record("\(workload.testDescription): \(error)") }
      }
      try workload.writes.last?(store)
      faults.end()
      let contents = seen.withLock { $0 }
      #expect(contents.count > 8)
      mixed += contents.count { $0 != old && $0 != new }
      // Nor does anybody see the new ones and then the old ones again.
      if let first = contents.firstIndex(of: new) { #expect(contents[first...].allSatisfy { $0 == new }) }
      #expect(try content(of: reader) == old && content(in: "store", files) == new)
      count += contents.count
    }
    print("promise 1: a reader at \(count) moments of a write, \(mixed) mixed")
    #expect(mixed == 0)
  }

  /// Whatever a writer is doing, from the lock on, a second one is refused; before and after, both write.
  @Test func a_second_writer_is_refused_at_every_operation() throws {
    var (refused, admitted, faults) = (0, 0, [String]())
    for workload in StoreWorkload.all {
      let outcome = try SecondWriter.outcome(during: workload)
      faults += outcome.faults
      refused += outcome.refusedCount
      admitted += outcome.admittedCount
    }
    print("promise 1: a second writer refused \(refused) times, admitted \(admitted) times, \(faults.count) faults")
    #expect(faults.isEmpty)
    #expect(refused > 200 && admitted > StoreWorkload.all.count)
  }
}
