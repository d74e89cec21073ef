import Foundation
import Testing

@testable import Quoin

/// The library's errors are sentences, also for Foundation, and know no command line.
@Suite struct LibraryErrorTests {
  private static let errors: [any Error] = [
    StoreError.noStore(path: "s"), StoreError.notAStore(path: "s"), StoreError.storeExists(path: "s"),
    StoreError.inputOutput(FileSystemError(.write, "s", code: 28)),
    StoreError.damaged(path: "s", offset: 1, reason: "r"), StoreError.locked(path: "s", holder: nil),
    StoreError.locked(path: "s", holder: .current), StoreError.writerStopped(path: "s"), StoreError.cancelled,
    StoreError.unsupportedVersion(path: "s", found: 9, supported: 1),
    StoreError.commitUnknown(FileSystemError(.sync, "s", code: 5)),
    StoreError.keyChanged(ticker: .fedEx, date: .latest),
    StoreError.noQuotes(path: "s", ticker: .fedEx), StoreError.dayTaken(path: "s", ticker: .fedEx, day: .latest),
    StoreError.noQuotesOfDays(path: "s", ticker: .fedEx, first: nil, last: .latest),
    StoreError.splitInPrices(ticker: .fedEx, day: .latest, ratio: 2),
    StoreError.sameStore(path: "s"), StoreError.tickerTwice(.fedEx, path: "s", otherPath: "t"),
    StoreError.twoGenerations(path: "s"), StoreError.backupRefused(path: "s", .isStore),
    StoreError.backupRefused(path: "s", .hasOtherHistory),
    StoreError.backupRefused(path: "s", .changedMeanwhile),
    StoreError.alreadyAdjusted(path: "s", ticker: .fedEx),
    StoreError.predicateTooDeep(levelCountMax: 400), StoreError.manifestTooLong(byteCount: 2, byteCountMax: 1),
    StoreError.questionTooLarge(stepCountMax: 10_000),
    StoreError.tooManyColumns(key: "day", count: 6_000, countMax: 5_000),
    StoreError.questionTooLong(seconds: 30),
    StoreError.questionTooBig(byteCount: 2 << 30, byteCountMax: 1 << 30),
    StoreError.questionsTooBig(byteCount: 1 << 30, byteCountFree: 1),
    StoreError.looksAhead(asOf: .latest), StoreError.volumeTooLarge(ticker: .fedEx, days: .earliest ... .latest),
    ImportError.noTicker(file: "f"), ImportError.rejected(BadRows()), ImportError.empty(file: "f"),
    ImportError.store(.noStore(path: "s")), ImportError.unknownShape(file: "f", path: "a.1", detail: "d"),
    TickerSymbolError("".utf8, .empty), PredicateSyntaxError(message: "m", offset: 0, text: "t"),
  ]

  @Test func no_error_names_an_option_or_a_command() {
    for error in Self.errors {
      #expect(!"\(error)".contains("--") && !"\(error)".contains("quoin "), "\(error)")
    }
  }

  @Test func the_sentence_is_what_Foundation_shows() {
    for error in Self.errors { #expect(error.localizedDescription == "\(error)") }
    #expect(
      (StoreError.noStore(path: "s") as any Error).localizedDescription
        == "there is no store at 's'; import quotes into it first")
    #expect(ImportError.store(.cancelled).description == StoreError.cancelled.description)
  }

  @Test func a_lock_holder_is_read_as_it_was_written() {
    let holder = StoreError.LockHolder.current
    #expect(StoreError.LockHolder(holder.description) == holder && !holder.isGone)
    for name in ["a program) on host since", "", "(", ") on x since y"] {
      let odd = StoreError.LockHolder(process: 7, program: name, host: "h", since: "2026-11-22T20:31:22Z")
      #expect(StoreError.LockHolder(odd.description) == odd, "\(odd)")
    }
    for text in [
      "", "process", "process x (p) on h since t", "process -1 (p) on h since t", "process 0 (p) on h since t",
    ] {
      #expect(StoreError.LockHolder(text) == nil, "\(text)")
    }
  }
}
