import Foundation
import Quoin
import Synchronization
import Testing

/// Somebody makes the files of the store shorter, and puts them back, while the server answers.
struct ShrinkingFileTests {
  private static let questions = [
    "/api/v1/scan?format=csv", "/api/v1/scan?where=close+%3E+20&format=ndjson",
    "/api/v3/datasets/WIKI/FDX/data.csv", "/api/v3/datasets/WIKI/KO/data?collapse=monthly",
    "/api/v3/datatables/WIKI/PRICES.csv?ticker=AAPL", "/api/v1/aggregate?aggregates=sum(volume),max(high)&by=month",
    "/api/v1/stats", "/api/v1/count?where=volume+%3E+1e6",
  ]

  /// The store is opened again a second after its file was put back.
  private func waitForSoundStore(_ server: ServerProcess) throws -> Bool {
    for _ in 0..<400 {
      if try server.get(Self.questions[0]).status == 200 { return true }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return false
  }

  @Test func a_file_that_was_cut_is_named_in_the_log_and_read_again_when_it_is_back() throws {
    let folder = try TestFolder()
    let server = try ServerProcess(folder)
    let before = try server.get(Self.questions[0])
    let file = folder.store + "/00000001.columns"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(unsafe truncate(file, 4096) == 0)
    let answer = try server.get(Self.questions[1])
    #expect(answer.status == 503 && answer.text.contains("QEXx01") && !answer.text.contains(folder.path))
    #expect(server.logLine { $0.contains("00000001.columns' is damaged") } != nil)
    try bytes.write(to: URL(fileURLWithPath: file))
    #expect(try waitForSoundStore(server))
    #expect(try server.get(Self.questions[0]).body == before.body)
  }

  @Test func while_files_are_cut_and_put_back_every_answer_is_right_or_an_error() throws {
    let folder = try TestFolder()
    let server = try ServerProcess(folder)
    let expected = try Self.questions.map { try server.get($0).body }
    let cuts = ProcessInfo.processInfo.environment["QUOIN_CUTS"].flatMap { Int($0) } ?? 20
    let tally = Mutex((isOver: false, right: 0, wrong: 0, errors: 0))
    let readers = DispatchGroup()
    for reader in 0..<8 {
      Thread.detachNewThread(in: readers) {
        var question = reader
        while !tally.withLock({ $0.isOver }) {
          question = (question + 1) % Self.questions.count
          // No answer at all, or half of one, is an error; wrong bytes with a good status are not.
          guard let answer = try? server.get(Self.questions[question]), answer.status == 200 else {
            tally.withLock { $0.errors += 1 }
            continue
          }
          let isRight = answer.body == expected[question]
          tally.withLock { if isRight { $0.right += 1 } else { $0.wrong += 1 } }
        }
      }
    }
    cutFiles(of: folder.store, cuts)
    tally.withLock { $0.isOver = true }
    readers.wait()
    #expect(try waitForSoundStore(server))
    let (_, right, wrong, errors) = tally.withLock { $0 }
    #expect(right > 0 && wrong == 0 && errors > 0)
    print(
      "promise 20: the server, \(cuts) cuts under 8 clients: \(right) right answers, \(wrong) wrong, \(errors) errors, 0 deaths"
    )
  }

  private func cutFiles(of store: String, _ count: Int) {
    let names = ["00000001.columns", "MANIFEST"]
    let contents = names.map { FileManager.default.contents(atPath: "\(store)/\($0)") ?? Data() }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<count {
      let index = Int.random(in: 0..<10, using: &random) / 9
      let file = "\(store)/\(names[index])"
      #expect(unsafe truncate(file, off_t(Int.random(in: 0...contents[index].count, using: &random))) == 0)
      Thread.sleep(forTimeInterval: .random(in: 0...0.005, using: &random))
      // In place, as `cp` does it.
      let handle = FileHandle(forWritingAtPath: file)
      handle?.truncateFile(atOffset: 0)
      handle?.write(contents[index])
      Thread.sleep(forTimeInterval: .random(in: 0...0.05, using: &random))
    }
  }
}

extension Thread {
  /// Does something on a thread of its own, whose end the group waits for.
  fileprivate static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}
