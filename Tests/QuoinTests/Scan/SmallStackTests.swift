import Dispatch
import Testing

@testable import Quoin

/// What a program asks on a thread whose stack is small: 128 KiB with musl, 512 KiB on macOS, 1 MiB in a JVM.
@Suite(.serialized) struct SmallStackTests {
  private static let stackByteCount = 256 << 10

  /// Runs `body` on a thread with a small stack. What it makes is freed there too.
  private static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    #expect(
      SystemThread.start(stackByteCount: stackByteCount) {
        body()
        done.signal()
      })
    done.wait()
  }

  private static let texts = [
    ("calls", String(repeating: "mean(", count: 95) + "close" + String(repeating: ", 2)", count: 95) + " > 1"),
    ("ranks", String(repeating: "rank(", count: 95) + "close" + String(repeating: " by day)", count: 95) + " > 1"),
    ("parentheses", String(repeating: "(", count: 99) + "close > 1" + String(repeating: ")", count: 99)),
    ("negations", String(repeating: "not (", count: 95) + "close > 1" + String(repeating: ")", count: 95)),
    (
      "choices",
      String(repeating: "if(close > 1, ", count: 95) + "close" + String(repeating: ", 2)", count: 95) + " > 1"
    ),
    ("powers", String(repeating: "close ^ ", count: 95) + "1 > 1"),
    ("sum", "close" + String(repeating: " + open", count: 390) + " > 1"),
    (
      "sum of calls",
      String(repeating: "abs(", count: 90) + "close" + String(repeating: " - open) + open * 2", count: 90) + " > 1"
    ),
    (
      "conditions",
      (0..<45).map { "(close > \($0) and (" }.joined() + "open > 1" + String(repeating: " or high > 2))", count: 45)
    ),
  ]

  @Test(arguments: texts) func a_deep_question_is_read_asked_shown_and_freed(_ name: String, _ text: String) throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert([
      DailyQuoteSummary(ticker: "KO", date: "2020-01-02", open: 1, high: 3, low: 1, close: 2, volume: 5)
    ])
    print("a small stack: \(name)")
    Self.onSmallStack {
      do {
        let predicate = try Quoin.Predicate(parsing: text)
        let count = try store.allQuotes.where(predicate).count()
        #expect(try count + store.allQuotes.where(!predicate).explain().rowCount <= 1)
        #expect(!"\(predicate)".isEmpty && !"\(!predicate)".isEmpty)
        let query = store.allQuotes.computing("x", .if(predicate, .close, .open))
        #expect(try query.limited(to: 1).sorted(by: .if(predicate, 1, 2)).rowCount == 1)
        #expect(try query.estimatedCost().rowCount == 1)
      } catch {
        Issue.record(error)
      }
    }
  }
}
