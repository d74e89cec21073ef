import CQuoin
import Foundation
import Quoin
import Testing

extension CInterface {
  /// Who holds what, and until when. After each of them nothing is alive.
  @Suite struct LifetimeTests {
    private let market: TestMarket

    init() throws { market = try TestMarket.large() }

    /// Runs something, after which nothing more must be alive than before.
    private func checkNothingIsLeft(_ body: () throws -> Void) throws {
      let before = quoin_live_count()
      try body()
      #expect(quoin_live_count() == before)
    }

    @Test func a_stream_that_is_dropped_midway_leaves_nothing() throws {
      try checkNothingIsLeft {
        let store = try CStore(market.path)
        for batchCount in 0...3 {
          let stream = try store.scan(CQuery(columns: "ticker, date, close"))
          for _ in 0..<batchCount { _ = try stream.next() }
          stream.release()
          // As a consumer that forgot it would.
          stream.release()
          #expect(stream.isReleased)
        }
      }
    }

    @Test func batches_outlive_their_stream_and_the_store() throws {
      try checkNothingIsLeft {
        let (batch, schema, expected) = try {
          let store = try CStore(market.path)
          let stream = try store.scan(CQuery(columns: "close, ticker, volume"))
          let schema = CSchema()
          _ = stream.pointer.pointee.get_schema(stream.pointer, schema.pointer)
          let expected = try store.scan(CQuery(columns: "close, ticker, volume", limit: 66_024)).columns()
          return (try #require(try stream.next()), schema, expected)
        }()
        #expect(try batch.columns(["g", "i/u", "l"]) == expected)
        #expect(schema.fields == ["close:g", "ticker:i/u", "volume:l"])
      }
    }

    @Test func streams_outlive_their_store() throws {
      try checkNothingIsLeft {
        let stream = try CStore(market.path).scan(CQuery(columns: "close"))
        #expect(try stream.columns()[0].count == 70_000)
      }
    }

    @Test func children_that_were_moved_out_outlive_their_parent() throws {
      try checkNothingIsLeft {
        let store = try CStore(market.path)
        for kept in [[0], [1], [2], [0, 1, 2], [2, 0]] {
          let batch = try #require(try store.scan(CQuery(columns: "ticker, close, volume")).next())
          let expected = try batch.columns(["i/u", "g", "l"])
          let moved = kept.map(batch.moveChild)
          batch.release()
          #expect(batch.isReleased)
          for (index, array) in zip(kept, moved) {
            let format = ["i/u", "g", "l"][index]
            #expect(try CArray.cells(array.pointer.pointee, format, array.rowCount) == expected[index])
          }
        }
      }
    }

    @Test func a_stream_and_a_batch_may_be_moved() throws {
      try checkNothingIsLeft {
        let (stream, moved) = (try CStore(market.path).scan(CQuery(columns: "close")), CStream())
        moved.pointer.pointee = stream.pointer.pointee
        stream.pointer.pointee.release = nil
        let (batch, other) = (try #require(try moved.next()), CArray())
        other.pointer.pointee = batch.pointer.pointee
        batch.pointer.pointee.release = nil
        moved.release()
        #expect(other.rowCount == 66_024)
      }
    }

    @Test func what_is_held_doesnt_change_when_the_question_is_asked_again() throws {
      let store = try CStore(market.path)
      let query = CQuery(columns: "close", limit: 3000)
      let held = try #require(try store.scan(query).next())
      let expected = try held.columns(["g"])
      // Memory that was freed is used again at once.
      for index in 0..<50 { _ = try store.scan(CQuery(columns: "volume", limit: 3000, offset: Int64(index))).columns() }
      #expect(try held.columns(["g"]) == expected)
    }

    @Test func any_thread_releases() async throws {
      let before = quoin_live_count()
      let count = ProcessInfo.processInfo.environment["QUOIN_C_STREAMS"].flatMap { Int($0) } ?? 200
      var memory: [Int] = []
      // The first part warms up.
      for part in 0..<2 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          let store = try CStore(market.path)
          for thread in 0..<4 {
            group.addTask { try await Self.readAndRelease(store, thread, part == 0 ? count / 40 : count / 4) }
          }
          try await group.waitForAll()
        }
        memory.append(try Self.residentMegabytes())
      }
      #expect(quoin_live_count() == before)
      print(
        "promise 21: \(count) streams on 4 threads, half of them dropped midway: \(quoin_live_count() - before) alive, memory from "
          + "\(memory[0]) to \(memory[1]) MB")
      #expect(memory[1] < memory[0] + 64)
    }

    private static func residentMegabytes() throws -> Int {
      #if os(Linux)
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * 4096 / 1_000_000
      #else
        return 0
      #endif
    }

    /// Streams, of which half are dropped midway; batches and children are released by another task.
    private static func readAndRelease(_ store: CStore, _ thread: Int, _ count: Int) async throws {
      for round in 0..<count {
        let stream = try store.scan(
          CQuery(tickers: ["T1\(thread)", "T2\(round % 4)"], columns: "ticker, date, close", threads: 1))
        let batch = try #require(try stream.next())
        let child = batch.moveChild(round % 3)
        let rest = Task.detached { (batch.rowCount, child.rowCount) }
        if round % 2 == 0 {
          while try stream.next() != nil {}
        } else {
          stream.release()
        }
        #expect(await rest.value == (10_000, 10_000))
      }
    }

    @Test func an_unreadable_store_is_an_error_of_the_stream_again_and_again() throws {
      let copy = market.path + "-damaged"
      try FileManager.default.copyItem(atPath: market.path, toPath: copy)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      for name in try FileManager.default.contentsOfDirectory(atPath: copy) where name.hasSuffix(".columns") {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(copy)/\(name)"))
        for index in (bytes.count / 2)..<bytes.count { bytes[index] ^= 0x55 }
        try bytes.write(to: URL(fileURLWithPath: "\(copy)/\(name)"))
      }
      try checkNothingIsLeft {
        let store = try CStore(copy)
        let stream = try store.scan()
        #expect(try stream.schema().count == 14)
        for _ in 0..<3 {
          let array = CArray()
          #expect(stream.pointer.pointee.get_next(stream.pointer, array.pointer) == EIO)
          #expect(array.isReleased && stream.lastError?.contains("damaged") == true)
        }
        #expect(try stream.schema().count == 14)
        #expect { try store.count(CQuery(condition: "close > 30")) } throws: { ($0 as? CError)?.code == QUOIN_DAMAGED }
      }
    }
  }
}
