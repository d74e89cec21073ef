import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What happens when somebody makes the files of a store shorter while they are read. Each in a process of its own, because a
/// signal's handler is the whole process's.
@Suite struct ShrinkingFileTests {
  @Test func a_program_that_does_not_ask_for_more_ends_by_the_signal() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let market = try CutMarket()
      let store = try QuoteStore(at: market.path)
      market.cut(market.columnFile, to: 4096)
      _ = try store.allQuotes.fetchColumns()
    }
  }

  @Test func a_program_that_asks_for_it_gets_an_error_that_names_the_file() async {
    await #expect(processExitsWith: .success) { try Self.expectErrorOfCutFile() }
  }

  private static func expectErrorOfCutFile() throws {
    QuoteStore.surviveShrinkingFiles()
    let market = try CutMarket()
    let store = try QuoteStore(at: market.path)
    let whole = try market.content(of: store)
    market.cut(market.columnFile, to: 4096)
    var text = ""
    do { _ = try store.allQuotes.fetchColumns() } catch { text = error.description }
    #expect(text.hasPrefix("'\(market.columnFile)' is damaged at byte ") && text.contains("shorter"), "\(text)")
    #expect(!store.isWhole)
    market.putBack(market.columnFile)
    let again = try QuoteStore(at: market.path)
    #expect(try market.content(of: again) == whole && again.isWhole)
  }

  /// As when the end of a page that stays becomes zeros: there is no signal then.
  @Test func no_value_comes_from_bytes_that_changed_after_they_were_checked() async {
    await #expect(processExitsWith: .success) { try Self.expectErrorsOfChangedBytes() }
  }

  private static func expectErrorsOfChangedBytes() throws {
    QuoteStore.surviveShrinkingFiles()
    let market = try CutMarket()
    let store = try QuoteStore(at: market.path)
    let whole = try market.content(of: store)
    for section in ColumnSection.all {
      let offset = try #require(try store.snapshot.file(0).header.column(section)).blocks.offset
      market.overwrite(market.columnFile, at: offset + 40, byteCount: 1000)
      #expect(throws: StoreError.self, "\(section)") { _ = try store.allQuotes.fetchColumns() }
      market.putBack(market.columnFile)
      #expect(try market.content(of: store) == whole, "\(section)")
    }
  }

  @Test func a_fault_anywhere_else_ends_the_process_as_before() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      QuoteStore.surviveShrinkingFiles()
      try CutMarket().readBeyondTheEndOfAnotherFile()
    }
  }

  @Test func a_fault_anywhere_else_goes_to_the_handler_that_was_there() async {
    await #expect(processExitsWith: .exitCode(7)) {
      _ = signal(SIGBUS) { _ in _exit(7) }
      QuoteStore.surviveShrinkingFiles()
      try CutMarket().readBeyondTheEndOfAnotherFile()
    }
  }

  @Test func while_files_are_cut_and_put_back_every_answer_is_right_or_an_error() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      QuoteStore.surviveShrinkingFiles()
      try CutMarket().read(threads: 8, cuts: TestSettings.count("QUOIN_CUTS", debug: 30, release: 100))
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    print(output.split(separator: "\n").last { $0.hasPrefix("promise 20: ") } ?? "no figures")
  }
}
