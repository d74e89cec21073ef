import Foundation
import Testing

@testable import QuoinServer

/// The files in which long answers wait for their clients.
struct SpoolTests {
  private let directory = FileManager.default.temporaryDirectory.path

  private func key(_ name: String) -> AnswerKey { AnswerKey(target: name, tag: "") }

  @Test func what_is_written_is_read() throws {
    let file = try Spool(in: directory, byteCountMax: 100_000).makeFile()
    let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(file.append(Array(bytes[..<20_000])) && file.append(Array(bytes[20_000...])))
    #expect(file.byteCount == 50_000)
    for range in [0..<50_000, 19_990..<20_010, 49_999..<50_000, 5..<5] {
      #expect(try file.read(range) == Array(bytes[range]))
    }
  }

  @Test func a_file_has_no_name() throws {
    let folder = directory + "/quoin-spool-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try Spool(in: folder, byteCountMax: 1000).makeFile()
    #expect(file.append([1, 2, 3]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(throws: (any Error).self) { try Spool(in: folder + "/absent", byteCountMax: 1000).makeFile() }
  }

  @Test func room_is_bounded_and_comes_back() throws {
    let spool = Spool(in: directory, byteCountMax: 1000)
    var first: SpoolFile? = try spool.makeFile()
    let second = try spool.makeFile()
    #expect(first?.append(Array(repeating: 1, count: 600)) == true)
    #expect(!second.append(Array(repeating: 1, count: 401)) && second.byteCount == 0)
    #expect(second.append(Array(repeating: 1, count: 400)) && !second.append([1]))
    first = nil
    #expect(first == nil && second.append(Array(repeating: 1, count: 600)))
  }

  @Test func what_is_kept_makes_room_the_least_recent_first() throws {
    let spool = Spool(in: directory, byteCountMax: 1000)
    for name in ["a", "b", "c"] {
      let file = try spool.makeFile()
      #expect(file.append(Array(repeating: 1, count: 300)))
      spool.keep(SpooledAnswer(headers: [("name", name)], file: file), key(name))
    }
    #expect(spool.answer(key("a"))?.headers.first?.value == "a")
    let file = try spool.makeFile()
    #expect(file.append(Array(repeating: 1, count: 300)))
    #expect(spool.answer(key("b")) == nil && spool.answer(key("a")) != nil && spool.answer(key("c")) != nil)
    #expect(spool.answer(AnswerKey(target: "a", tag: "other")) == nil)
    // An answer that is being sent keeps its room.
    let sent = try #require(spool.answer(key("a")))
    #expect(!file.append(Array(repeating: 1, count: 701)))
    #expect(spool.answer(key("a")) == nil && sent.file.byteCount == 300 && file.append([1]))
  }

  @Test func long_files_leave_room_for_short_ones() throws {
    let spool = Spool(in: directory, byteCountMax: 4 * ServerLimits.shortAnswerByteCount)
    let piece = [UInt8](repeating: 1, count: ServerLimits.shortAnswerByteCount)
    let long = try spool.makeFile()
    #expect(long.append(piece) && long.append(piece) && !long.append(piece))
    let short = try (0..<3).map { _ in try spool.makeFile() }
    #expect(short.map { $0.append(piece) } == [true, true, false])
  }

  @Test func without_a_place_for_files_long_answers_still_come() throws {
    let expected = try ServerProcess.shared.get().get("/api/v1/scan").body
    for options in [["--spool-directory", "/nowhere"], ["--spool-megabytes", "1"]] {
      let server = try ServerProcess(TestFolder(rowCount: options[1] == "1" ? 20_000 : nil), options)
      let answer = try server.get("/api/v1/scan")
      #expect(answer.headers["transfer-encoding"] == "chunked" && answer.headers["content-length"] == nil)
      if options[1] != "1" {
        #expect(answer.body == expected)
        #expect(server.logLine { $0.contains("warning") && $0.contains("/nowhere") } != nil)
      } else {
        #expect(answer.body.count > 2 << 20 && answer.text.split(separator: "\n").count == 20_002)
      }
      let wire = try server.connect()
      wire.send(server.head("HEAD /api/v1/scan"))
      #expect(wire.answer(toHead: true)?.status == 200)
      #expect(try server.get("/api/v1/scan", ["range: bytes=0-3"]).body == answer.body)
    }
  }

  @Test func a_place_is_waited_for() async throws {
    let slots = StreamSlots(1)
    let first = slots.take()
    let refusal = await #expect(throws: Refusal.self) { try await slots.take(within: .milliseconds(30)) { true } }
    #expect(refusal?.status == 503 && refusal?.headers["retry-after"] == "5")
    await #expect(throws: ClientGone.self) { try await slots.take(within: .seconds(600)) { false } }
    let waiting = Task { try await slots.take(within: .seconds(600)) { true } }
    first?.free()
    let second = try await waiting.value
    #expect(slots.take() == nil)
    withExtendedLifetime(second) {}
  }
}
