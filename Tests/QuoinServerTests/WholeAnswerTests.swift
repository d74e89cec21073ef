import QuandlService
import Testing

@testable import QuoinServer

/// Answers that ask no store, which are made at once, however long they are.
struct WholeAnswerTests {
  @Test(arguments: [0, 1, ServerLimits.bufferedByteCount, 3 * ServerLimits.bufferedByteCount])
  func all_bytes_are_sent(_ byteCount: Int) throws {
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 % 251) }
    var rest = bytes[...]
    let body = AnswerBody(pieces: {
      defer { rest = rest.dropFirst(50_000) }
      return rest.isEmpty ? nil : Array(rest.prefix(50_000))
    })
    let answer = ServiceAnswer(headers: [("content-type", "text/csv")], body: body)
    let ready = try ReadyAnswer(OpenedAnswer(answer, takesGzip: false))
    guard case .bytes(let sent) = ready.contents else {
      Issue.record("the answer isn't whole")
      return
    }
    #expect(sent == bytes)
  }
}
